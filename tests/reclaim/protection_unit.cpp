// What a view protects, it protects; what nothing protects is freed.
// Of: native/hazard.hpp, native/collector.hpp
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reclaim/garbage.hpp"

namespace {

using ratchet::if_match;
using ratchet::view;
using tests::counted;

using boxes = ratchet::store<std::uint64_t, counted>;

TEST(protection, FL1_reclaim_frees_exactly_what_no_view_protects) {
  for (const std::uint64_t protected_key : {0u, 1u}) {
    for (const bool protected_first : {false, true}) {
      ASSERT_EQ(counted::alive, 0);
      boxes store;
      store.put(0, counted(10));
      store.put(1, counted(11));
      const auto held = store.read(protected_key);
      const std::uint64_t first = protected_first ? protected_key : 1 - protected_key;
      store.put(first, counted(20));
      store.put(1 - first, counted(21));
      if constexpr (!RATCHET_SMALL_LIMITS) {  // whose batches are as small
        EXPECT_EQ(counted::alive, 4);
        EXPECT_EQ(store.stats_now().waiting_objects, 2u);
      }
      store.reclaim();
      EXPECT_EQ(counted::alive, 3);
      EXPECT_EQ(store.stats_now().waiting_objects, 1u);
      EXPECT_EQ(held->number(), 10 + protected_key);
      store.reclaim();
      EXPECT_EQ(counted::alive, 3) << "what is protected is kept, however often it is asked for";
    }
  }
  EXPECT_EQ(counted::alive, 0);
}

TEST(protection, FL1_a_protected_value_among_many_is_the_one_that_stays) {
  constexpr std::uint64_t keys = 65;
  for (const std::uint64_t chosen : {0u, 1u, 31u, 32u, 63u, 64u}) {
    boxes store;
    for (std::uint64_t key = 0; key < keys; ++key) store.put(key, counted(key));
    {
      const auto held = store.read(chosen);
      for (std::uint64_t key = 0; key < keys; ++key) (void)store.erase(key);
      store.reclaim();
      EXPECT_EQ(counted::alive, 1);
      EXPECT_EQ(held->number(), chosen);
    }
    store.reclaim();
    EXPECT_EQ(counted::alive, 0);
  }
}

// A value whose end asks for a reclaim, from inside one.
struct asking {
  std::function<void()> ask;
  explicit asking(std::function<void()> what) : ask(std::move(what)) {}
  asking(asking&& other) noexcept : ask(std::exchange(other.ask, nullptr)) {}
  asking& operator=(asking&&) = delete;
  ~asking() {
    if (ask) ask();
  }
};

TEST(protection, a_reclaim_asked_for_inside_a_reclaim_returns) {
  int ended = 0;
  {
    ratchet::store<int, asking> store;
    for (int n = 0; n < 10; ++n)
      store.put(1, asking([&] {
                  ++ended;
                  store.reclaim();
                }));
    store.reclaim();
    EXPECT_EQ(ended, 9);
    EXPECT_EQ(store.stats_now().waiting_objects, 0u);
  }
  EXPECT_EQ(ended, 10);
}

struct page {
  std::uint64_t words[512] = {};
};

// Four times the bytes that may wait are held; only what comes on top counts.
TEST(protection, large_values_that_are_held_do_not_make_every_put_reclaim) {
  if constexpr (RATCHET_SMALL_LIMITS) return;  // there every put reclaims
  constexpr std::uint64_t held_max = 1'024;
  ratchet::store<std::uint64_t, page> store;
  std::vector<view<page>> held;
  for (std::uint64_t key = 0; key < held_max; ++key) {
    store.put(key, page{});
    held.push_back(store.read(key));
    store.put(key, page{});
  }
  std::size_t most = 0;
  for (int n = 0; n < 512; ++n) {
    store.put(0, page{});
    most = std::max(most, store.stats_now().waiting_objects);
  }
  EXPECT_GT(most, held_max + 128) << "values were reclaimed one by one";
  EXPECT_LE(most, held_max + 512);
  held.clear();
  store.reclaim();
  EXPECT_EQ(store.stats_now().waiting_objects, 0u);
}

TEST(protection, F38_one_thread_may_hold_any_number_of_views) {
  constexpr std::uint64_t keys = 5'000;
  {
    boxes store;
    for (std::uint64_t key = 0; key < keys; ++key) store.put(key, counted(key));
    std::vector<view<counted>> held;
    for (std::uint64_t key = 0; key < keys; ++key) held.push_back(store.read(key));
    for (std::uint64_t key = 0; key < keys; ++key) store.put(key, counted(key + keys));
    store.reclaim();
    const ratchet::stats now = store.stats_now();
    EXPECT_EQ(now.waiting_objects, keys);
    EXPECT_LE(now.waiting_objects, now.waiting_objects_max)
        << "clause M counts each block of views";
    EXPECT_EQ(counted::alive, static_cast<std::int64_t>(2 * keys));
    for (std::uint64_t key = 0; key < keys; ++key) ASSERT_EQ(held[key]->number(), key);
    for (std::uint64_t key = 0; key < keys; key += 2) held[key] = view<counted>();
    store.reclaim();
    EXPECT_EQ(counted::alive, static_cast<std::int64_t>(keys + keys / 2));
    for (std::uint64_t key = 1; key < keys; key += 2) ASSERT_EQ(held[key]->number(), key);
    held.clear();
    store.reclaim();
    EXPECT_EQ(counted::alive, static_cast<std::int64_t>(keys));
  }
  EXPECT_EQ(counted::alive, 0);
}

// Moving it into its box writes to its key: so the compare-and-swap that follows is lost, always.
class rival {
 public:
  explicit rival(std::uint64_t number) : inside(number) {}
  rival(rival&& other) noexcept : inside(std::move(other.inside)) {
    if (on_move == nullptr) return;
    auto* const act = std::exchange(on_move, nullptr);
    act();
  }
  counted inside;
  inline static void (*on_move)() = nullptr;
};
ratchet::store<std::uint64_t, rival>* contested = nullptr;

TEST(protection, F46_lost_compare_and_swaps_leak_no_value) {
  constexpr std::uint64_t keys = 3;
  const std::uint64_t losses = 100'000;
  {
    ratchet::store<std::uint64_t, rival> store;
    contested = &store;
    for (std::uint64_t key = 0; key < keys; ++key) store.put(key, rival(key));
    std::uint64_t lost = 0;
    for (std::uint64_t n = 0; n < losses; ++n) {
      const auto at = store.read(0).version();
      rival::on_move = [] { contested->put(0, rival(1)); };
      const auto result = store.put(0, rival(n + 100), if_match{at});
      lost += result.outcome() == ratchet::outcome::conflict ? 1u : 0u;
      ASSERT_EQ(rival::on_move, nullptr) << "the value was boxed before its version was looked at";
      ASSERT_EQ(result.current()->inside.number(), 1u);
    }
    EXPECT_EQ(lost, losses);
    store.reclaim();
    EXPECT_EQ(counted::alive, static_cast<std::int64_t>(keys));
  }
  EXPECT_EQ(counted::alive, 0);
}

}  // namespace
