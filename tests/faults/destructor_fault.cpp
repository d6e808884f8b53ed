// E1, D3, F89: a value's destructor calls the store it lay in, and what it calls fails at its k-th
// allocation. The destructor may look away: every key is as it was, nothing leaks, and who made
// the store reclaim notices nothing.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "snapshot.hpp"
#include "unit/failing_memory.hpp"
#include "unit/stores.hpp"

#if RATCHET_TESTS_NATIVE

namespace {

using tests::failing_memory;

// Runs its action once, when it is destroyed, and looks away from what that throws.
class last_words {
 public:
  explicit last_words(int n, std::function<void()> action = {})
      : number(n), action_(std::move(action)) {
    ++alive;
  }
  last_words(last_words&& other) noexcept
      : number(other.number), action_(std::exchange(other.action_, {})) {
    ++alive;
  }
  last_words& operator=(last_words&&) = delete;
  ~last_words() {
    --alive;
    if (!action_) return;
    ++spoken;
    try {
      std::exchange(action_, {})();
    } catch (const std::bad_alloc&) {
      ++refused;
    }
  }

  inline static std::int64_t alive = 0;
  inline static int spoken = 0;
  inline static int refused = 0;
  int number;

 private:
  std::function<void()> action_;
};

using store_type = ratchet::store<std::string, last_words>;
// An erase that finds no memory to clean up with is done all the same.
enum class memory_is { needed, not_asked_for, done_without };
struct named {
  const char* name;
  memory_is memory;
  std::function<void(store_type&)> run;
};

const std::string long_key(200, 'l');

const std::vector<named>& actions() {
  static const std::vector<named> all = {
      {"put replaces", memory_is::needed, [](store_type& s) { s.put("present", last_words(9)); }},
      {"put creates", memory_is::needed, [](store_type& s) { s.put(long_key, last_words(9)); }},
      {"put its own key", memory_is::needed, [](store_type& s) { s.put("victim", last_words(9)); }},
      {"mutate", memory_is::needed,
       [](store_type& s) {
         EXPECT_TRUE(s.mutate("present",
                              [](const last_words* now) { return last_words(now->number + 10); }));
       }},
      {"at", memory_is::needed, [](store_type& s) { s.at(long_key).put(last_words(9)); }},
      {"reserve", memory_is::needed, [](store_type& s) { s.reserve(3'000); }},
      {"erase", memory_is::done_without, [](store_type& s) { EXPECT_TRUE(s.erase("present")); }},
      {"read", memory_is::not_asked_for, [](store_type& s) { EXPECT_TRUE(s.read("present")); }},
      {"reclaim", memory_is::not_asked_for, [](store_type& s) { s.reclaim(); }},
  };
  return all;
}

tests::snapshot look(const store_type& store) {
  static const std::vector<std::string> keys = {"present", "victim", "erased", long_key};
  return tests::take_snapshot(store, keys,
                              [](const last_words& v) { return std::to_string(v.number); });
}

// True: the k-th allocation of the destructor's call was reached.
bool fail_at(const named& action, std::uint64_t k) {
  failing_memory memory;
  ratchet::config wanted;
  wanted.memory = &memory;
  last_words::spoken = last_words::refused = 0;
  {
    store_type store(wanted);
    store.put("present", last_words(1));
    store.put("erased", last_words(2));
    (void)store.erase("erased");
    store.put("victim", last_words(3, [&] { action.run(store); }));
    tests::snapshot before;
    {
      const auto held = store.erase("victim");
      before = look(store);
      memory.fail_at(k);
    }
    EXPECT_NO_THROW(store.reclaim());
    const bool was_reached = memory.has_failed();
    memory.fail_at(0);
    EXPECT_EQ(last_words::spoken, 1);
    EXPECT_EQ(last_words::refused, was_reached && action.memory == memory_is::needed ? 1 : 0);
    if (last_words::refused > 0) {
      EXPECT_EQ(look(store), before);
      EXPECT_NO_THROW(action.run(store));  // nobody is blocked
    }
    (void)store.erase("present");
  }
  EXPECT_EQ(last_words::alive, 0);
  EXPECT_EQ(memory.bytes_out(), 0);
  EXPECT_EQ(memory.blocks_out(), 0);
  return last_words::refused > 0;
}

TEST(destructor_faults, F89_E1_D3_a_call_that_fails_in_a_destructor_changes_nothing) {
  for (const auto& action : actions()) {
    SCOPED_TRACE(action.name);
    std::uint64_t reached = 0;
    while (fail_at(action, reached + 1)) {
      ++reached;
      ASSERT_LT(reached, 100u) << "the call allocates without end";
    }
    EXPECT_EQ(reached > 0, action.memory == memory_is::needed) << reached;
  }
}

}  // namespace

#endif
