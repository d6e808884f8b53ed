// Each verb and each of its outcomes, for every kind of store, key and value.
// Of: native/store.hpp, native/engine.hpp, native/creation.hpp, native/mutex_store.hpp
// Of: core/condition.hpp, core/result.hpp, core/version.hpp, core/store_concept.hpp
#include "stores.hpp"

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::if_present;
using ratchet::outcome;
using ratchet::version;
using tests::number_of;

template <class Combo>
class store_verbs : public ::testing::Test {
 protected:
  using K = typename Combo::key;
  using V = typename Combo::value;
  using S = typename Combo::store;

  static auto key(std::uint32_t n) { return tests::sample<K>::of(n); }
  static auto value(std::uint32_t n) { return tests::sample<V>::of(n); }
  std::optional<std::uint32_t> at(std::uint32_t n) { return number_of(store.read(key(n))); }
  version version_at(std::uint32_t n) { return store.read(key(n)).version(); }
  static std::optional<std::uint32_t> rejected(auto& result) {
    return number_of(result.rejected());
  }

  S store;
};

TYPED_TEST_SUITE(store_verbs, tests::all_combos, tests::kind_names);

TYPED_TEST(store_verbs, satisfies_the_concept_and_stays_where_it_is) {
  using store_type = typename TestFixture::S;
  static_assert(ratchet::versioned_store<store_type>);
  static_assert(!store_type::may_lose_answers);
  static_assert(!std::is_copy_constructible_v<store_type>);
  static_assert(!std::is_move_constructible_v<store_type>);
  static_assert(std::is_same_v<ratchet::key_of<store_type>, typename TestFixture::K>);
}

TYPED_TEST(store_verbs, absent_key_reads_as_absent_and_without_a_version) {
  const auto seen = this->store.read(this->key(1));
  EXPECT_FALSE(seen);
  EXPECT_EQ(seen.get(), nullptr);
  EXPECT_EQ(seen.version(), version());
  EXPECT_EQ(this->store.size(), 0u);
}

TYPED_TEST(store_verbs, put_creates_and_then_replaces_at_the_next_version) {
  const version first = this->store.put(this->key(1), this->value(10));
  EXPECT_GT(first, version());
  EXPECT_EQ(this->at(1), 10u);
  EXPECT_EQ(this->version_at(1), first);
  const version second = this->store.put(this->key(1), this->value(11));
  EXPECT_EQ(second.to_u64(), first.to_u64() + 1);
  EXPECT_EQ(this->at(1), 11u);
  EXPECT_EQ(this->version_at(1), second);
  EXPECT_EQ(this->store.size(), 1u);
}

TYPED_TEST(store_verbs, get_hands_out_a_copy_exactly_where_values_can_be_copied) {
  using store_type = typename TestFixture::S;
  using key_type = typename TestFixture::K;
  constexpr bool copies = std::is_copy_constructible_v<typename TestFixture::V>;
  static_assert(copies == requires(const store_type& s, const key_type& k) { s.get(k); });
  if constexpr (copies) {
    const version made = this->store.put(this->key(1), this->value(10));
    const auto copy = this->store.get(this->key(1));
    (void)this->store.erase(this->key(1));
    ASSERT_TRUE(copy);
    EXPECT_EQ(number_of(copy), 10u);
    EXPECT_EQ(copy.version(), made);
    EXPECT_FALSE(this->store.get(this->key(1)));
  }
}

TYPED_TEST(store_verbs, put_if_match_commits_once_and_then_shows_what_won) {
  const version made = this->store.put(this->key(1), this->value(10));
  auto won = this->store.put(this->key(1), this->value(11), if_match{made});
  ASSERT_TRUE(won);
  EXPECT_EQ(won.outcome(), outcome::committed);
  EXPECT_EQ(won.version().to_u64(), made.to_u64() + 1);
  EXPECT_FALSE(won.current());
  EXPECT_EQ(won.rejected(), nullptr);

  auto lost = this->store.put(this->key(1), this->value(12), if_match{made});
  EXPECT_FALSE(lost);
  EXPECT_EQ(lost.outcome(), outcome::conflict);
  EXPECT_EQ(lost.version(), won.version());
  EXPECT_EQ(number_of(lost.current()), 11u);
  EXPECT_EQ(lost.current().version(), won.version());
  EXPECT_EQ(this->rejected(lost), 12u);
  EXPECT_EQ(this->at(1), 11u);
}

TYPED_TEST(store_verbs, put_if_match_with_a_version_of_the_future_conflicts) {
  const version made = this->store.put(this->key(1), this->value(10));
  const auto later = version::from_u64(made.to_u64() + 1);
  EXPECT_FALSE(this->store.put(this->key(1), this->value(11), if_match{later}));
  EXPECT_FALSE(this->store.erase(this->key(1), if_match{later}));
  EXPECT_EQ(this->at(1), 10u);
  EXPECT_EQ(this->version_at(1), made);
}

TYPED_TEST(store_verbs, F07_if_match_never_creates_not_even_with_no_version) {
  auto none = this->store.put(this->key(1), this->value(10), if_match{version()});
  EXPECT_EQ(none.outcome(), outcome::conflict);
  EXPECT_FALSE(none.current());
  EXPECT_EQ(this->rejected(none), 10u);
  EXPECT_FALSE(this->store.put(this->key(1), this->value(10), if_match{version::from_u64(1)}));
  EXPECT_FALSE(this->store.erase(this->key(1), if_match{version()}));
  EXPECT_EQ(this->at(1), std::nullopt);
  EXPECT_EQ(this->store.size(), 0u);
}

TYPED_TEST(store_verbs, F07_if_match_never_matches_an_erased_key) {
  this->store.put(this->key(1), this->value(10));
  (void)this->store.erase(this->key(1));
  const version erased_at = this->version_at(1);
  EXPECT_FALSE(this->store.put(this->key(1), this->value(11), if_match{erased_at}));
  EXPECT_FALSE(this->store.put(this->key(1), this->value(11), if_match{version()}));
  EXPECT_FALSE(this->store.erase(this->key(1), if_match{erased_at}));
  EXPECT_EQ(this->at(1), std::nullopt);
}

TYPED_TEST(store_verbs, put_if_absent_creates_once) {
  auto created = this->store.put(this->key(1), this->value(10), if_absent);
  ASSERT_TRUE(created);
  EXPECT_EQ(this->version_at(1), created.version());
  auto refused = this->store.put(this->key(1), this->value(11), if_absent);
  EXPECT_EQ(refused.outcome(), outcome::conflict);
  EXPECT_EQ(number_of(refused.current()), 10u);
  EXPECT_EQ(refused.version(), created.version());
  EXPECT_EQ(this->rejected(refused), 11u);
  (void)this->store.erase(this->key(1));
  auto again = this->store.put(this->key(1), this->value(12), if_absent);
  ASSERT_TRUE(again);
  EXPECT_GT(again.version(), created.version());
  EXPECT_EQ(this->at(1), 12u);
}

TYPED_TEST(store_verbs, put_if_present_never_creates) {
  auto missing = this->store.put(this->key(1), this->value(10), if_present);
  EXPECT_EQ(missing.outcome(), outcome::conflict);
  EXPECT_FALSE(missing.current());
  EXPECT_EQ(this->rejected(missing), 10u);
  EXPECT_EQ(this->store.size(), 0u);
  const version made = this->store.put(this->key(1), this->value(11));
  auto replaced = this->store.put(this->key(1), this->value(12), if_present);
  ASSERT_TRUE(replaced);
  EXPECT_EQ(replaced.version().to_u64(), made.to_u64() + 1);
  (void)this->store.erase(this->key(1));
  EXPECT_FALSE(this->store.put(this->key(1), this->value(13), if_present));
  EXPECT_EQ(this->at(1), std::nullopt);
}

TYPED_TEST(store_verbs, erase_hands_out_what_it_removed) {
  EXPECT_FALSE(this->store.erase(this->key(1)));
  const version made = this->store.put(this->key(1), this->value(10));
  const auto removed = this->store.erase(this->key(1));
  EXPECT_EQ(number_of(removed), 10u);
  EXPECT_EQ(this->at(1), std::nullopt);
  EXPECT_EQ(this->store.size(), 0u);
  const version erased_at = this->version_at(1);
  EXPECT_GT(erased_at, made);
  EXPECT_FALSE(this->store.erase(this->key(1)));
  EXPECT_EQ(this->version_at(1), erased_at);  // erasing an absent key writes nothing
}

TYPED_TEST(store_verbs, erase_if_match_commits_only_at_that_version) {
  const version made = this->store.put(this->key(1), this->value(10));
  const version now = this->store.put(this->key(1), this->value(11));
  auto lost = this->store.erase(this->key(1), if_match{made});
  EXPECT_EQ(lost.outcome(), outcome::conflict);
  EXPECT_EQ(number_of(lost.current()), 11u);
  EXPECT_EQ(lost.version(), now);
  EXPECT_EQ(lost.rejected(), nullptr);
  auto won = this->store.erase(this->key(1), if_match{now});
  ASSERT_TRUE(won);
  EXPECT_EQ(won.version().to_u64(), now.to_u64() + 1);
  EXPECT_EQ(this->at(1), std::nullopt);
  EXPECT_EQ(this->store.size(), 0u);
  EXPECT_FALSE(this->store.erase(this->key(1), if_match{now}));
}

TYPED_TEST(store_verbs, F03_erase_does_not_reset_the_version) {
  const version first = this->store.put(this->key(1), this->value(10));
  (void)this->store.erase(this->key(1));
  const version second = this->store.put(this->key(1), this->value(10));
  EXPECT_GT(second.to_u64(), first.to_u64() + 1);
  EXPECT_FALSE(this->store.put(this->key(1), this->value(11), if_match{first}));
  EXPECT_EQ(this->version_at(1), second);
}

TYPED_TEST(store_verbs, F03_a_token_of_the_first_life_never_matches_a_later_one) {
  const version token = this->store.put(this->key(1), this->value(10));
  version last = token;
  for (std::uint32_t life = 0; life < 1'000; ++life) {
    (void)this->store.erase(this->key(1));
    ASSERT_FALSE(this->store.put(this->key(1), this->value(11), if_match{token}));
    auto created = this->store.put(this->key(1), this->value(10), if_absent);
    ASSERT_TRUE(created);
    ASSERT_GT(created.version(), last);
    ASSERT_FALSE(this->store.put(this->key(1), this->value(11), if_match{token}));
    ASSERT_FALSE(this->store.erase(this->key(1), if_match{token}));
    last = created.version();
  }
}

TYPED_TEST(store_verbs, F74_an_equal_value_is_a_new_version) {
  const version made = this->store.put(this->key(1), this->value(10));
  EXPECT_TRUE(this->store.put(this->key(1), this->value(10), if_match{made}));
  EXPECT_FALSE(this->store.put(this->key(1), this->value(10), if_match{made}));
}

TYPED_TEST(store_verbs, many_keys_are_all_found_and_each_has_its_own_clock) {
  constexpr std::uint32_t keys = 3'000;
  for (std::uint32_t n = 0; n < keys; ++n) {
    ASSERT_TRUE(this->store.put(this->key(n), this->value(n), if_absent));
    if (n % 3 == 0) this->store.put(this->key(n), this->value(n + keys));
    if (n % 5 == 0) {
      ASSERT_TRUE(this->store.erase(this->key(n)));
    }
  }
  std::size_t present = 0;
  for (std::uint32_t n = 0; n < keys; ++n) {
    const auto seen = this->at(n);
    if (n % 5 == 0) {
      ASSERT_EQ(seen, std::nullopt) << n;
      continue;
    }
    ++present;
    ASSERT_EQ(seen, n % 3 == 0 ? n + keys : n) << n;
    ASSERT_FALSE(this->store.put(this->key(n), this->value(n), if_absent)) << n;
  }
  EXPECT_EQ(this->store.size(), present);
}

}  // namespace
