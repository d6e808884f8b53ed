// Very many threads, threads that come and go, all of them growing one index.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reclaim/garbage.hpp"
#include "unit/threads.hpp"

namespace {

using ratchet::if_absent;
using ratchet::version;
using tests::counted;
using tests::run_threads;
using tests::scaled;

#if RATCHET_TSAN
constexpr std::uint32_t crowd = 256;
#else
constexpr std::uint32_t crowd = 1'024;
#endif

TEST(thread_races, F29_a_thousand_threads_replace_one_key) {
  constexpr std::uint64_t puts = 100;
  {
    ratchet::store<std::uint64_t, counted> boxed;
    ratchet::store<std::uint64_t, std::uint64_t> inlined;
    const version first_boxed = boxed.put(1, counted(0));
    const version first_inlined = inlined.put(1, 0);
    tests::garbage_watch watch;
    run_threads(crowd, [&](std::uint32_t me) {
      for (std::uint64_t n = 0; n < puts; ++n) {
        boxed.put(1, counted(me));
        inlined.put(1, me);
      }
      watch.look(boxed);
    });
    EXPECT_EQ(boxed.read(1).version().to_u64(), first_boxed.to_u64() + crowd * puts);
    EXPECT_EQ(inlined.read(1).version().to_u64(), first_inlined.to_u64() + crowd * puts);
    EXPECT_EQ(watch.above(), 0u) << "most waiting " << watch.waiting_most() << ", bound "
                                 << watch.bound_most();
    boxed.reclaim();
    EXPECT_EQ(counted::alive, 1);
  }
  EXPECT_EQ(counted::alive, 0);
}

// A record of a thread is reused when its thread has ended: the bound that counts them stays.
TEST(thread_races, threads_that_hold_nothing_leave_nothing) {
  ratchet::store<std::uint64_t, counted> store;
  const auto visit = [&](std::uint64_t n) {
    std::thread caller([&] {
      store.put(n % 8, counted(n));
      ASSERT_EQ(store.read(n % 8)->number(), n);
      if (n % 16 == 15) (void)store.erase(n % 8);
    });
    caller.join();
  };
  store.reclaim();  // from here on this thread has a record of its own
  for (std::uint64_t n = 0; n < 16; ++n) visit(n);
  const std::size_t bound = store.stats_now().waiting_objects_max;
  for (std::uint64_t n = 0; n < scaled(2'000); ++n) visit(n);
  EXPECT_EQ(store.stats_now().waiting_objects_max, bound) << "a record was not reused";
  store.reclaim();
  EXPECT_EQ(store.stats_now().waiting_objects, 0u);
  EXPECT_EQ(counted::alive, static_cast<std::int64_t>(store.size()));
}

// What `store` shows, against what was put last into it.
template <class Store>
void expect_census(const Store& store, std::uint64_t keys) {
  std::vector<std::uint32_t> shown(keys, 0);
  std::uint64_t wrong = 0;
  store.for_each([&](std::uint64_t key, const std::uint64_t& value, version) {
    if (key >= keys || value != key * 2 + 1)
      ++wrong;
    else
      ++shown[key];
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(std::count(shown.begin(), shown.end(), 1u), static_cast<std::ptrdiff_t>(keys));
  EXPECT_EQ(store.size(), keys);
}

TEST(thread_races, F21_F20_F19_all_grow_at_once_and_each_key_is_there_once) {
  constexpr std::uint32_t threads = 16;
  const std::uint64_t keys = scaled(60'000) / threads * threads;
  for (int round = 0; round < 3; ++round) {
    ratchet::store<std::uint64_t, std::uint64_t> store;
    std::atomic<std::uint64_t> wrong{0};
    run_threads(threads, [&](std::uint32_t me) {
      for (std::uint64_t n = 0; n < keys / threads; ++n) {
        const std::uint64_t key = n * threads + me;  // put, erased, put again: nobody else's
        store.put(key, key);
        const auto mine = store.read(key);
        if (!mine || *mine != key) ++wrong;
        const auto removed = store.erase(key);
        if (!removed || removed.version() != mine.version()) ++wrong;
        const auto again = store.put(key, key * 2 + 1, if_absent);
        if (!again || again.version() <= mine.version()) ++wrong;
        // F20: a neighbour's key is absent or whole.
        const std::uint64_t other = n * threads + (me + 1) % threads;
        const auto seen = store.read(other);
        if (seen && *seen != other && *seen != other * 2 + 1) ++wrong;
        if (seen && seen.version().to_u64() == 0) ++wrong;
      }
    });
    EXPECT_EQ(wrong, 0u);
    EXPECT_GT(store.stats_now().migrations, 4u) << "hardly grown: this run proves little";
    expect_census(store, keys);
  }
}

}  // namespace
