// How long values live: under views, in results, and until the store's end.
// Of: core/entry.hpp, native/teardown.hpp
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "counted.hpp"
#include "reusing_memory.hpp"
#include "stores.hpp"

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using tests::counted;

template <class Kind>
class store_views : public ::testing::Test {
 protected:
  using S = typename Kind::template store<std::string, counted>;
  void TearDown() override { EXPECT_EQ(counted::alive, 0); }
};
TYPED_TEST_SUITE(store_views, tests::all_kinds, tests::kind_names);

TYPED_TEST(store_views, a_view_keeps_its_value_while_others_replace_and_erase_it) {
  typename TestFixture::S store;
  const auto made = store.put("k", counted(1));
  {
    const auto seen = store.read("k");
    std::thread([&] {
      for (std::uint64_t n = 2; n < 1'000; ++n) store.put("k", counted(n));
      (void)store.erase("k");
      for (std::uint64_t n = 0; n < 1'000; ++n) {
        store.put("k", counted(n));
        (void)store.erase("k");
      }
    }).join();
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->number(), 1u);
    EXPECT_EQ(seen.version(), made);
  }
  EXPECT_FALSE(store.read("k"));
}

TYPED_TEST(store_views, many_views_pin_many_values_at_once) {
  typename TestFixture::S store;
  std::vector<ratchet::view<counted>> held;
  for (std::uint64_t n = 0; n < 300; ++n) {
    store.put("k", counted(n));
    held.push_back(store.read("k"));
  }
  for (std::uint64_t n = 0; n < 300; ++n) EXPECT_EQ(held[n]->number(), n);
  while (held.size() > 1) held.erase(held.begin() + static_cast<std::ptrdiff_t>(held.size() / 2));
  for (std::uint64_t n = 0; n < 1'000; ++n) store.put("k", counted(n));
  EXPECT_EQ(held.front()->number(), 0u);
}

TYPED_TEST(store_views, a_view_moves_and_may_end_on_another_thread) {
  typename TestFixture::S store;
  static_assert(!std::is_copy_constructible_v<ratchet::view<counted>>);
  store.put("k", counted(1));
  auto seen = store.read("k");
  auto moved = std::move(seen);
  EXPECT_FALSE(seen);  // NOLINT(bugprone-use-after-move): a moved view is empty
  store.put("k", counted(2));
  std::thread([&store, held = std::move(moved)]() mutable {
    EXPECT_EQ(held->number(), 1u);
    held = store.read("k");
    EXPECT_EQ(held->number(), 2u);
  }).join();
  store.put("k", counted(3));
}

TYPED_TEST(store_views, a_view_outlives_the_thread_that_made_it) {
  typename TestFixture::S store;
  store.put("k", counted(1));
  ratchet::view<counted> seen;
  std::thread([&] { seen = store.read("k"); }).join();
  for (std::uint64_t n = 2; n < 500; ++n) {
    std::thread([&] { store.put("k", counted(n)); }).join();
    if (n % 100 == 0) {
      EXPECT_EQ(seen->number(), 1u);
    }
  }
  EXPECT_EQ(seen->number(), 1u);
}

TYPED_TEST(store_views, results_hand_out_values_that_stay) {
  typename TestFixture::S store;
  const auto made = store.put("k", counted(1));
  store.put("k", counted(2));
  auto lost = store.put("k", counted(3), if_match{made});
  auto refused = store.put("k", counted(4), if_absent);
  const auto removed = store.erase("k");
  for (std::uint64_t n = 5; n < 300; ++n) store.put("k", counted(n));
  EXPECT_EQ(lost.current()->number(), 2u);
  EXPECT_EQ(lost.rejected()->number(), 3u);
  EXPECT_EQ(refused.current()->number(), 2u);
  EXPECT_EQ(refused.rejected()->number(), 4u);
  EXPECT_EQ(removed->number(), 2u);
  const auto taken = std::move(lost).current();
  EXPECT_EQ(taken->number(), 2u);
}

TYPED_TEST(store_views, an_entry_outlives_its_store) {
  std::optional<ratchet::entry<counted>> copy;
  {
    typename TestFixture::S store;
    store.put("k", counted(1));
    copy.emplace(store.read("k"));
    EXPECT_EQ(store.get("k")->number(), 1u);
  }
  EXPECT_EQ((*copy)->number(), 1u);
}

TYPED_TEST(store_views, the_end_of_a_store_ends_all_its_values) {
  {
    typename TestFixture::S store;
    for (std::uint64_t n = 0; n < 2'000; ++n) store.put(std::to_string(n % 300), counted(n));
    for (std::uint64_t n = 0; n < 100; ++n) (void)store.erase(std::to_string(n));
    std::thread([&] {
      for (std::uint64_t n = 0; n < 2'000; ++n) store.put(std::to_string(n % 300), counted(n));
    }).join();
  }
  EXPECT_EQ(counted::alive, 0);
}

TYPED_TEST(store_views, two_stores_do_not_mix_their_values) {
  typename TestFixture::S kept;
  kept.put("k", counted(1));
  const auto seen = kept.read("k");
  {
    typename TestFixture::S ended;
    for (std::uint64_t n = 0; n < 500; ++n) {
      ended.put("k", counted(n));
      kept.put("k", counted(n));
    }
  }
  EXPECT_EQ(kept.read("k")->number(), 499u);
  EXPECT_EQ(seen->number(), 1u);
}

TYPED_TEST(store_views, an_inlined_value_is_shown_by_value) {
  typename TypeParam::template store<std::string, std::int64_t> store;
  store.put("k", 1);
  const auto seen = store.read("k");
  store.put("k", 2);
  EXPECT_EQ(*seen, 1);
}

// A value whose address can be compared.
struct addressed {
  std::uint64_t number;
  std::uint64_t more[3];
};

TYPED_TEST(store_views, F04_a_token_does_not_match_a_value_at_the_same_address) {
  tests::reusing_memory memory;  // hands out what was freed last, for stores that ask it
  ratchet::config wanted;
  wanted.memory = &memory;
  typename TypeParam::template store<std::string, addressed> store(wanted);
  std::uint32_t reused = 0;
  for (int round = 0; round < 2'000 && reused < 3; ++round) {
    const auto token = store.put("k", addressed{1, {}});
    const auto* const first = store.read("k").get();
    (void)store.erase("k");
    for (int n = 0; n < 20; ++n) {
      if constexpr (requires { store.reclaim(); }) store.reclaim();
      store.put("k", addressed{2, {}});
      reused += store.read("k").get() == first ? 1u : 0u;
      ASSERT_FALSE(store.put("k", addressed{3, {}}, if_match{token}));
      ASSERT_FALSE(store.erase("k", if_match{token}));
      ASSERT_EQ(store.read("k")->number, 2u);
      (void)store.erase("k");
    }
  }
  // AddressSanitizer keeps addresses from coming back where memory is not ours to choose.
  const bool comes_back = !RATCHET_TESTS_ASAN || TypeParam::uses_config_memory;
  if (comes_back) {
    EXPECT_GT(reused, 0u) << "no address came back: this run proves nothing";
  }
}

}  // namespace
