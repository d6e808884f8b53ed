// Footprints that do not grow with the store, creations, and lines that two keys have in common.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "footprint/world.hpp"

namespace {

using footprint::line_of;
using footprint::of;
using footprint::sized_for;
using footprint::store_of;
using ratchet::if_match;

struct averages {
  double get = 0;
  double put = 0;
  double miss = 0;
};

// Accesses an operation, on average over keys spread through the store.
template <class Store>
averages measure(Store& store, std::uint64_t keys) {
  constexpr std::uint64_t tried = 1'000;
  averages sum;
  for (std::uint64_t n = 0; n < tried; ++n) {
    const std::uint64_t key = n * (keys / tried);
    sum.get += static_cast<double>(of([&] { (void)store.get(key); }).accesses) / tried;
    sum.put += static_cast<double>(of([&] { store.put(key, 1); }).accesses) / tried;
    sum.miss += static_cast<double>(of([&] { (void)store.get(key + keys); }).accesses) / tried;
  }
  return sum;
}

constexpr std::uint64_t sizes[] = {1'000, 10'000, 100'000};

TEST(flatness, accesses_do_not_grow_with_the_keys_where_nothing_collides) {
  for (const std::uint64_t keys : sizes) {
    store_of<std::uint64_t> store(sized_for(keys));
    footprint::fill(store, keys);
    const averages seen = measure(store, keys);
    std::printf("  %6llu keys: get %.2f put %.2f accesses\n", static_cast<unsigned long long>(keys),
                seen.get, seen.put);
    EXPECT_NEAR(seen.get, 6, 1e-9);
    EXPECT_NEAR(seen.put, 9, 1e-9);
  }
}

// The default hash, tables that grew by themselves: how full a table is varies between a third and
// 11/16, so the sizes are compared at the same fill: 3/8 of the words each. Two-word buckets
// overflow often there: these averages are above those of the shipped buckets of eight.
TEST(flatness, accesses_do_not_grow_with_the_keys_of_the_default_hash) {
  std::vector<averages> all;
  for (const std::uint64_t keys : sizes) {
    ratchet::config wanted;
    wanted.reserve = keys * 16 / 9;
    wanted.hash_seed = 20'241;
    ratchet::store<std::uint64_t, std::uint64_t> store(wanted);
    footprint::fill(store, keys);
    all.push_back(measure(store, keys));
    std::printf("  %6ju keys: get %.2f put %.2f miss %.2f accesses\n", std::uintmax_t{keys},
                all.back().get, all.back().put, all.back().miss);
    EXPECT_NEAR(all.back().get / all.front().get, 1, 0.1);
    EXPECT_NEAR(all.back().put / all.front().put, 1, 0.1);
    EXPECT_NEAR(all.back().miss / all.front().miss, 1, 0.1);
  }
}

// F23: after ten times as many keys came and went as fit, a miss still looks at few words.
TEST(flatness, F23_a_miss_stays_cheap_over_churn) {
  constexpr std::uint64_t fit = 1'000;
  ratchet::config wanted;
  wanted.reserve = fit;
  wanted.hash_seed = 20'241;
  ratchet::store<std::uint64_t, std::uint64_t> store(wanted);
  double most = 0;
  double sum = 0;
  for (std::uint64_t key = 0; key < 10 * fit; ++key) {
    store.put(key, key);
    ASSERT_TRUE(store.erase(key));
    const auto accesses =
        static_cast<double>(of([&] { (void)store.get(key + 20 * fit); }).accesses);
    most = std::max(most, accesses);
    sum += accesses;
  }
  std::printf("  a miss: %.2f accesses on average, %.0f at most\n", sum / (10 * fit), most);
  EXPECT_LT(sum / (10 * fit), 8);
  EXPECT_LT(most, 80);
}

// A creation writes the index word's line, its thread's stripe, and the header of the slab that its
// record is carved from: in the explored build each time, in the shipped one every 16th. Words are
// taken from the table in batches of its words / 1024, from 1 to 64: who takes one writes the
// table's header too.
TEST(creations, write_three_lines_and_four_where_a_batch_of_words_is_taken) {
  std::printf("  %9s %6s %8s %8s\n", "creations", "slabs", "3 lines", "4 lines");
  for (const std::uint64_t keys : sizes) {
    const auto store = std::make_unique<store_of<std::uint64_t>>(sized_for(keys));
    const std::uint64_t batch =
        std::clamp<std::uint64_t>(store->stats_now().index_words / 1'024, 1, 64);
    std::map<std::size_t, std::uint64_t> count;  // by lines written
    std::uint64_t slabs = 0;
    for (std::uint64_t key = 0; key < keys; ++key) {
      const std::size_t before = store->stats_now().record_bytes;
      const auto seen = of([&] { store->put(key, key); });
      if (store->stats_now().record_bytes == before)
        ++count[seen.writes()];
      else
        ++slabs;  // linked a slab: not counted here
    }
    std::printf("  %9ju %6ju %8ju %8ju\n", std::uintmax_t{keys}, std::uintmax_t{slabs},
                std::uintmax_t{count[3]}, std::uintmax_t{count[4]});
    EXPECT_EQ(store->stats_now().migrations, 0u);
    EXPECT_EQ(count[3] + count[4] + slabs, keys) << "no creation writes five lines, nor two";
    EXPECT_LE(count[4], keys / batch + 1);
    EXPECT_LT(slabs, 100u);
  }
}

// What is written for one existing key, no operation on another one writes: with inlined values.
TEST(creations, no_two_keys_have_a_written_line_in_common) {
  constexpr std::uint64_t keys = 1'000;
  store_of<std::uint64_t> store(sized_for(keys));
  footprint::fill(store, keys);
  std::map<std::uintptr_t, std::uint64_t> writer;
  for (std::uint64_t key = 0; key < keys; ++key) {
    const auto seen = of([&] {
      auto handle_version = store.put(key, 1);
      ASSERT_TRUE(store.put(key, 2, if_match{handle_version}));
      ASSERT_TRUE(store.put(key, 3, ratchet::if_present));
      ASSERT_TRUE(store.mutate(key, [](const std::uint64_t* n) { return *n + 1; }));
      ASSERT_FALSE(store.put(key, 4, if_match{handle_version}));
    });
    ASSERT_EQ(seen.writes(), 1u) << key;
    for (const std::uintptr_t line : seen.written) {
      const auto [other, first] = writer.emplace(line, key);
      ASSERT_TRUE(first) << "keys " << key << " and " << other->second;
    }
    // Nor does it read what another key's puts write.
    for (const std::uintptr_t line : of([&] { (void)store.get(key); }).read) {
      const auto found = writer.find(line);
      ASSERT_TRUE(found == writer.end() || found->second == key);
    }
  }
}

}  // namespace
