// The plain limiter: verdicts, refusals, and what it makes of conflicts and lost answers.
// Of: patterns/ceiling.hpp
#include <ratchet/patterns/ceiling.hpp>

#include <limits>
#include <string>

#include "unit/scripted_store.hpp"

namespace {

using ratchet::ceiling;
using tests::fate;

template <class Kind>
class ceiling_verdicts : public ::testing::Test {
 protected:
  using S = typename Kind::template store<std::string, std::int64_t>;
  using limiter_of_store = ceiling<S>;
  using scripted_type = tests::scripted_store<S>;
  using limiter_of_scripted = ceiling<scripted_type>;

  S store;
  limiter_of_store limiter{store};
  scripted_type scripted{store};
  limiter_of_scripted scripted_limiter{scripted};
  const std::string k = "client";
};
TYPED_TEST_SUITE(ceiling_verdicts, tests::all_kinds, tests::kind_names);

TYPED_TEST(ceiling_verdicts, grants_up_to_the_limit_and_denies_from_there_on) {
  using verdict = typename TestFixture::limiter_of_store::verdict;
  for (std::int64_t n = 1; n <= 5; ++n) {
    const auto granted = this->limiter.try_acquire(this->k, 5);
    ASSERT_TRUE(granted);
    EXPECT_EQ(granted.verdict, verdict::granted);
    EXPECT_EQ(granted.remaining, 5 - n);
    EXPECT_EQ(granted.limit, 5);
    EXPECT_EQ(granted.attempts, 1u);
  }
  const auto before = this->store.get(this->k).version();
  const auto denied = this->limiter.try_acquire(this->k, 5);
  EXPECT_FALSE(denied);
  EXPECT_EQ(denied.verdict, verdict::denied);
  EXPECT_EQ(denied.remaining, 0);
  EXPECT_EQ(this->limiter.taken(this->k), 5);
  EXPECT_EQ(this->store.get(this->k).version(), before);  // a denial writes nothing
  EXPECT_EQ(this->limiter.taken("somebody else"), 0);
}

TYPED_TEST(ceiling_verdicts, several_units_are_taken_all_or_none) {
  using verdict = typename TestFixture::limiter_of_store::verdict;
  EXPECT_EQ(this->limiter.try_acquire(this->k, 10, 7).remaining, 3);
  const auto denied = this->limiter.try_acquire(this->k, 10, 4);
  EXPECT_EQ(denied.verdict, verdict::denied);
  EXPECT_EQ(denied.remaining, 3);
  EXPECT_TRUE(this->limiter.try_acquire(this->k, 10, 3));
  EXPECT_EQ(this->limiter.taken(this->k), 10);
}

TYPED_TEST(ceiling_verdicts, a_denial_for_an_absent_key_creates_nothing) {
  EXPECT_FALSE(this->limiter.try_acquire(this->k, 10, 11));
  EXPECT_EQ(this->store.size(), 0u);
}

TYPED_TEST(ceiling_verdicts, a_lowered_limit_denies_and_a_raised_one_grants_the_difference) {
  ASSERT_TRUE(this->limiter.try_acquire(this->k, 10, 8));
  const auto lowered = this->limiter.try_acquire(this->k, 5);
  EXPECT_FALSE(lowered);
  EXPECT_EQ(lowered.remaining, 0);
  EXPECT_EQ(this->limiter.try_acquire(this->k, 20, 12).remaining, 0);
}

TYPED_TEST(ceiling_verdicts, F91_bad_arguments_are_refused_and_named) {
  using limiter_type = typename TestFixture::limiter_of_store;
  using verdict = typename limiter_type::verdict;
  using argument = typename limiter_type::argument;
  const auto before = this->store.put(this->k, 3);
  const auto least = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{0}, least}) {
    const auto limit = this->limiter.try_acquire(this->k, bad);
    EXPECT_EQ(limit.verdict, verdict::invalid);
    EXPECT_EQ(limit.invalid, argument::limit);
    EXPECT_FALSE(limit);
    const auto units = this->limiter.try_acquire(this->k, 10, bad);
    EXPECT_EQ(units.verdict, verdict::invalid);
    EXPECT_EQ(units.invalid, argument::units);
    EXPECT_FALSE(units);
    EXPECT_EQ(units.attempts, 0u);
  }
  EXPECT_EQ(this->store.get(this->k).version(), before);
}

TYPED_TEST(ceiling_verdicts, the_largest_counts_do_not_overflow) {
  const auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(this->limiter.try_acquire(this->k, most, most - 1).remaining, 1);
  EXPECT_FALSE(this->limiter.try_acquire(this->k, most, most));
  EXPECT_FALSE(this->limiter.try_acquire(this->k, most, 2));
  EXPECT_TRUE(this->limiter.try_acquire(this->k, most, 1));
  EXPECT_EQ(this->limiter.taken(this->k), most);
  EXPECT_FALSE(this->limiter.try_acquire(this->k, most, 1));
}

TYPED_TEST(ceiling_verdicts, a_record_below_zero_never_grants_more_than_the_limit) {
  // Nobody but a bug elsewhere writes one; the limiter must not overflow over it.
  this->store.put(this->k, std::numeric_limits<std::int64_t>::min());
  const auto most = std::numeric_limits<std::int64_t>::max();
  const auto made = this->limiter.try_acquire(this->k, most, most);
  EXPECT_LE(made.remaining, most);
  EXPECT_GE(made.remaining, 0);
}

TYPED_TEST(ceiling_verdicts, narrow_and_unsigned_counts_serve_too) {
  typename TypeParam::template store<std::string, std::uint8_t> bytes;
  ceiling small(bytes);
  EXPECT_EQ(small.try_acquire("k", 255, 250).remaining, 5);
  EXPECT_FALSE(small.try_acquire("k", 255, 6));
  EXPECT_TRUE(small.try_acquire("k", 255, 5));
  EXPECT_FALSE(small.try_acquire("k", 255));
  EXPECT_EQ(small.taken("k"), 255);
  EXPECT_FALSE(small.try_acquire("k", 0));
}

// Over every integer that a count may be, at both ends of its range.
template <class Kind, class Count>
void count_to_the_end() {
  typename Kind::template store<std::string, Count> store;
  ceiling limited(store);
  using limiter_type = decltype(limited);
  using verdict = typename limiter_type::verdict;
  using argument = typename limiter_type::argument;
  constexpr Count most = std::numeric_limits<Count>::max();
  constexpr Count least = std::numeric_limits<Count>::min();
  constexpr auto n = [](int number) { return static_cast<Count>(number); };
  const auto refused = [&](Count limit, Count units, argument which) {
    const auto made = limited.try_acquire("k", limit, units);
    EXPECT_EQ(made.verdict, verdict::invalid);
    EXPECT_EQ(made.invalid, which);
    EXPECT_EQ(made.attempts, 0u);
  };
  const auto asked = [&](Count limit, Count units, verdict wanted, Count remaining) {
    const auto made = limited.try_acquire("k", limit, units);
    EXPECT_EQ(made.verdict, wanted) << +limit << " " << +units;
    EXPECT_EQ(made.remaining, remaining) << +limit << " " << +units;
  };
  for (const Count bad : {n(0), least, std::is_signed_v<Count> ? n(-1) : n(0)}) {
    refused(bad, n(1), argument::limit);
    refused(most, bad, argument::units);
    refused(bad, bad, argument::limit);
  }
  asked(n(1), n(2), verdict::denied, n(1));
  asked(n(1), most, verdict::denied, n(1));
  asked(static_cast<Count>(most - 1), most, verdict::denied, static_cast<Count>(most - 1));
  EXPECT_EQ(store.size(), 0u);
  asked(most, static_cast<Count>(most - 1), verdict::granted, n(1));
  asked(most, n(2), verdict::denied, n(1));
  asked(most, most, verdict::denied, n(1));
  asked(n(1), n(1), verdict::denied, n(0));
  asked(most, n(1), verdict::granted, n(0));
  asked(most, n(1), verdict::denied, n(0));
  EXPECT_EQ(limited.taken("k"), most);
  EXPECT_EQ(store.get("k").version().to_u64(), 2u);  // refusals wrote nothing
  ASSERT_TRUE(store.erase("k"));
  asked(most, most, verdict::granted, n(0));
  asked(most, most, verdict::denied, n(0));
}

TYPED_TEST(ceiling_verdicts, counts_of_every_width_reach_their_end_and_do_not_wrap) {
  count_to_the_end<TypeParam, std::int8_t>();
  count_to_the_end<TypeParam, std::uint8_t>();
  count_to_the_end<TypeParam, std::int16_t>();
  count_to_the_end<TypeParam, std::uint16_t>();
  count_to_the_end<TypeParam, std::int32_t>();
  count_to_the_end<TypeParam, std::uint32_t>();
  count_to_the_end<TypeParam, std::int64_t>();
  count_to_the_end<TypeParam, std::uint64_t>();
}

TYPED_TEST(ceiling_verdicts, F81_a_store_that_refuses_every_write_never_makes_a_grant) {
  using verdict = typename TestFixture::limiter_of_scripted::verdict;
  this->scripted.script = [](std::uint32_t) { return fate::conflict; };
  const auto made = this->scripted_limiter.try_acquire(this->k, 10, 1, {.attempts_max = 20});
  EXPECT_EQ(made.verdict, verdict::contended);
  EXPECT_FALSE(made);
  EXPECT_EQ(made.attempts, 20u);
  EXPECT_EQ(made.remaining, 0);
  EXPECT_EQ(this->limiter.taken(this->k), 0);
}

TYPED_TEST(ceiling_verdicts, F84_each_attempt_decides_on_the_fresh_count) {
  // Others take a unit before each of the first nine writes; the tenth sees the limit reached.
  this->scripted.before_write = [&](std::uint32_t) {
    ASSERT_TRUE(this->limiter.try_acquire(this->k, 10));
  };
  const auto made = this->scripted_limiter.try_acquire(this->k, 10);
  EXPECT_FALSE(made);
  EXPECT_EQ(made.verdict, TestFixture::limiter_of_scripted::verdict::denied);
  EXPECT_EQ(made.attempts, 11u);  // a limit of n is answered within n + 1 attempts
  EXPECT_EQ(this->limiter.taken(this->k), 10);
}

TYPED_TEST(ceiling_verdicts, a_lost_answer_is_unknown_at_every_point_and_not_repeated) {
  using verdict = typename TestFixture::limiter_of_scripted::verdict;
  for (std::uint32_t at = 1; at <= 5; ++at) {
    for (const auto how : {fate::lost_before_commit, fate::lost_after_commit}) {
      (void)this->store.erase(this->k);
      this->scripted.writes = 0;
      // The writes before the `at`-th conflict with somebody else's unit.
      this->scripted.before_write = [&](std::uint32_t n) {
        if (n < at) {
          ASSERT_TRUE(this->limiter.try_acquire(this->k, 100));
        }
      };
      this->scripted.script = [&](std::uint32_t n) { return n == at ? how : fate::pass; };
      const auto made = this->scripted_limiter.try_acquire(this->k, 100, 50);
      ASSERT_EQ(made.verdict, verdict::unknown);
      EXPECT_FALSE(made);
      EXPECT_EQ(this->scripted.writes, at);
      const std::int64_t own = how == fate::lost_after_commit ? 50 : 0;
      EXPECT_EQ(this->limiter.taken(this->k), std::int64_t{at} - 1 + own);
    }
  }
}

TYPED_TEST(ceiling_verdicts, what_the_store_refuses_passes_through) {
  ratchet::config wanted;
  wanted.keys_max = 1;
  typename TestFixture::S full(wanted);
  ceiling limited(full);
  ASSERT_TRUE(limited.try_acquire("a", 10));
  EXPECT_THROW((void)limited.try_acquire("b", 10), ratchet::limit_error);
  EXPECT_TRUE(limited.try_acquire("a", 10));
}

}  // namespace
