// Handles: the verbs without the key. A handle names the key, not one life of it.
// Of: native/handle.hpp
#include "counted.hpp"
#include "stores.hpp"

#if RATCHET_TESTS_NATIVE

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::outcome;
using ratchet::version;

template <class Combo>
class store_handles : public ::testing::Test {
 protected:
  using K = typename Combo::key;
  using V = typename Combo::value;
  static auto key(std::uint32_t n) { return tests::sample<K>::of(n); }
  static auto value(std::uint32_t n) { return tests::sample<V>::of(n); }
  std::optional<std::uint32_t> at(std::uint32_t n) { return tests::number_of(store.read(key(n))); }
  // Makes and erases so many other keys that the table grows and drops erased records.
  void churn(std::uint32_t keys = 400) {
    for (std::uint32_t n = 1'000; n < 1'000 + keys; ++n) store.put(key(n), value(n));
    for (std::uint32_t n = 1'000; n < 1'000 + keys; ++n) (void)store.erase(key(n));
  }

  typename Combo::store store;
};
using native_combos = ::testing::Types<RATCHET_TESTS_COMBOS(tests::native_kind)>;
TYPED_TEST_SUITE(store_handles, native_combos, tests::kind_names);

TYPED_TEST(store_handles, every_verb_means_the_handles_key) {
  auto handle = this->store.at(this->key(1));
  EXPECT_FALSE(handle.read());
  const version made = handle.put(this->value(10));
  EXPECT_EQ(this->at(1), 10u);
  EXPECT_EQ(tests::number_of(handle.read()), 10u);
  if constexpr (std::is_copy_constructible_v<typename TestFixture::V>) {
    EXPECT_EQ(tests::number_of(handle.get()), 10u);
  }
  auto won = handle.put(this->value(11), if_match{made});
  ASSERT_TRUE(won);
  auto lost = handle.put(this->value(12), if_match{made});
  EXPECT_EQ(lost.outcome(), outcome::conflict);
  EXPECT_EQ(tests::number_of(lost.current()), 11u);
  EXPECT_EQ(tests::number_of(lost.rejected()), 12u);
  EXPECT_EQ(lost.version(), won.version());
  EXPECT_FALSE(handle.put(this->value(13), if_absent));
  EXPECT_FALSE(handle.erase(if_match{made}));
  EXPECT_EQ(tests::number_of(handle.erase()), 11u);
  EXPECT_FALSE(handle.erase());
  EXPECT_EQ(this->at(1), std::nullopt);
  auto created = handle.put(this->value(14), if_absent);
  ASSERT_TRUE(created);
  EXPECT_TRUE(handle.erase(if_match{created.version()}));
  EXPECT_EQ(this->store.size(), 0u);
}

TYPED_TEST(store_handles, taking_a_handle_writes_nothing) {
  const auto handle = this->store.at(this->key(1));
  (void)handle;
  EXPECT_EQ(this->store.size(), 0u);
  EXPECT_EQ(this->at(1), std::nullopt);
  EXPECT_TRUE(this->store.put(this->key(1), this->value(1), if_absent));
}

TYPED_TEST(store_handles, a_handle_mutates) {
  using value_type = typename TestFixture::V;
  auto handle = this->store.at(this->key(1));
  for (std::uint32_t n = 1; n <= 5; ++n) {
    const auto done = handle.mutate([](const value_type* now) {
      return TestFixture::value(now == nullptr ? 1 : *tests::number_of(now) + 1);
    });
    EXPECT_EQ(done.mutated, ratchet::mutated::applied);
  }
  EXPECT_EQ(this->at(1), 5u);
}

TYPED_TEST(store_handles, F03_a_handle_follows_its_key_over_erase_growth_and_dropping) {
  auto handle = this->store.at(this->key(1));
  version last;
  for (std::uint32_t life = 0; life < 20; ++life) {
    const version made = handle.put(this->value(life));
    ASSERT_GT(made, last);
    this->churn();
    ASSERT_EQ(tests::number_of(handle.read()), life);
    ASSERT_EQ(handle.read().version(), made);
    ASSERT_EQ(this->at(1), life);
    ASSERT_TRUE(life % 2 == 0 ? static_cast<bool>(handle.erase())
                              : static_cast<bool>(this->store.erase(this->key(1))));
    this->churn();
    ASSERT_FALSE(handle.read()) << "in life " << life;
    ASSERT_FALSE(handle.put(this->value(99), if_match{made}));
    // Made anew behind the handle's back; the handle must see it, not its own old record.
    const version again = this->store.put(this->key(1), this->value(life + 500));
    ASSERT_GT(again, made);
    this->churn();
    ASSERT_EQ(tests::number_of(handle.read()), life + 500);
    ASSERT_EQ(handle.read().version(), again);
    auto put = handle.put(this->value(life + 600), if_match{again});
    ASSERT_TRUE(put);
    last = put.version();
    ASSERT_EQ(this->at(1), life + 600);
    (void)this->store.erase(this->key(1));
    this->churn();
  }
  EXPECT_EQ(this->store.size(), 0u);
}

TYPED_TEST(store_handles, two_handles_of_one_key_agree) {
  auto first = this->store.at(this->key(1));
  auto second = this->store.at(this->key(1));
  const version made = first.put(this->value(1));
  this->churn();
  EXPECT_TRUE(second.put(this->value(2), if_match{made}));
  EXPECT_TRUE(first.erase());
  this->churn();
  EXPECT_TRUE(second.put(this->value(3), if_absent));
  EXPECT_EQ(tests::number_of(first.read()), 3u);
}

TYPED_TEST(store_handles, a_handle_moves_and_is_not_copied) {
  using handle_type = decltype(this->store.at(this->key(1)));
  static_assert(!std::is_copy_constructible_v<handle_type>);
  static_assert(std::is_nothrow_move_constructible_v<handle_type>);
  auto first = this->store.at(this->key(1));
  first.put(this->value(1));
  auto moved = std::move(first);
  EXPECT_EQ(tests::number_of(moved.read()), 1u);
  auto other = this->store.at(this->key(2));
  other.put(this->value(2));
  moved = std::move(other);
  EXPECT_EQ(tests::number_of(moved.read()), 2u);
  this->churn();
  moved.put(this->value(3));
  EXPECT_EQ(this->at(1), 1u);
  EXPECT_EQ(this->at(2), 3u);
}

TYPED_TEST(store_handles, many_handles_of_absent_keys_serve_after_growth) {
  std::vector<decltype(this->store.at(this->key(1)))> handles;
  for (std::uint32_t n = 0; n < 200; ++n) handles.push_back(this->store.at(this->key(n)));
  this->churn(1'000);
  for (std::uint32_t n = 0; n < 200; ++n) handles[n].put(this->value(n));
  this->churn(1'000);
  for (std::uint32_t n = 0; n < 200; ++n) {
    ASSERT_EQ(tests::number_of(handles[n].read()), n);
    ASSERT_EQ(this->at(n), n);
  }
  EXPECT_EQ(this->store.size(), 200u);
}

TEST(store_handle_limits, keys_max_holds_for_creations_through_handles) {
  ratchet::config wanted;
  wanted.keys_max = 1;
  ratchet::store<std::string, std::int64_t> store(wanted);
  auto first = store.at("a");
  auto second = store.at("b");
  first.put(1);
  EXPECT_THROW(second.put(2), ratchet::limit_error);
  EXPECT_FALSE(store.get("b"));
  EXPECT_TRUE(first.erase());
  second.put(2);
  EXPECT_EQ(*store.get("b"), 2);
}

TEST(store_handle_values, views_of_a_handle_keep_their_value) {
  {
    ratchet::store<std::string, tests::counted> store;
    auto handle = store.at("k");
    handle.put(tests::counted(1));
    const auto seen = handle.read();
    for (std::uint64_t n = 2; n < 500; ++n) handle.put(tests::counted(n));
    EXPECT_EQ(seen->number(), 1u);
  }
  EXPECT_EQ(tests::counted::alive, 0);
}

}  // namespace

#endif
