// The functions whose machine code hot_path.py looks at. Each stands alone and is
// small enough to read.
#include <ratchet/native/store.hpp>

#include <cstdint>

using numbers = ratchet::store<std::uint64_t, std::uint64_t>;

extern "C" {

std::uint64_t get_by_handle(numbers::handle& key) {
  const auto seen = key.get();
  return seen ? *seen : 0;
}

std::uint64_t get_by_key(const numbers& store, std::uint64_t key) {
  const auto seen = store.get(key);
  return seen ? *seen : 0;
}

bool put_by_handle(numbers::handle& key, std::uint64_t value, ratchet::version seen) {
  return static_cast<bool>(key.put(value, ratchet::if_match{seen}));
}

bool put_by_key(numbers& store, std::uint64_t key, std::uint64_t value, ratchet::version seen) {
  return static_cast<bool>(store.put(key, value, ratchet::if_match{seen}));
}

}  // extern "C"
