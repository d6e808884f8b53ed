// Patterns under contention: counts are exact, and those who gave up did not write.
#include <ratchet/patterns/ceiling.hpp>
#include <ratchet/patterns/wallet.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "unit/stores.hpp"
#include "unit/threads.hpp"

namespace {

using tests::let_others_in;
using tests::run_threads;
using tests::scaled;

template <class Kind>
class pattern_races : public ::testing::Test {
 protected:
  template <class V>
  using store_of = typename Kind::template store<std::string, V>;
};
TYPED_TEST_SUITE(pattern_races, tests::all_kinds, tests::kind_names);

TYPED_TEST(pattern_races, F71_a_ceiling_grants_exactly_its_limit) {
  typename TestFixture::template store_of<std::int64_t> store;
  ratchet::ceiling limiter(store);
  const std::uint32_t rounds = scaled(40) + 1;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    std::atomic<std::uint32_t> granted{0};
    std::atomic<std::uint32_t> denied{0};
    const std::string key = std::to_string(round);
    run_threads(8, [&](std::uint32_t) {
      for (int n = 0; n < 50; ++n) {
        if (limiter.try_acquire(key, 100))
          ++granted;
        else
          ++denied;
      }
    });
    ASSERT_EQ(granted, 100u);
    ASSERT_EQ(denied, 300u);
    ASSERT_EQ(limiter.taken(key), 100);
  }
}

// Units of one window, by (window, count) in one record, with time stamps that come late.
struct window_count {
  std::uint32_t window;
  std::uint32_t count;
  friend bool operator==(const window_count&, const window_count&) = default;
};

TYPED_TEST(pattern_races, F72_late_times_never_open_a_window_again) {
  typename TestFixture::template store_of<window_count> store;
  constexpr std::uint32_t limit = 10;
  constexpr std::uint32_t windows = 50;
  std::vector<std::atomic<std::uint32_t>> granted(windows);
  run_threads(4, [&](std::uint32_t me) {
    auto numbers = tests::random_numbers(me);
    for (std::uint32_t n = 0; n < scaled(20'000); ++n) {
      // A time between the newest window and two before it.
      const std::uint32_t newest = n * windows / scaled(20'000);
      const auto late = static_cast<std::uint32_t>(numbers() % 3);
      const std::uint32_t now = newest < late ? 0 : newest - late;
      using decided = ratchet::decision<window_count, bool>;
      const auto done = store.mutate("client", [now](const window_count* seen) {
        if (seen == nullptr || seen->window < now) return decided::put({now, 1}, true);
        if (seen->window > now || seen->count >= limit) return decided::keep(false);
        return decided::put({now, seen->count + 1}, true);
      });
      if (done && *done.answer) ++granted[now];
    }
  });
  std::uint32_t windows_used = 0;
  for (const auto& count : granted) {
    EXPECT_LE(count, limit);
    windows_used += count > 0 ? 1u : 0u;
  }
  EXPECT_GT(windows_used, windows / 2);
}

TYPED_TEST(pattern_races, F84_writers_of_different_fields_both_keep_theirs) {
  using fields = std::vector<std::uint32_t>;
  typename TestFixture::template store_of<fields> store;
  const std::uint32_t each = scaled(1'000);
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> attempts{0};
  run_threads(2, [&](std::uint32_t me) {
    for (std::uint32_t n = 0; n < each; ++n) {
      const auto done = ratchet::mutate<false>(store, std::string("k"), [&](const fields* now) {
        ++calls;
        let_others_in(n);
        fields next = now == nullptr ? fields() : *now;
        next.push_back(me * each + n);
        return next;
      });
      attempts += done.attempts;
      ASSERT_TRUE(done);
    }
  });
  EXPECT_EQ(calls, attempts);
  EXPECT_GT(attempts, 2u * each) << "nothing was contended: this run proves nothing";
  fields all = *store.get("k");
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), 2u * each);
  for (std::uint32_t n = 0; n < all.size(); ++n) ASSERT_EQ(all[n], n);
}

TYPED_TEST(pattern_races, F94_many_editors_lose_no_edit) {
  using rules = std::vector<std::uint16_t>;
  typename TestFixture::template store_of<rules> store;
  const std::uint32_t edits = scaled(100);
  run_threads(16, [&](std::uint32_t me) {
    for (std::uint32_t n = 0; n < edits; ++n)
      ASSERT_TRUE(store.mutate("rules", [&](const rules* now) {
        rules next = now == nullptr ? rules() : *now;
        next.push_back(static_cast<std::uint16_t>(me * edits + n));
        return next;
      }));
  });
  rules all = *store.get("rules");
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), 16u * edits);
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

TYPED_TEST(pattern_races, F85_those_who_ran_out_are_contended_and_wrote_nothing) {
  typename TestFixture::template store_of<std::int64_t> store;
  std::atomic<std::int64_t> applied{0};
  std::atomic<std::int64_t> contended{0};
  const std::uint32_t threads = 8;
  const std::uint32_t each = scaled(4'000);
  run_threads(threads, [&](std::uint32_t me) {
    for (std::uint32_t n = 0; n < each; ++n) {
      const auto add_one = [&](const std::int64_t* now) {
        // One caller is slow in its function, so that the others overtake it.
        if (me == 0)
          std::this_thread::sleep_for(std::chrono::microseconds(20));
        else
          let_others_in(n);
        return now == nullptr ? std::int64_t{1} : *now + 1;
      };
      const auto done = store.mutate("k", add_one, ratchet::retry{.attempts_max = 2});
      if (done.mutated == ratchet::mutated::applied)
        ++applied;
      else if (done.mutated == ratchet::mutated::contended)
        ++contended;
    }
  });
  EXPECT_EQ(applied + contended, std::int64_t{threads} * each);
  EXPECT_EQ(*store.get("k"), applied);
  EXPECT_GT(contended, 0) << "nobody ran out of attempts: this run proves nothing";
}

TYPED_TEST(pattern_races, F85_by_default_nobody_runs_out) {
  typename TestFixture::template store_of<std::int64_t> store;
  const std::uint32_t each = scaled(8'000);
  run_threads(16, [&](std::uint32_t) {
    for (std::uint32_t n = 0; n < each; ++n)
      ASSERT_TRUE(store.mutate("k", [](const std::int64_t* now) {
        return now == nullptr ? std::int64_t{1} : *now + 1;
      }));
  });
  EXPECT_EQ(*store.get("k"), 16 * std::int64_t{each});
}

TYPED_TEST(pattern_races, F90_exactly_as_many_debits_succeed_as_the_balance_covers) {
  typename TestFixture::template store_of<std::int64_t> store;
  ratchet::wallet money(store);
  using verdict = decltype(money.debit("k", 1).verdict);
  const std::uint32_t rounds = scaled(20) + 1;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::string key = std::to_string(round);
    ASSERT_TRUE(money.open(key, 4'000));
    std::atomic<std::uint32_t> done{0};
    std::atomic<std::uint32_t> refused{0};
    std::atomic<std::uint32_t> wrong{0};
    run_threads(8, [&](std::uint32_t) {
      for (int n = 0; n < 125; ++n) {
        const auto made = money.debit(key, 10);
        if (made.verdict == verdict::done)
          ++done;
        else if (made.verdict == verdict::insufficient)
          ++refused;
        if (made.balance_minor < 0) ++wrong;
      }
    });
    ASSERT_EQ(done, 400u);
    ASSERT_EQ(refused, 600u);
    ASSERT_EQ(wrong, 0u);
    ASSERT_EQ(money.balance(key).balance_minor, 0);
  }
}

}  // namespace
