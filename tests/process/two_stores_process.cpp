// D3, T: stores of different types in one process share its hazards and thread records. The values
// of each use the other in their destructors, hashes of one read the other, and they end in either
// order while threads that used both live on.
#include <atomic>
#include <functional>
#include <latch>
#include <utility>

#include "process/programs.hpp"

namespace {

std::atomic<std::int64_t> alive{0};

// Does something elsewhere when it is destroyed.
class farewell {
 public:
  explicit farewell(std::function<void()> action = {}) : action_(std::move(action)) { ++alive; }
  farewell(farewell&& other) noexcept : action_(std::exchange(other.action_, {})) { ++alive; }
  farewell& operator=(farewell&&) = delete;
  ~farewell() {
    --alive;
    if (action_) std::exchange(action_, {})();
  }

 private:
  std::function<void()> action_;
};

using counts = programs::lock_free<std::int64_t>;

struct reading_options : ratchet::options {
  inline static counts* other = nullptr;
  struct hash {
    std::uint64_t operator()(std::uint64_t key, std::uint64_t seed) const {
      if (other != nullptr) (void)other->get("destroyed");
      return key * 0x9e3779b97f4a7c15 ^ seed;
    }
  };
};
#if RATCHET_TESTS_NATIVE
using farewells = ratchet::store<std::uint64_t, farewell, reading_options>;
#else
using farewells = ratchet::mutex_store<std::uint64_t, farewell, reading_options>;
#endif

void count_one(counts& in) {
  programs::require(
      static_cast<bool>(in.mutate(
          "destroyed", [](const std::int64_t* now) { return now == nullptr ? 1 : *now + 1; })),
      "a destructor counts itself");
}

// Threads replace values, whose destructors count in the other store.
void run(bool counts_end_first) {
  constexpr int threads_count = 4;
  constexpr int turns = 300;
  auto* counted = new counts();
  auto* values = new farewells();
  reading_options::other = counted;
  std::latch used(threads_count);
  std::latch ended(1);
  std::vector<std::thread> threads;
  for (int i = 0; i < threads_count; ++i)
    threads.emplace_back([&, i] {
      for (int n = 0; n < turns; ++n) {
        const auto key = static_cast<std::uint64_t>(n % 7 + 10 * i);
        values->put(key, farewell([counted] { count_one(*counted); }));
        if (n % 5 == 0) (void)values->erase(key);
        programs::use(*counted, 1, i);
      }
      used.count_down();
      ended.wait();
      programs::stores().use_all(20, i);
    });
  used.wait();
  reading_options::other = nullptr;
  if (counts_end_first) {
    // Nothing may be left that would count in it.
    for (std::uint64_t key = 0; key < 50; ++key) (void)values->erase(key);
    if constexpr (requires { values->reclaim(); }) values->reclaim();
    programs::require(alive == 0, "what nobody holds is gone");
    programs::require(*counted->get("destroyed") == threads_count * turns,
                      "each counted itself once");
    delete counted;
    delete values;
  } else {
    delete values;
    programs::require(alive == 0, "a store's end ends its values");
    programs::require(*counted->get("destroyed") == threads_count * turns,
                      "each counted itself once");
    delete counted;
  }
  ended.count_down();
  for (auto& thread : threads) thread.join();
}

}  // namespace

int main() {
  for (int n = 0; n < 3; ++n) {
    run(false);
    run(true);
  }
}
