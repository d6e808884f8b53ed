// Views held by many threads, moved between threads, kept while their thread ends.
#include <gtest/gtest.h>

#include <latch>
#include <string>
#include <utility>
#include <vector>

#include "reclaim/garbage.hpp"
#include "unit/threads.hpp"

namespace {

using ratchet::if_match;
using ratchet::view;
using tests::counted;
using tests::let_others_in;
using tests::run_threads;
using tests::scaled;

using boxes = ratchet::store<std::uint64_t, counted>;

TEST(view_races, FL2_a_thousand_threads_each_hold_a_view) {
  constexpr std::uint32_t threads = 1'000;
  {
    boxes store;
    for (std::uint64_t key = 0; key < threads; ++key) store.put(key, counted(key));
    std::atomic<std::uint32_t> wrong{0};
    std::latch all_hold(threads + 1);
    std::latch replaced(1);
    std::vector<std::thread> holders;
    for (std::uint32_t me = 0; me < threads; ++me)
      holders.emplace_back([&, me] {
        const auto mine = store.read(me);
        all_hold.arrive_and_wait();
        replaced.wait();
        if (mine->number() != me) ++wrong;
      });
    all_hold.arrive_and_wait();
    for (std::uint64_t key = 0; key < threads; ++key) store.put(key, counted(key + threads));
    store.reclaim();
    const ratchet::stats now = store.stats_now();
    EXPECT_EQ(now.waiting_objects, threads);
    EXPECT_LE(now.waiting_objects, now.waiting_objects_max);
    EXPECT_EQ(counted::alive, 2 * threads);
    replaced.count_down();
    for (auto& holder : holders) holder.join();
    EXPECT_EQ(wrong, 0u);
    store.reclaim();
    EXPECT_EQ(counted::alive, threads);
  }
  EXPECT_EQ(counted::alive, 0);
}

TEST(view_races, a_view_may_change_thread_and_end_there) {
  {
    boxes store;
    const std::uint32_t rounds = scaled(4'000);
    store.put(1, counted(0));
    std::vector<view<counted>> handed(64);
    std::vector<std::atomic<std::uint32_t>> full(handed.size());
    std::atomic<bool> wrong{false};
    run_threads(3, [&](std::uint32_t me) {
      for (std::uint32_t n = 0; n < rounds; ++n) {
        auto& cell = full[n % handed.size()];
        if (me == 0) {  // reads, and hands on
          while (cell != 0) std::this_thread::yield();
          handed[n % handed.size()] = store.read(1);
          cell = 1;
        } else if (me == 1) {  // looks, and ends what it was handed
          while (cell != 1) std::this_thread::yield();
          view<counted> mine = std::move(handed[n % handed.size()]);
          cell = 0;
          let_others_in(n);
          if (mine->number() > rounds) wrong = true;
        } else {
          store.put(1, counted(n));
          if (n % 64 == 0) store.reclaim();
        }
      }
    });
    EXPECT_FALSE(wrong);
    store.reclaim();
    EXPECT_EQ(counted::alive, 1);
  }
  EXPECT_EQ(counted::alive, 0);
}

// The dead thread's record is reused by the next thread, and the view still protects its value.
TEST(view_races, a_view_outlives_the_thread_that_read_it) {
  constexpr std::uint64_t keys = 40;
  {
    boxes store;
    std::vector<view<counted>> kept(keys);
    for (std::uint64_t key = 0; key < keys; ++key) store.put(key, counted(key));
    for (std::uint64_t key = 0; key < keys; ++key) {
      std::thread reader([&] { kept[key] = store.read(key); });
      reader.join();
      std::thread writer([&] {
        store.put(key, counted(key + keys));
        for (int n = 0; n < 10; ++n) ASSERT_EQ(store.read(key)->number(), key + keys);
        store.reclaim();
      });
      writer.join();
    }
    EXPECT_EQ(counted::alive, static_cast<std::int64_t>(2 * keys));
    for (std::uint64_t key = 0; key < keys; ++key) ASSERT_EQ(kept[key]->number(), key);
    std::thread last([&] {
      kept.clear();
      store.reclaim();
    });
    last.join();
    EXPECT_EQ(counted::alive, static_cast<std::int64_t>(keys));
  }
  EXPECT_EQ(counted::alive, 0);
}

TEST(view_races, F46_conflicts_between_threads_leak_no_value) {
  constexpr std::uint64_t keys = 2;
  const std::uint32_t tries = scaled(100'000);
  {
    boxes store;
    for (std::uint64_t key = 0; key < keys; ++key) store.put(key, counted(0));
    std::atomic<std::uint64_t> committed{0};
    std::atomic<std::uint64_t> conflicts{0};
    run_threads(4, [&](std::uint32_t me) {
      for (std::uint32_t n = 0; n < tries; ++n) {
        const std::uint64_t key = (n + me) % keys;
        const auto at = store.read(key).version();
        if (n % 4 == 0) std::this_thread::yield();
        ++(store.put(key, counted(n), if_match{at}) ? committed : conflicts);
      }
    });
    EXPECT_EQ(committed + conflicts, 4u * tries);
    EXPECT_GT(conflicts, 100u) << "hardly contended: this run proves little";
    store.reclaim();
    EXPECT_EQ(counted::alive, static_cast<std::int64_t>(keys));
  }
  EXPECT_EQ(counted::alive, 0);
}

}  // namespace
