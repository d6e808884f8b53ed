// Garbage is bounded, whatever a stopped reader holds and whoever makes it (clause M).
#include <gtest/gtest.h>

#include <latch>
#include <string>
#include <utility>
#include <vector>

#include "reclaim/garbage.hpp"
#include "unit/threads.hpp"

namespace {

using tests::counted;
using tests::garbage_watch;
using tests::run_threads;
using tests::scaled;

constexpr std::uint32_t writers = 3;

// A reclaimer has taken at most what may wait, and disposes of it outside its turn: so each writer
// may have as much again in hand.
std::uint64_t alive_max(std::uint64_t waiting_max) { return waiting_max * (1 + writers) + 16; }

// One million, or what RATCHET_REPLACEMENTS says; on many CPUs, whose bound is high, so many that a
// bound can be told from none.
template <class Store>
std::uint64_t replacements(const Store& store) {
  const char* given = std::getenv("RATCHET_REPLACEMENTS");
  const std::uint64_t wanted =
      given != nullptr ? std::strtoull(given, nullptr, 10) : scaled(1'000'000);
  return std::max(wanted, 8 * alive_max(store.stats_now().waiting_objects_max));
}

// Writers replace one key's value `all` times, looking at the store now and then.
template <class Store, class Put>
void replace_all(Store& store, garbage_watch& watch, std::uint64_t all, Put put) {
  run_threads(writers, [&](std::uint32_t me) {
    for (std::uint64_t n = me; n < all; n += writers) {
      put(store, n);
      if (n % 512 < writers) watch.look(store);
    }
  });
}

void expect_bounded(const garbage_watch& watch, std::uint64_t all) {
  EXPECT_EQ(watch.above(), 0u) << "of " << watch.looks() << " looks; most waiting "
                               << watch.waiting_most() << ", bound " << watch.bound_most();
  EXPECT_LE(watch.alive_most(), alive_max(watch.bound_most()));
  EXPECT_LT(2 * watch.alive_most(), all) << "too few replacements to tell a bound from none";
}

TEST(garbage_races, F35_a_view_that_is_held_keeps_one_value_back) {
  ASSERT_EQ(counted::alive, 0);
  {
    ratchet::store<std::string, counted> store;
    const std::uint64_t all = replacements(store);
    store.put("hot", counted(7));
    const auto held = store.read("hot");
    garbage_watch watch;
    const auto put = [](auto& to, std::uint64_t n) { to.put("hot", counted(n)); };
    replace_all(store, watch, all / 10, put);
    const std::uint64_t settled_bytes = tests::resident_bytes();
    replace_all(store, watch, all, put);
    const std::uint64_t grown_bytes =
        std::max(tests::resident_bytes(), settled_bytes) - settled_bytes;
    EXPECT_LT(grown_bytes, 8u << 20) << "resident memory is not flat";
    EXPECT_EQ(held->number(), 7u);
    expect_bounded(watch, all);
    store.reclaim();
    EXPECT_LE(counted::alive, 2);  // the held one and the present one
  }
  EXPECT_EQ(counted::alive, 0);
}

// Readers stop inside the store's own guard: their equality waits while table and record are
// protected.
struct stopping_options : ratchet::options {
  inline static std::latch* stopped = nullptr;
  inline static std::latch* go_on = nullptr;
  inline static thread_local bool stops = false;
  struct key_equal {
    bool operator()(std::uint64_t a, std::uint64_t b) const {
      if (std::exchange(stops, false)) {
        stopped->count_down();
        go_on->wait();
      }
      return a == b;
    }
  };
};

TEST(garbage_races, F35_readers_that_stop_inside_a_guard_keep_little_back) {
  constexpr std::uint32_t readers = 8;
  std::latch stopped(readers);
  std::latch go_on(1);
  stopping_options::stopped = &stopped;
  stopping_options::go_on = &go_on;
  {
    ratchet::store<std::uint64_t, counted, stopping_options> store;
    const std::uint64_t all = replacements(store);
    store.put(1, counted(7));
    std::atomic<std::uint32_t> right{0};
    std::vector<std::thread> slow;
    for (std::uint32_t i = 0; i < readers; ++i)
      slow.emplace_back([&] {
        stopping_options::stops = true;
        if (store.read(1)) ++right;
      });
    stopped.wait();
    garbage_watch watch;
    // Keys come and go too, so that tables and records are left while their readers stand.
    const auto put = [](auto& to, std::uint64_t n) {
      to.put(1, counted(n));
      if (n % 8 == 0) to.put(2 + n, counted(n));
      if (n % 8 == 0) (void)to.erase(2 + n);
    };
    replace_all(store, watch, all / 10, put);
    const std::uint64_t settled_bytes = tests::resident_bytes();
    replace_all(store, watch, all, put);
    const std::uint64_t now_bytes = std::max(tests::resident_bytes(), settled_bytes);
    EXPECT_LT(now_bytes - settled_bytes, 8u << 20) << "resident memory is not flat";
    EXPECT_GT(store.stats_now().migrations, 2u);
    expect_bounded(watch, all);
    go_on.count_down();
    for (auto& one : slow) one.join();
    EXPECT_EQ(right, readers);
  }
  EXPECT_EQ(counted::alive, 0);
}

// A caller stops inside the function it gave to mutate, and so inside a read of the value.
TEST(garbage_races, F35_a_caller_that_stops_inside_mutate_keeps_one_value_back) {
  {
    ratchet::store<std::string, counted> store;
    const std::uint64_t all = replacements(store);
    store.put("hot", counted(7));
    std::latch stopped(1);
    std::latch go_on(1);
    std::uint32_t calls = 0;
    std::thread slow([&] {
      const auto result = ratchet::mutate<false>(store, "hot", [&](const counted* seen) {
        if (calls++ == 0) {
          stopped.count_down();
          go_on.wait();
        }
        return counted(seen->number() + 1);
      });
      EXPECT_TRUE(result);
    });
    stopped.wait();
    garbage_watch watch;
    replace_all(store, watch, all, [](auto& to, std::uint64_t n) { to.put("hot", counted(n)); });
    go_on.count_down();
    slow.join();
    EXPECT_GT(calls, 1u) << "its first attempt must have lost";
    expect_bounded(watch, all);
  }
  EXPECT_EQ(counted::alive, 0);
}

TEST(garbage_races, F35_replacements_by_handle_are_bounded_too) {
  {
    ratchet::store<std::string, counted> store;
    const std::uint64_t all = replacements(store);
    store.put("hot", counted(7));
    const auto held = store.read("hot");
    garbage_watch watch;
    run_threads(writers, [&](std::uint32_t me) {
      auto hot = store.at("hot");
      for (std::uint64_t n = me; n < all; n += writers) {
        hot.put(counted(n));
        if (n % 512 < writers) watch.look(store);
      }
    });
    EXPECT_EQ(held->number(), 7u);
    expect_bounded(watch, all);
  }
  EXPECT_EQ(counted::alive, 0);
}

// Handles to keys that were never created: each makes a record, and growth drops it again.
TEST(garbage_races, F35_handles_that_come_and_go_leave_bounded_garbage) {
  ratchet::store<std::uint64_t, std::uint64_t> store;
  garbage_watch watch;
  const std::uint64_t all = scaled(200'000);
  for (std::uint64_t key = 0; key < all; ++key) {
    (void)store.at(key);
    if (key % 64 == 0) watch.look(store);
  }
  EXPECT_EQ(watch.above(), 0u) << "most waiting " << watch.waiting_most() << ", bound "
                               << watch.bound_most();
  EXPECT_LT(store.stats_now().records, 4'096u);
}

}  // namespace
