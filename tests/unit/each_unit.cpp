// for_each, erase_if, size.
#include <map>
#include <stdexcept>
#include <vector>

#include "stores.hpp"

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::version;

template <class Combo>
class store_each : public ::testing::Test {
 protected:
  using K = typename Combo::key;
  using V = typename Combo::value;
  static auto key(std::uint32_t n) { return tests::sample<K>::of(n); }
  static auto value(std::uint32_t n) { return tests::sample<V>::of(n); }

  typename Combo::store store;
};
TYPED_TEST_SUITE(store_each, tests::all_combos, tests::kind_names);

TYPED_TEST(store_each, an_empty_store_has_nothing_to_show) {
  this->store.for_each([](const auto&, const auto&, version) { ADD_FAILURE(); });
  EXPECT_EQ(this->store.erase_if([](const auto&, const auto&, version) { return true; }), 0u);
}

TYPED_TEST(store_each, for_each_shows_each_present_key_once_with_its_version) {
  constexpr std::uint32_t keys = 700;
  std::map<std::uint32_t, version> present;
  for (std::uint32_t n = 0; n < keys; ++n)
    present[n] = this->store.put(this->key(n), this->value(n));
  for (std::uint32_t n = 0; n < keys; n += 3) {
    (void)this->store.erase(this->key(n));
    present.erase(n);
  }
  this->store.for_each([&](const auto& key, const auto& value, version at) {
    const auto n = tests::number_of(&value);
    ASSERT_TRUE(n.has_value());
    ASSERT_TRUE(key == this->key(*n)) << *n;
    const auto found = present.find(*n);
    ASSERT_NE(found, present.end()) << *n << " was shown twice or is erased";
    EXPECT_EQ(found->second, at);
    present.erase(found);
  });
  EXPECT_TRUE(present.empty());
}

TYPED_TEST(store_each, for_each_may_use_the_store_it_walks) {
  for (std::uint32_t n = 0; n < 50; ++n) this->store.put(this->key(n), this->value(n));
  std::uint32_t shown = 0;
  this->store.for_each([&](const auto& key, const auto& value, version at) {
    const auto n = *tests::number_of(&value);
    if (n >= 1'000) return;  // made by this walk; it may show it or not
    ++shown;
    EXPECT_TRUE(this->store.put(key, this->value(n + 1'000), if_match{at}));
    this->store.put(this->key(n + 1'000), this->value(n + 1'000));
    if (n % 2 == 0) (void)this->store.erase(key);
  });
  EXPECT_EQ(shown, 50u);
  EXPECT_EQ(this->store.size(), 75u);
}

TYPED_TEST(store_each, erase_if_erases_exactly_what_it_was_told_to) {
  for (std::uint32_t n = 0; n < 300; ++n) this->store.put(this->key(n), this->value(n));
  const auto erased = this->store.erase_if(
      [](const auto&, const auto& value, version) { return *tests::number_of(&value) % 4 == 0; });
  EXPECT_EQ(erased, 75u);
  EXPECT_EQ(this->store.size(), 225u);
  for (std::uint32_t n = 0; n < 300; ++n)
    EXPECT_EQ(static_cast<bool>(this->store.read(this->key(n))), n % 4 != 0) << n;
}

TYPED_TEST(store_each, erase_if_spares_a_key_that_was_written_meanwhile) {
  for (std::uint32_t n = 0; n < 20; ++n) this->store.put(this->key(n), this->value(n));
  const auto erased = this->store.erase_if([&](const auto& key, const auto& value, version at) {
    const auto n = *tests::number_of(&value);
    if (n % 2 == 0) {
      EXPECT_TRUE(this->store.put(key, this->value(n), if_match{at}));
    }
    return true;
  });
  EXPECT_EQ(erased, 10u);
  for (std::uint32_t n = 0; n < 20; ++n)
    EXPECT_EQ(static_cast<bool>(this->store.read(this->key(n))), n % 2 == 0) << n;
}

TYPED_TEST(store_each, what_the_function_throws_passes_through) {
  for (std::uint32_t n = 0; n < 20; ++n) this->store.put(this->key(n), this->value(n));
  const auto refuse = [](const auto&, const auto&, version) -> bool {
    throw std::runtime_error("no");
  };
  EXPECT_THROW(this->store.for_each(refuse), std::runtime_error);
  EXPECT_THROW(this->store.erase_if(refuse), std::runtime_error);
  EXPECT_EQ(this->store.size(), 20u);
  EXPECT_EQ(tests::number_of(this->store.read(this->key(7))), 7u);
}

}  // namespace
