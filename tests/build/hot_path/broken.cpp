// The hot path as it must not be: hot_path.py has to find a fault in each of these.
#include <ratchet/base/word128.hpp>

#include <cstdint>
#include <mutex>
#include <vector>

using ratchet::base::atomic_word128;
using ratchet::base::word128;

struct counted {
  counted();
  ~counted();
  std::uint64_t value = 0;
};
extern thread_local counted calls;  // dynamically initialised: each use goes through a wrapper

extern "C" {

std::uint64_t get_by_handle(atomic_word128& word) {
  ++calls.value;
  return word.load(ratchet::base::acquire).low;
}

void consume(const std::vector<std::uint64_t>& values);
std::uint64_t get_by_key(atomic_word128& word) {
  std::vector<std::uint64_t> found(1, word.load(ratchet::base::acquire).low);
  consume(found);
  return found.front();
}

bool put_by_handle(ratchet::base::uint128* word, ratchet::base::uint128 expected) {
  return __atomic_compare_exchange_n(word, &expected, expected + 1, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

bool put_by_key(word128& word, word128 expected, word128 desired, std::mutex& mutex) {
  const std::lock_guard lock(mutex);
  if (word != expected) return false;
  word = desired;
  return true;
}

}  // extern "C"
