// FL3: a value whose destructor replaces another value of the same store, whose destructor replaces
// the next, and so on. Each is destroyed once, and the stack does not grow with the depth where
// values are reclaimed later.
#include <atomic>
#include <functional>
#include <utility>

#include "process/programs.hpp"

namespace {

std::atomic<std::int64_t> made{0};
std::atomic<std::int64_t> destroyed{0};
std::atomic<std::int64_t> fired{0};

// Runs its action once, when it is destroyed.
class trigger {
 public:
  explicit trigger(std::function<void()> action = {}) : action_(std::move(action)) { ++made; }
  trigger(trigger&& other) noexcept : action_(std::exchange(other.action_, {})) { ++made; }
  trigger& operator=(trigger&&) = delete;
  ~trigger() {
    ++destroyed;
    if (action_) {
      ++fired;
      std::exchange(action_, {})();
    }
  }

 private:
  std::function<void()> action_;
};

template <template <class> class Store>
void run(int depth, bool by_erase) {
  made = destroyed = fired = 0;
  {
    Store<trigger> store;
    const auto key = [](int n) { return std::to_string(n); };
    for (int n = 0; n < depth; ++n)
      store.put(key(n), trigger([&store, &key, n, depth, by_erase] {
                  if (n + 1 == depth) return;
                  if (by_erase)
                    (void)store.erase(key(n + 1));
                  else
                    store.put(key(n + 1), trigger());
                }));
    store.put(key(0), trigger());
    // Replaced values are destroyed by later calls; so many are enough by far.
    for (int n = 0; fired < depth && n < 2 * depth + 10'000; ++n) {
      store.put("other", trigger());
      if constexpr (requires { store.reclaim(); }) store.reclaim();
    }
    programs::require(fired == depth, "each value of the chain was destroyed, in turn");
  }
  programs::require(fired == depth, "no action ran twice");
  programs::require(made == destroyed, "each value was destroyed once");
}

}  // namespace

int main() {
  for (const bool by_erase : {false, true}) {
    run<programs::reference>(10, by_erase);
    run<programs::reference>(1'000, by_erase);
#if RATCHET_TESTS_NATIVE
    for (const int depth : {10, 1'000, 5'000}) run<programs::lock_free>(depth, by_erase);
#endif
  }
}
