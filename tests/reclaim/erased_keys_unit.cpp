// Erased keys, colliding keys and pinned records: what they cost is bounded.
// Of: native/migration.hpp
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reclaim/garbage.hpp"
#include "unit/threads.hpp"

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::version;
using tests::scaled;

using numbers = ratchet::store<std::uint64_t, std::uint64_t>;

TEST(erased_keys, F23_many_times_more_keys_than_fit_come_and_go) {
  ratchet::config wanted;
  wanted.reserve = 1'000;
  numbers store(wanted);
  const ratchet::stats empty = store.stats_now();
  const std::uint64_t capacity = empty.index_words;
  const std::uint64_t all = scaled(100) * capacity;
  std::size_t records_most = 0;
  std::size_t words_most = 0;
  std::size_t bytes_most = 0;
  for (std::uint64_t key = 0; key < all; ++key) {
    ASSERT_TRUE(store.put(key, key, if_absent));
    ASSERT_TRUE(store.erase(key));
    if (key % 64 != 0) continue;
    const ratchet::stats now = store.stats_now();
    ASSERT_LE(now.waiting_objects, now.waiting_objects_max);
    records_most = std::max(records_most, now.records);
    words_most = std::max(words_most, now.index_words);
    bytes_most = std::max(bytes_most, now.record_bytes);
    ASSERT_FALSE(store.get(key)) << "erased";
    ASSERT_FALSE(store.get(all + key)) << "never there";
  }
  const ratchet::stats end = store.stats_now();
  EXPECT_GT(end.migrations, 1u) << "nothing was dropped: this run proves nothing";
  EXPECT_LE(words_most, capacity);
  EXPECT_LE(records_most, capacity);
  // A dropped record is used again: no more of them than the table leads to and than may wait.
  EXPECT_LE(bytes_most / 64, 2 * (capacity + end.waiting_objects_max));
  EXPECT_EQ(end.keys, 0u);
  // A migration raises it to the largest version it drops, and keys made meanwhile start above
  // that: a few versions a migration, not two a key.
  EXPECT_LE(end.floor.to_u64(), 4 * end.migrations);
#if !RATCHET_SMALL_LIMITS  // there a migration comes every few keys
  EXPECT_LE(end.floor.to_u64(), all / 4);
#endif
}

struct constant_hash_options : ratchet::options {
  struct hash {
    std::uint64_t operator()(std::uint64_t, std::uint64_t) const noexcept { return 42; }
  };
};

TEST(erased_keys, F24_keys_that_all_collide_cost_memory_in_proportion) {
  const std::uint64_t keys = scaled(5'000);
  ratchet::store<std::uint64_t, std::uint64_t, constant_hash_options> store;
  for (std::uint64_t key = 0; key < keys; ++key) ASSERT_TRUE(store.put(key, key, if_absent));
  for (std::uint64_t key = 0; key < keys; ++key) {
    const auto seen = store.get(key);
    ASSERT_TRUE(seen && *seen == key) << key;
  }
  ASSERT_FALSE(store.get(keys));
  const ratchet::stats now = store.stats_now();
  EXPECT_EQ(now.keys, keys);
  EXPECT_LE(now.index_words, 4 * keys + 64);
  EXPECT_LE(now.record_bytes, 2 * 64 * keys);
  EXPECT_LE(now.waiting_objects, now.waiting_objects_max);
}

// A pinned record stays in the index, and growth makes room beside it.
TEST(erased_keys, handles_to_erased_keys_survive_the_churn_of_others) {
  constexpr std::uint64_t pinned = 1'000;
  const std::uint64_t others = scaled(100'000);
  numbers store;
  std::vector<numbers::handle> handles;
  std::vector<version> erased_at;
  for (std::uint64_t key = 0; key < pinned; ++key) {
    store.put(key, key);
    handles.push_back(store.at(key));
    ASSERT_TRUE(handles[key].erase());
    erased_at.push_back(handles[key].read().version());
  }
  const tests::watchdog guard("growth beside pinned records", std::chrono::seconds(60));
  for (std::uint64_t n = 0; n < others; ++n) {
    ASSERT_TRUE(store.put(pinned + n, n, if_absent));
    ASSERT_TRUE(store.erase(pinned + n));
  }
  const ratchet::stats now = store.stats_now();
  EXPECT_GT(now.migrations, 2u) << "nothing moved: this run proves nothing";
  EXPECT_LE(now.index_words, 16 * pinned);
  EXPECT_LE(now.waiting_objects, now.waiting_objects_max);
  for (std::uint64_t key = 0; key < pinned; ++key) {
    auto& mine = handles[key];
    ASSERT_FALSE(mine.read());
    ASSERT_EQ(mine.read().version(), erased_at[key]) << "nobody wrote to it";
    ASSERT_FALSE(mine.put(1, if_match{erased_at[key]}))
        << "absent: no condition on a version holds";
    const auto made = mine.put(key, if_absent);
    ASSERT_TRUE(made);
    ASSERT_EQ(made.version().to_u64(), erased_at[key].to_u64() + 1);
    ASSERT_EQ(*store.get(key), key);
  }
  EXPECT_EQ(store.size(), pinned);
}

// More pinned records than fill the table they are in: only more words make room.
TEST(erased_keys, growth_ends_where_every_record_is_pinned) {
  constexpr std::uint64_t pinned = 3'000;
  numbers store;
  const tests::watchdog guard("growth among pinned records", std::chrono::seconds(60));
  std::vector<numbers::handle> handles;
  for (std::uint64_t key = 0; key < pinned; ++key) handles.push_back(store.at(key));
  EXPECT_EQ(store.size(), 0u);
  EXPECT_LE(store.stats_now().index_words, 8 * pinned);
  for (std::uint64_t key = 0; key < pinned; ++key) ASSERT_TRUE(handles[key].put(key, if_absent));
  for (std::uint64_t key = 0; key < pinned; ++key) ASSERT_EQ(*store.get(key), key);
  handles.clear();
  for (std::uint64_t key = 0; key < pinned; ++key) ASSERT_TRUE(store.erase(key));
  for (std::uint64_t n = 0; n < 4 * pinned; ++n) {
    ASSERT_TRUE(store.put(pinned + n % 100, n, if_absent));
    ASSERT_TRUE(store.erase(pinned + n % 100));
  }
  EXPECT_LT(store.stats_now().records, 3'000u) << "let go, they are dropped";
}

}  // namespace
