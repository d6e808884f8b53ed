// Read, decide, write if nobody wrote since: what mutate does, and when it gives up.
// Of: core/mutate.hpp, core/decision.hpp, base/backoff.hpp
#include <chrono>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <vector>

#include "scripted_store.hpp"

namespace {

using ratchet::decision;
using ratchet::mutated;
using ratchet::version;
using tests::fate;
using namespace std::chrono_literals;

template <class Combo>
class store_mutate : public ::testing::Test {
 protected:
  using K = typename Combo::key;
  using V = typename Combo::value;
  using D = decision<V, int>;
  static auto key(std::uint32_t n) { return tests::sample<K>::of(n); }
  static auto value(std::uint32_t n) { return tests::sample<V>::of(n); }
  std::optional<std::uint32_t> at(std::uint32_t n) { return tests::number_of(store.read(key(n))); }

  typename Combo::store store;
};
TYPED_TEST_SUITE(store_mutate, tests::all_combos, tests::kind_names);

TYPED_TEST(store_mutate, a_plain_value_is_put_and_creates_where_absent) {
  using value_type = typename TestFixture::V;
  const auto next = [](const value_type* now) {
    return TestFixture::value(now == nullptr ? 1 : *tests::number_of(now) + 1);
  };
  const auto created = this->store.mutate(this->key(1), next);
  EXPECT_TRUE(created);
  EXPECT_EQ(created.mutated, mutated::applied);
  EXPECT_EQ(created.attempts, 1u);
  EXPECT_EQ(this->at(1), 1u);
  const auto replaced = this->store.mutate(this->key(1), next);
  EXPECT_EQ(replaced.mutated, mutated::applied);
  EXPECT_EQ(replaced.version.to_u64(), created.version.to_u64() + 1);
  EXPECT_EQ(this->at(1), 2u);
  EXPECT_EQ(this->store.read(this->key(1)).version(), replaced.version);
}

TYPED_TEST(store_mutate, a_decision_to_put_carries_its_answer_out) {
  using value_type = typename TestFixture::V;
  using decided = typename TestFixture::D;
  const auto done = this->store.mutate(this->key(1), [](const value_type* now) {
    return decided::put(TestFixture::value(5), now == nullptr ? 77 : 0);
  });
  EXPECT_EQ(done.mutated, mutated::applied);
  EXPECT_EQ(done.answer, 77);
  EXPECT_EQ(this->at(1), 5u);
}

TYPED_TEST(store_mutate, a_decision_to_keep_writes_nothing) {
  using value_type = typename TestFixture::V;
  using decided = typename TestFixture::D;
  const auto keep = [](const value_type* now) { return decided::keep(now == nullptr ? 1 : 2); };
  const auto absent = this->store.mutate(this->key(1), keep);
  EXPECT_EQ(absent.mutated, mutated::unchanged);
  EXPECT_FALSE(absent);
  EXPECT_EQ(absent.answer, 1);
  EXPECT_EQ(absent.version, version());
  EXPECT_EQ(this->store.size(), 0u);
  const version made = this->store.put(this->key(1), this->value(5));
  const auto present = this->store.mutate(this->key(1), keep);
  EXPECT_EQ(present.mutated, mutated::unchanged);
  EXPECT_EQ(present.answer, 2);
  EXPECT_EQ(present.version, made);
  EXPECT_EQ(this->store.read(this->key(1)).version(), made);
}

TYPED_TEST(store_mutate, a_decision_to_erase_removes_the_key) {
  using value_type = typename TestFixture::V;
  using decided = typename TestFixture::D;
  const auto erase = [](const value_type* now) { return decided::erase(now == nullptr ? 1 : 2); };
  const auto absent = this->store.mutate(this->key(1), erase);
  EXPECT_EQ(absent.mutated, mutated::unchanged);
  EXPECT_EQ(absent.answer, 1);
  const version made = this->store.put(this->key(1), this->value(5));
  const auto present = this->store.mutate(this->key(1), erase);
  EXPECT_EQ(present.mutated, mutated::applied);
  EXPECT_EQ(present.answer, 2);
  EXPECT_EQ(present.version.to_u64(), made.to_u64() + 1);
  EXPECT_EQ(this->at(1), std::nullopt);
  EXPECT_EQ(this->store.size(), 0u);
}

TYPED_TEST(store_mutate, what_the_function_throws_passes_through_and_nothing_is_written) {
  using value_type = typename TestFixture::V;
  const auto refuse = [](const value_type*) -> value_type { throw std::runtime_error("no"); };
  EXPECT_THROW((void)this->store.mutate(this->key(1), refuse), std::runtime_error);
  EXPECT_EQ(this->store.size(), 0u);
  const version made = this->store.put(this->key(1), this->value(5));
  EXPECT_THROW((void)this->store.mutate(this->key(1), refuse), std::runtime_error);
  EXPECT_EQ(this->at(1), 5u);
  EXPECT_EQ(this->store.read(this->key(1)).version(), made);
}

// A clock that ticks each time it is read.
struct counting_clock {
  std::int64_t ticks = 0;
  std::int64_t now() { return ++ticks; }
};

template <class Kind>
class mutate_loop : public ::testing::Test {
 protected:
  using S = typename Kind::template store<std::string, std::int64_t>;
  // Somebody else writes before each of the first `times` conditional writes.
  void meddle(std::uint32_t times) {
    scripted.before_write = [this, times](std::uint32_t n) {
      if (n <= times) this->store.put("k", 100 * n);
    };
  }
  auto add_one(ratchet::retry bounds = {}) {
    return ratchet::mutate<false>(
        scripted, std::string("k"),
        [this](const std::int64_t* now) {
          ++calls;
          seen.push_back(now == nullptr ? -1 : *now);
          return now == nullptr ? std::int64_t{1} : *now + 1;
        },
        bounds);
  }

  S store;
  tests::scripted_store<S> scripted{store};
  std::uint32_t calls = 0;
  std::vector<std::int64_t> seen;
};
TYPED_TEST_SUITE(mutate_loop, tests::all_kinds, tests::kind_names);

TYPED_TEST(mutate_loop, F84_the_function_sees_a_fresh_value_once_an_attempt) {
  this->meddle(5);
  const auto done = this->add_one();
  EXPECT_EQ(done.mutated, mutated::applied);
  EXPECT_EQ(done.attempts, 6u);
  EXPECT_EQ(this->calls, done.attempts);
  EXPECT_EQ(this->seen, (std::vector<std::int64_t>{-1, 100, 200, 300, 400, 500}));
  EXPECT_EQ(*this->store.get("k"), 501);
  EXPECT_EQ(done.version, this->store.get("k").version());
}

TYPED_TEST(mutate_loop, a_key_erased_under_the_loop_is_absent_to_the_next_attempt) {
  this->store.put("k", 7);
  this->scripted.before_write = [&](std::uint32_t n) {
    if (n <= 2) (void)this->store.erase("k");
    if (n == 3) this->store.put("k", 40);
  };
  const auto done = this->add_one();
  EXPECT_EQ(done.mutated, mutated::applied);
  // The first write meets the erase; the second creates where the key was already absent.
  EXPECT_EQ(this->seen, (std::vector<std::int64_t>{7, -1}));
  EXPECT_EQ(*this->store.get("k"), 1);
}

TYPED_TEST(mutate_loop, attempts_max_ends_the_loop_and_nothing_is_written) {
  this->meddle(~std::uint32_t{0});
  const auto done = this->add_one({.attempts_max = 3});
  EXPECT_EQ(done.mutated, mutated::contended);
  EXPECT_FALSE(done);
  EXPECT_FALSE(done.answer.has_value());
  EXPECT_EQ(done.attempts, 3u);
  EXPECT_EQ(this->calls, 3u);
  EXPECT_EQ(*this->store.get("k"), 300);
  EXPECT_EQ(done.version, this->store.get("k").version());
}

TYPED_TEST(mutate_loop, one_attempt_is_always_made) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(this->add_one({.attempts_max = 1, .budget = 1ns, .stop = stop.get_token()}));
  EXPECT_EQ(*this->store.get("k"), 1);
}

TYPED_TEST(mutate_loop, a_stop_ends_the_loop_after_the_attempt_under_way) {
  std::stop_source stop;
  this->scripted.before_write = [&](std::uint32_t n) {
    this->store.put("k", 100 * n);
    if (n == 4) stop.request_stop();
  };
  const auto done = this->add_one({.stop = stop.get_token()});
  EXPECT_EQ(done.mutated, mutated::contended);
  EXPECT_EQ(done.attempts, 4u);
  EXPECT_EQ(*this->store.get("k"), 400);
}

TYPED_TEST(mutate_loop, a_budget_ends_the_loop_once_it_is_spent) {
  this->meddle(~std::uint32_t{0});
  const auto start = std::chrono::steady_clock::now();
  const auto done = this->add_one({.attempts_max = ~std::uint32_t{0}, .budget = 20ms});
  EXPECT_EQ(done.mutated, mutated::contended);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 20ms);
  EXPECT_GT(done.attempts, 1u);
}

TYPED_TEST(mutate_loop, a_budget_without_end_is_no_end) {
  this->meddle(3);
  const auto done = this->add_one({.budget = std::chrono::nanoseconds::max()});
  EXPECT_EQ(done.mutated, mutated::applied);
  EXPECT_EQ(done.attempts, 4u);
}

TYPED_TEST(mutate_loop, a_budget_that_is_overdrawn_already_allows_one_attempt) {
  for (const auto budget : {std::chrono::nanoseconds(-1), std::chrono::nanoseconds::min()}) {
    this->scripted.writes = 0;
    this->meddle(100);
    const auto done = this->add_one({.budget = budget});
    EXPECT_EQ(done.mutated, mutated::contended);
    EXPECT_EQ(done.attempts, 1u);
  }
}

TYPED_TEST(mutate_loop, F81_a_store_that_refuses_every_write_makes_it_contended) {
  this->scripted.script = [](std::uint32_t) { return fate::conflict; };
  const auto done = this->add_one({.attempts_max = 50});
  EXPECT_EQ(done.mutated, mutated::contended);
  EXPECT_EQ(done.attempts, 50u);
  EXPECT_FALSE(this->store.get("k"));
}

// A million attempts: one store is enough.
TEST(mutate_bounds, F81_attempts_are_bounded_also_where_nobody_said_so) {
  tests::mutex_kind::store<int, int> store;
  tests::scripted_store scripted(store);
  scripted.script = [](std::uint32_t) { return fate::conflict; };
  const auto done = ratchet::mutate<false>(scripted, 1, [](const int*) { return 1; },
                                           {.budget = std::chrono::nanoseconds::max()});
  EXPECT_EQ(done.mutated, mutated::contended);
  EXPECT_EQ(done.attempts, ratchet::limits::attempts_default);
  EXPECT_FALSE(store.get(1));
}

TYPED_TEST(mutate_loop, a_lost_answer_is_unknown_and_never_repeated) {
  for (const auto how : {fate::lost_before_commit, fate::lost_after_commit}) {
    this->scripted.writes = 0;
    this->scripted.script = [how](std::uint32_t) { return how; };
    const auto before = this->store.put("k", 10);
    const auto done = this->add_one();
    EXPECT_EQ(done.mutated, mutated::unknown);
    EXPECT_EQ(done.attempts, 1u);
    EXPECT_EQ(done.version, before);
    EXPECT_EQ(this->scripted.writes, 1u);
    EXPECT_EQ(*this->store.get("k"), how == fate::lost_before_commit ? 10 : 11);
  }
}

TYPED_TEST(mutate_loop, a_lost_erase_is_unknown_too) {
  using decided = decision<std::int64_t>;
  for (const auto how : {fate::lost_before_commit, fate::lost_after_commit}) {
    this->store.put("k", 10);
    this->scripted.script = [how](std::uint32_t) { return how; };
    const auto done = ratchet::mutate(this->scripted, std::string("k"),
                                      [](const std::int64_t*) { return decided::erase(); });
    EXPECT_EQ(done.mutated, mutated::unknown);
    EXPECT_EQ(static_cast<bool>(this->store.get("k")), how == fate::lost_before_commit);
  }
}

TYPED_TEST(mutate_loop, the_clock_is_read_after_the_key_once_an_attempt) {
  counting_clock clock;
  std::vector<std::int64_t> times;
  this->meddle(3);
  // Reading the key moves the clock, so a time taken before the read would be too early.
  this->scripted.after_read = [&](std::uint32_t n) { clock.ticks = 1'000 * n; };
  const auto done = ratchet::mutate<false>(this->scripted, std::string("k"), clock,
                                           [&](const std::int64_t* now, std::int64_t time) {
                                             times.push_back(time);
                                             return now == nullptr ? std::int64_t{1} : *now + 1;
                                           });
  EXPECT_EQ(done.mutated, mutated::applied);
  EXPECT_EQ(done.attempts, 4u);
  // The second attempt uses what the first conflict showed: no read, but a new time.
  EXPECT_EQ(times, (std::vector<std::int64_t>{1'001, 1'002, 2'001, 3'001}));
}

TYPED_TEST(mutate_loop, the_store_offers_the_clock_form_as_a_verb) {
  counting_clock clock{41};
  const auto done =
      this->store.mutate("k", clock, [](const std::int64_t*, std::int64_t time) { return time; });
  EXPECT_EQ(done.mutated, mutated::applied);
  EXPECT_EQ(*this->store.get("k"), 42);
}

TYPED_TEST(mutate_loop, F86_a_checked_pure_function_is_called_twice_an_attempt) {
  int times_called = 0;
  const auto done = ratchet::mutate<true>(this->store, std::string("k"), [&](const std::int64_t*) {
    ++times_called;
    return std::int64_t{5};
  });
  EXPECT_TRUE(done);
  EXPECT_EQ(times_called, 2);
}

template <class Kind>
class mutate_death : public ::testing::Test {};
TYPED_TEST_SUITE(mutate_death, tests::all_kinds, tests::kind_names);

TYPED_TEST(mutate_death, F86_an_impure_function_is_found_out) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  typename TypeParam::template store<std::string, std::int64_t> store;
  using decided = decision<std::int64_t, int>;
  int calls = 0;
  EXPECT_DEATH(
      (void)ratchet::mutate<true>(store, std::string("k"),
                                  [&](const std::int64_t*) -> std::int64_t { return ++calls; }),
      "must depend on its arguments alone");
  EXPECT_DEATH(
      (void)ratchet::mutate<true>(store, std::string("k"),
                                  [&](const std::int64_t*) { return decided::keep(++calls); }),
      "must depend on its arguments alone");
  EXPECT_DEATH((void)ratchet::mutate<true>(store, std::string("k"),
                                           [&](const std::int64_t*) {
                                             return ++calls % 2 == 0 ? decided::keep()
                                                                     : decided::put(1);
                                           }),
               "must depend on its arguments alone");
}

}  // namespace
