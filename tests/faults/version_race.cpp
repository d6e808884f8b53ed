// One key, many writers: versions come once and in order, conflicts show what is there, and pairs
// are never torn.
#include <algorithm>
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
class version_races : public ::testing::Test {
 protected:
  template <class V>
  using store_of = typename Kind::template store<std::string, V>;
};
TYPED_TEST_SUITE(version_races, tests::all_kinds, tests::kind_names);

template <class V, class Store>
void put_from_all_sides(Store& store) {
  const std::uint32_t threads = 4;
  const std::uint32_t puts = scaled(100'000) / threads;
  std::vector<std::vector<std::uint64_t>> made(threads);
  run_threads(threads, [&](std::uint32_t me) {
    made[me].reserve(puts);
    for (std::uint32_t n = 0; n < puts; ++n)
      made[me].push_back(store.put("k", tests::sample<V>::of(n)).to_u64());
  });
  std::vector<std::uint64_t> all;
  for (const auto& one : made) {
    EXPECT_TRUE(std::is_sorted(one.begin(), one.end())) << "a caller saw the version go back";
    all.insert(all.end(), one.begin(), one.end());
  }
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), std::size_t{threads} * puts);
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_EQ(all[i], all[i - 1] + 1);
  EXPECT_EQ(store.get("k").version().to_u64(), all.back());
}

TYPED_TEST(version_races, F01_each_version_is_made_once_and_by_one) {
  typename TestFixture::template store_of<std::int64_t> inlined;
  put_from_all_sides<std::int64_t>(inlined);
  typename TestFixture::template store_of<std::string> boxed;
  put_from_all_sides<std::string>(boxed);
}

// Reads the key and writes it conditionally, again and again; what every conflict shows is checked.
template <class V, class Store>
void conflict_from_all_sides(Store& store) {
  const std::uint32_t threads = 4;
  const std::uint32_t tries = scaled(40'000);
  store.put("k", tests::sample<V>::of(0));
  std::atomic<std::uint64_t> commits{0};
  std::atomic<std::uint64_t> conflicts{0};
  std::atomic<std::uint64_t> wrong{0};
  const version first = store.read("k").version();
  run_threads(threads, [&](std::uint32_t me) {
    for (std::uint32_t n = 1; n <= tries; ++n) {
      const auto seen = store.read("k");
      let_others_in(n);
      const auto mine = tests::sample<V>::of(me * tries + n);
      auto result = store.put("k", mine, if_match{seen.version()});
      if (result) {
        ++commits;
        if (result.version().to_u64() != seen.version().to_u64() + 1) ++wrong;
      } else {
        ++conflicts;
        // Somebody committed after our read, so what won is newer; and the value came back whole.
        const bool newer = result.version() > seen.version() && result.current() &&
                           result.current().version() == result.version();
        const auto back = tests::number_of(result.rejected());
        if (!newer || back != me * tries + n) ++wrong;
      }
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(commits, 0u);
  EXPECT_GT(conflicts, 0u) << "nothing was contended: this run proves nothing";
  EXPECT_EQ(store.read("k").version().to_u64(), first.to_u64() + commits);
}

TYPED_TEST(version_races, F05_a_conflict_shows_a_newer_version_and_gives_the_value_back) {
  typename TestFixture::template store_of<std::int64_t> inlined;
  conflict_from_all_sides<std::int64_t>(inlined);
  typename TestFixture::template store_of<std::string> boxed;
  conflict_from_all_sides<std::string>(boxed);
}

TYPED_TEST(version_races, F10_no_increment_is_lost) {
  typename TestFixture::template store_of<std::int64_t> store;
  const std::uint32_t each = scaled(100'000);
  std::atomic<std::uint64_t> conflicts{0};
  run_threads(2, [&](std::uint32_t) {
    std::uint64_t mine = 0;
    for (std::uint32_t n = 0; n < each; ++n) {
      const auto done = store.mutate("k", [n](const std::int64_t* now) {
        let_others_in(n);
        return now == nullptr ? std::int64_t{1} : *now + 1;
      });
      mine += done.attempts - 1;
      ASSERT_TRUE(done);
    }
    conflicts += mine;
  });
  EXPECT_EQ(*store.get("k"), 2 * std::int64_t{each});
  EXPECT_GT(conflicts, 0u) << "nothing was contended: this run proves nothing";
}

TYPED_TEST(version_races, F11_a_running_maximum_is_the_true_one) {
  typename TestFixture::template store_of<std::uint64_t> store;
  const std::uint32_t each = scaled(20'000);
  std::vector<std::uint64_t> largest(8);
  run_threads(8, [&](std::uint32_t me) {
    auto numbers = tests::random_numbers(me);
    for (std::uint32_t n = 0; n < each; ++n) {
      const std::uint64_t mine = numbers();
      largest[me] = std::max(largest[me], mine);
      using decided = ratchet::decision<std::uint64_t>;
      (void)store.mutate("k", [mine](const std::uint64_t* now) {
        return now != nullptr && *now >= mine ? decided::keep() : decided::put(mine);
      });
    }
  });
  EXPECT_EQ(*store.get("k"), *std::max_element(largest.begin(), largest.end()));
}

// A pair whose halves belong together: in the slot, and in a box.
struct halves {
  std::uint32_t n;
  std::uint32_t of_n;
};
struct octet {
  std::uint64_t words[8];
};
constexpr std::uint32_t f(std::uint32_t n) { return n * 2'654'435'761u ^ 0x5bd1e995u; }
halves make(const halves*, std::uint32_t n) { return {n, f(n)}; }
octet make(const octet*, std::uint32_t n) {
  octet made{};
  for (std::uint32_t i = 0; i < 8; ++i) made.words[i] = f(n + i) + (std::uint64_t{n} << 32);
  return made;
}
bool whole(const halves& seen) { return seen.of_n == f(seen.n); }
bool whole(const octet& seen) {
  const auto n = static_cast<std::uint32_t>((seen.words[0] - f(0)) >> 32);
  for (std::uint32_t near = n < 2 ? 0 : n - 2; near <= n + 2; ++near) {
    const octet expected = make(&seen, near);
    if (std::equal(std::begin(expected.words), std::end(expected.words), std::begin(seen.words)))
      return true;
  }
  return false;
}

template <class V, class Store>
void read_while_written(Store& store) {
  const std::uint32_t puts = scaled(200'000);
  const V* const tag = nullptr;
  const std::uint64_t base = store.put("k", make(tag, 0)).to_u64();
  std::atomic<bool> done{false};
  std::atomic<std::uint64_t> torn{0};
  std::atomic<std::uint64_t> changes{0};
  run_threads(3, [&](std::uint32_t me) {
    if (me == 0) {
      for (std::uint32_t n = 1; n <= puts; ++n) {
        store.put("k", make(tag, n));
        let_others_in(n / 16);
      }
      done = true;
      return;
    }
    version last;
    do {
      const auto seen = store.read("k");
      if (!seen || !whole(*seen) || seen.version() < last) ++torn;
      // Value and version are one observation: the n-th put made version base + n.
      const auto n = static_cast<std::uint32_t>(seen.version().to_u64() - base);
      const V expected = make(tag, n);
      if (std::memcmp(&expected, seen.get(), sizeof(V)) != 0) ++torn;
      if (seen.version() != last) ++changes;
      last = seen.version();
    } while (!done);
  });
  EXPECT_EQ(torn, 0u);
  EXPECT_GT(changes, 2u) << "the readers never met a write: this run proves nothing";
}

TYPED_TEST(version_races, F53_readers_never_see_half_a_write) {
  typename TestFixture::template store_of<halves> inlined;
  read_while_written<halves>(inlined);
  typename TestFixture::template store_of<octet> boxed;
  read_while_written<octet>(boxed);
}

TYPED_TEST(version_races, F74_of_two_equal_writes_on_one_version_one_commits) {
  typename TestFixture::template store_of<std::int64_t> store;
  const std::uint32_t rounds = scaled(8'000);
  std::vector<std::uint32_t> commits(2);
  store.put("k", 7);
  std::vector<std::atomic<std::uint32_t>> won(rounds);
  std::atomic<std::uint64_t> conflicts{0};
  const std::uint64_t base = store.get("k").version().to_u64();
  run_threads(2, [&](std::uint32_t) {
    // Both try each version in turn with the value that is already there.
    for (std::uint32_t n = 0; n < rounds; ++n) {
      const auto at = version::from_u64(base + n);
      if (store.put("k", 7, if_match{at}))
        ++won[n];
      else
        ++conflicts;
    }
  });
  for (std::uint32_t n = 0; n < rounds; ++n) ASSERT_EQ(won[n], 1u) << "version " << base + n;
  EXPECT_EQ(conflicts, rounds);
}

TYPED_TEST(version_races, F03_tokens_of_earlier_lives_never_match_under_races) {
  typename TestFixture::template store_of<std::string> store;
  const std::uint32_t lives = scaled(20'000);
  std::atomic<bool> done{false};
  std::atomic<std::uint64_t> wrong{0};
  const version token = store.put("k", "first life");
  (void)store.erase("k");
  run_threads(3, [&](std::uint32_t me) {
    if (me == 0) {
      version last = token;
      for (std::uint32_t n = 0; n < lives; ++n) {
        const version made = store.put("k", "a later life");
        if (made <= last) ++wrong;
        last = made;
        (void)store.erase("k");
        // Other keys come and go, so that erased records are dropped meanwhile.
        store.put(std::to_string(n % 64), "other");
        if (n % 2 == 0) (void)store.erase(std::to_string((n / 2) % 64));
      }
      done = true;
      return;
    }
    do {
      if (store.put("k", "stale", if_match{token})) ++wrong;
      if (store.erase("k", if_match{token})) ++wrong;
      const auto seen = store.read("k");
      if (seen && *seen != "a later life") ++wrong;
    } while (!done);
  });
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
