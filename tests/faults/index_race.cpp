// Many keys, many callers: each key once, none lost over growth, none seen half made.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "unit/stores.hpp"
#include "unit/threads.hpp"

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::version;
using tests::let_others_in;
using tests::run_threads;
using tests::scaled;

template <class Kind>
class index_races : public ::testing::Test {
 protected:
  template <class V>
  using store_of = typename Kind::template store<std::uint64_t, V>;
};
TYPED_TEST_SUITE(index_races, tests::all_kinds, tests::kind_names);

// All threads create the same fresh keys, each meeting the others at the same key.
template <class V, class Store>
void create_together(Store& store, std::uint32_t threads, std::uint32_t keys) {
  std::vector<std::atomic<std::uint32_t>> won(keys);
  std::atomic<std::uint64_t> lost{0};
  std::atomic<std::uint64_t> wrong{0};
  run_threads(threads, [&](std::uint32_t me) {
    for (std::uint32_t n = 0; n < keys; ++n) {
      auto result = store.put(n, tests::sample<V>::of(n * 16 + me), if_absent);
      if (result) {
        ++won[n];
      } else {
        ++lost;
        // F20: what is there is whole, and so is what a get sees at once.
        const auto shown = tests::number_of(result.current());
        if (!shown || *shown / 16 != n || result.version() == version()) ++wrong;
      }
      const auto seen = store.read(n);
      const auto number = tests::number_of(seen);
      if (!number || *number / 16 != n || seen.version().to_u64() < 1) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0u);
  for (std::uint32_t n = 0; n < keys; ++n) ASSERT_EQ(won[n], 1u) << "key " << n;
  EXPECT_EQ(lost, std::uint64_t{threads - 1} * keys);
  ASSERT_EQ(store.size(), keys);
  for (std::uint32_t n = 0; n < keys; ++n) {
    ASSERT_TRUE(store.erase(n)) << n;
    ASSERT_FALSE(store.read(n)) << n;
  }
  EXPECT_EQ(store.size(), 0u);
  store.for_each([](std::uint64_t, const V&, version) { ADD_FAILURE(); });
}

TYPED_TEST(index_races, F16_F20_a_key_is_created_once_and_whole) {
  for (const std::uint32_t threads : {2u, 8u}) {
    typename TestFixture::template store_of<std::uint64_t> inlined;
    create_together<std::uint64_t>(inlined, threads, scaled(20'000));
    typename TestFixture::template store_of<std::string> boxed;
    create_together<std::string>(boxed, threads, scaled(10'000));
  }
}

TYPED_TEST(index_races, F16_creations_and_erasures_of_one_key_take_turns) {
  typename TestFixture::template store_of<std::uint64_t> store;
  const std::uint32_t tries = scaled(40'000);
  std::atomic<std::int64_t> balance{0};
  std::atomic<std::uint64_t> refused{0};
  run_threads(4, [&](std::uint32_t me) {
    for (std::uint32_t n = 0; n < tries; ++n) {
      const std::uint64_t key = n / 8 % 4;
      let_others_in(n);
      if (me % 2 == 0) {
        if (store.put(key, n, if_absent))
          ++balance;
        else
          ++refused;
      } else if (store.erase(key)) {
        --balance;
      }
    }
  });
  std::int64_t present = 0;
  for (std::uint64_t key = 0; key < 4; ++key) present += store.read(key) ? 1 : 0;
  EXPECT_EQ(balance, present);
  EXPECT_EQ(store.size(), static_cast<std::size_t>(present));
  EXPECT_GT(refused, 0u) << "nothing was contended: this run proves nothing";
}

TYPED_TEST(index_races, F17_a_key_that_is_always_there_is_always_found) {
  typename TestFixture::template store_of<std::string> store;
  const std::uint32_t puts = scaled(100'000);
  store.put(7, "0");
  std::atomic<bool> done{false};
  std::atomic<std::uint64_t> absent{0};
  std::atomic<std::uint64_t> reads{0};
  run_threads(4, [&](std::uint32_t me) {
    if (me == 0) {
      for (std::uint32_t n = 0; n < puts; ++n) store.put(7, std::to_string(n));
      done = true;
      return;
    }
    if (me == 1) {
      // The table grows and drops erased records all the while.
      for (std::uint64_t n = 1'000; !done; ++n) {
        store.put(n, "other");
        if (n % 500 > 250) (void)store.erase(n - 100);
      }
      return;
    }
    std::uint64_t mine = 0;
    do {
      if (!store.read(7)) ++absent;
      ++mine;
    } while (!done);
    reads += mine;
  });
  EXPECT_EQ(absent, 0u) << "of " << reads << " reads";
}

TYPED_TEST(index_races, F19_F87_growth_loses_no_write_and_takes_no_version_back) {
  typename TestFixture::template store_of<std::uint64_t> store;
  const std::uint32_t threads = 8;
  const std::uint32_t keys = scaled(6'000);
  std::atomic<std::uint64_t> wrong{0};
  run_threads(threads, [&](std::uint32_t me) {
    std::vector<version> last(keys);
    for (std::uint32_t round = 0; round < 3; ++round) {
      for (std::uint32_t n = 0; n < keys; ++n) {
        const std::uint64_t key = std::uint64_t{n} * threads + me;  // nobody else's
        const version put = store.put(key, round * 100 + 1);
        if (put <= last[n]) ++wrong;
        if (!store.erase(key)) ++wrong;
        if (store.read(key)) ++wrong;
        const auto again = store.put(key, round * 100 + 2, if_absent);
        if (!again || again.version() <= put) ++wrong;
        last[n] = again.version();
        if (n % 4 == 0 && !store.put(key, round * 100 + 3, if_match{last[n]})) ++wrong;
        const auto seen = store.read(key);
        if (!seen || *seen != round * 100 + (n % 4 == 0 ? 3u : 2u)) ++wrong;
        last[n] = seen.version();
      }
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(store.size(), std::size_t{threads} * keys);
  for (std::uint32_t n = 0; n < keys * threads; ++n) {
    const auto seen = store.read(n);
    ASSERT_TRUE(seen) << n;
    ASSERT_EQ(*seen, n / threads % 4 == 0 ? 203u : 202u) << n;
  }
}

TYPED_TEST(index_races, F21_growth_forced_by_all_at_once_keeps_each_key_once) {
  for (std::uint32_t round = 0; round < scaled(40) + 1; ++round) {
    typename TestFixture::template store_of<std::uint64_t> store;
    const std::uint32_t threads = 4;
    const std::uint32_t keys = 300;
    run_threads(threads, [&](std::uint32_t me) {
      for (std::uint32_t n = 0; n < keys; ++n) store.put(n * threads + me, n);
    });
    std::vector<std::uint64_t> shown;
    store.for_each([&](std::uint64_t key, std::uint64_t, version) { shown.push_back(key); });
    std::sort(shown.begin(), shown.end());
    ASSERT_EQ(shown.size(), std::size_t{threads} * keys);
    for (std::size_t i = 0; i < shown.size(); ++i) ASSERT_EQ(shown[i], i);
    ASSERT_EQ(store.size(), shown.size());
  }
}

TYPED_TEST(index_races, for_each_shows_what_stays_once_and_nothing_twice) {
  typename TestFixture::template store_of<std::uint64_t> store;
  const std::uint64_t stay = 500;
  for (std::uint64_t key = 0; key < stay; ++key) store.put(key, key);
  std::atomic<bool> done{false};
  run_threads(3, [&](std::uint32_t me) {
    if (me == 0) {
      for (std::uint32_t walk = 0; walk < scaled(120); ++walk) {
        std::vector<std::uint64_t> shown;
        store.for_each([&](std::uint64_t key, std::uint64_t, version) { shown.push_back(key); });
        std::sort(shown.begin(), shown.end());
        EXPECT_EQ(std::adjacent_find(shown.begin(), shown.end()), shown.end());
        ASSERT_GE(shown.size(), stay);
        for (std::uint64_t key = 0; key < stay; ++key) ASSERT_EQ(shown[key], key);
      }
      done = true;
      return;
    }
    for (std::uint64_t n = 0; !done; ++n) {
      const std::uint64_t key = 1'000 * me + n % 700 + stay;
      store.put(key, n);
      if (n % 700 > 350) (void)store.erase(key - 200);
    }
  });
  done = true;
}

TYPED_TEST(index_races, keys_max_holds_against_all_callers) {
  ratchet::config wanted;
  wanted.keys_max = 20;
  typename TestFixture::template store_of<std::uint64_t> store(wanted);
  std::atomic<std::int64_t> balance{0};
  std::atomic<std::int64_t> most{0};
  std::atomic<std::uint64_t> refused{0};
  run_threads(4, [&](std::uint32_t me) {
    for (std::uint32_t n = 0; n < scaled(20'000); ++n) {
      const std::uint64_t key = me * 100 + n % 25;
      try {
        if (store.put(key, n, if_absent)) {
          // Counted after the commit and before the erase, so never above what was present.
          const auto now = ++balance;
          if (now > most) most = now;
        }
      } catch (const ratchet::limit_error& error) {
        ++refused;
        if (error.which() != ratchet::limit::keys) ADD_FAILURE() << error.what();
      }
      const std::uint64_t other = me * 100 + (n * 7) % 25;
      if (store.read(other)) {
        --balance;
        if (!store.erase(other)) ADD_FAILURE() << "only this thread erases key " << other;
      }
    }
  });
  EXPECT_LE(most, 20);
  EXPECT_LE(store.size(), 20u);
  EXPECT_EQ(store.size(), static_cast<std::size_t>(balance));
  EXPECT_GT(refused, 0u) << "the limit was never met: this run proves nothing";
}

}  // namespace
