// What names a key: every kind of string, integers, enumerators, structs, and keys that collide.
// Of: core/key_traits.hpp, core/hash.hpp, native/record.hpp, native/seed.hpp
#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <string_view>

#include "stores.hpp"

namespace {

using ratchet::if_absent;
using namespace std::string_view_literals;

template <class Kind>
class store_keys : public ::testing::Test {};
TYPED_TEST_SUITE(store_keys, tests::all_kinds, tests::kind_names);

TYPED_TEST(store_keys, a_string_key_is_named_by_anything_that_reads_as_a_string) {
  typename TypeParam::template store<std::string, std::int64_t> store;
  store.put("alpha", 1);
  EXPECT_EQ(*store.get("alpha"), 1);
  EXPECT_EQ(*store.get("alpha"sv), 1);
  EXPECT_EQ(*store.get(std::string("alpha")), 1);
  const char* pointer = "alpha";
  EXPECT_EQ(*store.get(pointer), 1);
  store.put("alphabet"sv.substr(0, 5), 2);
  EXPECT_EQ(*store.get("alpha"), 2);
  EXPECT_EQ(store.size(), 1u);
  EXPECT_TRUE(store.erase("alpha"sv));
  EXPECT_EQ(store.size(), 0u);
}

TYPED_TEST(store_keys, the_empty_key_and_keys_with_nul_bytes_are_keys_of_their_own) {
  typename TypeParam::template store<std::string, std::int64_t> store;
  const std::string_view keys[] = {""sv, "\0"sv, "\0\0"sv, "a"sv, "a\0"sv, "a\0b"sv, "\0a"sv};
  std::int64_t n = 0;
  for (const auto key : keys) EXPECT_TRUE(store.put(key, ++n, if_absent));
  n = 0;
  for (const auto key : keys) EXPECT_EQ(*store.get(key), ++n);
  EXPECT_EQ(store.size(), std::size(keys));
  EXPECT_TRUE(store.erase(""));
  EXPECT_FALSE(store.get(""));
  EXPECT_TRUE(store.get("\0"sv));
}

TYPED_TEST(store_keys, keys_of_every_length_around_the_record_line_keep_all_their_bytes) {
  typename TypeParam::template store<std::string, std::int64_t> store;
  std::vector<std::size_t> sizes;
  for (std::size_t size = 0; size <= 70; ++size) sizes.push_back(size);
  sizes.insert(sizes.end(), {127, 128, 255, 256, 4'095, 4'096, 65'535, 65'536, 1u << 20});
  for (const auto size : sizes) {
    // Two keys of each length that differ in the last byte alone.
    std::string key(size, 'k');
    ASSERT_TRUE(store.put(key, static_cast<std::int64_t>(size), if_absent)) << size;
    if (size == 0) continue;
    key.back() = 'l';
    ASSERT_TRUE(store.put(key, -static_cast<std::int64_t>(size), if_absent)) << size;
  }
  for (const auto size : sizes) {
    std::string key(size, 'k');
    ASSERT_EQ(*store.get(key), static_cast<std::int64_t>(size));
    if (size == 0) continue;
    key.back() = 'l';
    ASSERT_EQ(*store.get(key), -static_cast<std::int64_t>(size));
  }
  std::set<std::string> seen;
  store.for_each([&](const std::string& key, std::int64_t value, ratchet::version) {
    EXPECT_EQ(key.size(), static_cast<std::size_t>(value < 0 ? -value : value));
    EXPECT_TRUE(seen.insert(key).second);
  });
  EXPECT_EQ(seen.size(), 2 * sizes.size() - 1);
}

TYPED_TEST(store_keys, the_store_keeps_its_own_copy_of_a_key) {
  typename TypeParam::template store<std::string, std::int64_t> store;
  std::string short_key = "short";
  std::string long_key(100, 'x');
  store.put(short_key, 1);
  store.put(long_key, 2);
  short_key.assign("other");
  long_key.assign(100, 'y');
  EXPECT_EQ(*store.get("short"), 1);
  EXPECT_EQ(*store.get(std::string(100, 'x')), 2);
  EXPECT_FALSE(store.get(long_key));
}

TYPED_TEST(store_keys, an_integer_key_is_named_by_integers_no_wider_than_it) {
  using store_type = typename TypeParam::template store<std::uint32_t, std::int64_t>;
  store_type store;
  store.put(7, 1);
  EXPECT_EQ(*store.get(7u), 1);
  EXPECT_EQ(*store.get(static_cast<short>(7)), 1);
  static_assert(!requires(store_type& s, std::uint64_t wide) { s.read(wide); });
  static_assert(!requires(store_type& s, std::string name) { s.read(name); });
  store.put(0, 5);
  store.put(std::uint32_t{0xffffffff}, 6);
  EXPECT_EQ(*store.get(0), 5);
  EXPECT_EQ(*store.get(std::uint32_t{0xffffffff}), 6);
  EXPECT_EQ(store.size(), 3u);
}

TYPED_TEST(store_keys, extreme_words_and_structs_are_keys_like_any_other) {
  typename TypeParam::template store<std::uint64_t, std::int64_t> words;
  const std::uint64_t extremes[] = {0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 63, 1u << 31};
  std::int64_t n = 0;
  for (const auto key : extremes) words.put(key, ++n);
  n = 0;
  for (const auto key : extremes) EXPECT_EQ(*words.get(key), ++n);
  typename TypeParam::template store<tests::place, std::int64_t> places;
  places.put(tests::place{1, 2}, 12);
  places.put(tests::place{2, 1}, 21);
  EXPECT_EQ(*places.get(tests::place{1, 2}), 12);
  EXPECT_EQ(*places.get(tests::place{2, 1}), 21);
  EXPECT_FALSE(places.get(tests::place{1, 1}));
}

struct constant_hash_options : ratchet::options {
  struct hash {
    template <class K>
    std::uint64_t operator()(const K&, std::uint64_t) const noexcept {
      return 42;
    }
  };
};

TYPED_TEST(store_keys, F24_keys_that_all_collide_are_all_found) {
  typename TypeParam::template store<std::uint64_t, std::uint64_t, constant_hash_options> store;
  constexpr std::uint64_t keys = 600;
  for (std::uint64_t n = 0; n < keys; ++n) ASSERT_TRUE(store.put(n, n, if_absent));
  for (std::uint64_t n = 0; n < keys; n += 2) ASSERT_TRUE(store.erase(n));
  for (std::uint64_t n = 0; n < keys; ++n) {
    if (n % 2 == 0) {
      ASSERT_FALSE(store.get(n));
      continue;
    }
    ASSERT_TRUE(store.get(n)) << n;
    ASSERT_EQ(*store.get(n), n);
    ASSERT_FALSE(store.put(n, n, if_absent));
  }
  EXPECT_EQ(store.size(), keys / 2);
}

struct std_hash_options : ratchet::options {
  struct hash {
    std::size_t operator()(std::uint64_t key) const noexcept { return key; }
  };
};

TYPED_TEST(store_keys, a_hash_that_takes_no_seed_serves_too) {
  typename TypeParam::template store<std::uint64_t, std::uint64_t, std_hash_options> store;
  for (std::uint64_t n = 0; n < 2'000; ++n) store.put(n << 32, n);
  for (std::uint64_t n = 0; n < 2'000; ++n) ASSERT_EQ(*store.get(n << 32), n);
}

struct caseless_options : ratchet::options {
  static std::string lower(std::string_view text) {
    std::string made(text);
    std::transform(made.begin(), made.end(), made.begin(), [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return made;
  }
  struct hash {
    std::size_t operator()(std::string_view key) const {
      return std::hash<std::string>{}(lower(key));
    }
  };
  struct key_equal {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const { return lower(a) == lower(b); }
  };
};

TYPED_TEST(store_keys, the_users_hash_and_equality_decide_which_keys_are_one) {
  typename TypeParam::template store<std::string, std::int64_t, caseless_options> store;
  store.put("Host", 1);
  store.put("HOST", 2);
  EXPECT_EQ(*store.get("host"), 2);
  EXPECT_FALSE(store.put("hosT", 3, if_absent));
  EXPECT_EQ(store.size(), 1u);
}

TYPED_TEST(store_keys, a_fixed_hash_seed_and_a_drawn_one_both_find_every_key) {
  for (const auto seed : {std::optional<std::uint64_t>(0), std::optional<std::uint64_t>(~0ull),
                          std::optional<std::uint64_t>()}) {
    ratchet::config wanted;
    wanted.hash_seed = seed;
    typename TypeParam::template store<std::string, std::int64_t> store(wanted);
    for (int n = 0; n < 500; ++n) store.put(std::to_string(n), n);
    for (int n = 0; n < 500; ++n) ASSERT_EQ(*store.get(std::to_string(n)), n);
  }
}

TYPED_TEST(store_keys, a_reserve_of_any_size_holds_more_keys_than_it_says) {
  for (const std::size_t reserve : {0u, 1u, 7u, 1'000u}) {
    ratchet::config wanted;
    wanted.reserve = reserve;
    typename TypeParam::template store<std::uint64_t, std::uint64_t> store(wanted);
    for (std::uint64_t n = 0; n < 1'500; ++n) store.put(n, n);
    for (std::uint64_t n = 0; n < 1'500; ++n) ASSERT_EQ(*store.get(n), n);
    EXPECT_EQ(store.size(), 1'500u);
  }
}

}  // namespace
