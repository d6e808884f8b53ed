// The ends of things: keys_max, the last version, and refused configurations.
#include <stdexcept>

#include "stores.hpp"

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::limit;
using ratchet::limit_error;
using ratchet::version;

template <class Kind>
class store_limits : public ::testing::Test {
 protected:
  template <class V>
  using store_of = typename Kind::template store<std::string, V>;

  static ratchet::config starting_after(std::uint64_t number) {
    ratchet::config wanted;
    wanted.first = version::from_u64(number);
    return wanted;
  }
  static ratchet::config holding(std::size_t keys) {
    ratchet::config wanted;
    wanted.keys_max = keys;
    return wanted;
  }
};
TYPED_TEST_SUITE(store_limits, tests::all_kinds, tests::kind_names);

// Runs f, which must throw a limit_error, and tells which limit it names.
template <class F>
std::optional<limit> limit_of(F&& f) {
  try {
    f();
  } catch (const limit_error& error) {
    EXPECT_GT(std::string(error.what()).size(), 10u);
    return error.which();
  }
  return std::nullopt;
}

template <class V, class Store>
void refuse_a_third_key(Store& store) {
  const auto v = [](std::uint32_t n) { return tests::sample<V>::of(n); };
  store.put("a", v(1));
  store.put("b", v(2));
  EXPECT_EQ(limit_of([&] { store.put("c", v(3)); }), limit::keys);
  EXPECT_EQ(limit_of([&] { (void)store.put("c", v(3), if_absent); }), limit::keys);
  EXPECT_EQ(limit_of([&] { (void)store.mutate("c", [&](const V*) { return v(3); }); }),
            limit::keys);
  EXPECT_FALSE(store.get("c"));
  EXPECT_EQ(store.size(), 2u);
  EXPECT_EQ(tests::number_of(store.get("a")), 1u);
  EXPECT_EQ(tests::number_of(store.get("b")), 2u);
}

template <class V, class Store>
void fill_to_keys_max(Store& store) {
  const auto v = [](std::uint32_t n) { return tests::sample<V>::of(n); };
  refuse_a_third_key<V>(store);
  // What is there may still be replaced, and an erased key makes room.
  const version now = store.put("a", v(4));
  EXPECT_TRUE(store.put("a", v(5), if_match{now}));
  EXPECT_FALSE(store.put("a", v(6), if_absent));
  EXPECT_TRUE(store.erase("a"));
  EXPECT_TRUE(store.put("c", v(7), if_absent));
  EXPECT_EQ(limit_of([&] { store.put("a", v(8)); }), limit::keys);
  EXPECT_FALSE(store.get("a"));
  EXPECT_EQ(store.size(), 2u);
}

TYPED_TEST(store_limits, keys_max_refuses_a_creation_and_names_itself) {
  typename TestFixture::template store_of<std::int64_t> inlined(this->holding(2));
  fill_to_keys_max<std::int64_t>(inlined);
  typename TestFixture::template store_of<std::string> boxed(this->holding(2));
  fill_to_keys_max<std::string>(boxed);
}

TYPED_TEST(store_limits, keys_max_is_reached_again_and_again_over_many_lives) {
  typename TestFixture::template store_of<std::int64_t> store(this->holding(10));
  for (int n = 0; n < 3'000; ++n) {
    if (n >= 10) {
      ASSERT_EQ(limit_of([&] { store.put(std::to_string(n), n); }), limit::keys) << n;
      ASSERT_TRUE(store.erase(std::to_string(n - 10))) << n;
    }
    store.put(std::to_string(n), n);
  }
  EXPECT_EQ(store.size(), 10u);
}

TYPED_TEST(store_limits, keys_max_0_takes_no_key) {
  typename TestFixture::template store_of<std::int64_t> store(this->holding(0));
  EXPECT_EQ(limit_of([&] { store.put("a", 1); }), limit::keys);
  EXPECT_EQ(store.size(), 0u);
}

TYPED_TEST(store_limits, config_first_is_below_every_version_of_the_store) {
  typename TestFixture::template store_of<std::int64_t> store(this->starting_after(1'000));
  EXPECT_GT(store.put("a", 1), version::from_u64(1'000));
  EXPECT_GT(store.put("b", 1), version::from_u64(1'000));
  EXPECT_FALSE(store.put("a", 2, if_match{version::from_u64(1'000)}));
}

template <class V, class Store>
void count_past(Store& store, std::uint64_t boundary) {
  const auto v = [](std::uint32_t n) { return tests::sample<V>::of(n); };
  version now = store.put("a", v(0));
  for (std::uint32_t n = 1; n <= 10; ++n) {
    auto next = store.put("a", v(n), if_match{now});
    ASSERT_TRUE(next);
    ASSERT_EQ(next.version().to_u64(), now.to_u64() + 1);
    now = next.version();
  }
  EXPECT_GT(now.to_u64(), boundary);
  EXPECT_EQ(tests::number_of(store.get("a")), 10u);
  EXPECT_EQ(store.get("a").version(), now);
}

TYPED_TEST(store_limits, F09_versions_count_on_past_32_and_48_bits) {
  for (const auto boundary : {std::uint64_t{1} << 32, std::uint64_t{1} << 48}) {
    typename TestFixture::template store_of<std::int64_t> inlined(
        this->starting_after(boundary - 2));
    count_past<std::int64_t>(inlined, boundary);
    typename TestFixture::template store_of<std::string> boxed(this->starting_after(boundary - 2));
    count_past<std::string>(boxed, boundary);
  }
}

template <class V, class Store>
void use_up_the_versions(Store& store) {
  const auto v = [](std::uint32_t n) { return tests::sample<V>::of(n); };
  version now = store.put("a", v(0));
  std::uint32_t n = 0;
  while (now.to_u64() < ratchet::limits::version_max) {
    ASSERT_LT(n, 100u);
    auto next = store.put("a", v(++n), if_match{now});
    ASSERT_TRUE(next);
    ASSERT_EQ(next.version().to_u64(), now.to_u64() + 1);
    now = next.version();
  }
  EXPECT_EQ(limit_of([&] { store.put("a", v(50)); }), limit::version);
  EXPECT_EQ(limit_of([&] { (void)store.put("a", v(50), if_match{now}); }), limit::version);
  EXPECT_EQ(limit_of([&] { (void)store.put("a", v(50), ratchet::if_present); }), limit::version);
  EXPECT_EQ(limit_of([&] { (void)store.erase("a"); }), limit::version);
  EXPECT_EQ(limit_of([&] { (void)store.erase("a", if_match{now}); }), limit::version);
  EXPECT_EQ(limit_of([&] { (void)store.mutate("a", [&](const V*) { return v(50); }); }),
            limit::version);
  // A write that would not commit anyway still says why.
  EXPECT_FALSE(store.put("a", v(50), if_absent));
  EXPECT_FALSE(store.put("a", v(50), if_match{version::from_u64(now.to_u64() - 1)}));
  EXPECT_EQ(tests::number_of(store.get("a")), n);
  EXPECT_EQ(store.get("a").version(), now);
  EXPECT_EQ(store.size(), 1u);
}

TYPED_TEST(store_limits, F09_the_last_version_is_a_typed_error_and_keeps_the_value) {
  for (const std::uint64_t left : {1u, 2u, 3u, 5u}) {
    const auto wanted = this->starting_after(ratchet::limits::version_max - left);
    typename TestFixture::template store_of<std::int64_t> inlined(wanted);
    use_up_the_versions<std::int64_t>(inlined);
    typename TestFixture::template store_of<std::string> boxed(wanted);
    use_up_the_versions<std::string>(boxed);
  }
}

TYPED_TEST(store_limits, F09_a_key_erased_with_the_last_version_stays_erased) {
  typename TestFixture::template store_of<std::int64_t> store(
      this->starting_after(ratchet::limits::version_max - 2));
  const version made = store.put("a", 1);
  ASSERT_EQ(made.to_u64(), ratchet::limits::version_max - 1);
  ASSERT_TRUE(store.erase("a"));
  EXPECT_EQ(limit_of([&] { store.put("a", 2); }), limit::version);
  EXPECT_EQ(limit_of([&] { (void)store.put("a", 2, if_absent); }), limit::version);
  EXPECT_FALSE(store.get("a"));
  EXPECT_EQ(store.size(), 0u);
}

TYPED_TEST(store_limits, a_first_version_without_room_above_it_is_refused) {
  using store_of_numbers = typename TestFixture::template store_of<std::int64_t>;
  const auto last = ratchet::limits::version_max;
  for (const auto number : {last, last + 1, ~std::uint64_t{0}})
    EXPECT_THROW(store_of_numbers store(this->starting_after(number)), std::invalid_argument)
        << number;
  EXPECT_NO_THROW(store_of_numbers store(this->starting_after(last - 1)));
}

#if RATCHET_TESTS_NATIVE
// Whatever a refused creation took of the table's room, it gives back.
TEST(store_limits_native, refused_creations_leave_the_index_as_it_is) {
  ratchet::config wanted;
  wanted.keys_max = 1;
  ratchet::store<std::uint64_t, std::uint64_t> store(wanted);
  store.put(0, 0);
  const auto before = store.stats_now();
  for (std::uint64_t key = 1; key <= 1'000; ++key)
    ASSERT_EQ(limit_of([&] { store.put(key, 0); }), limit::keys);
  const auto after = store.stats_now();
  EXPECT_EQ(after.migrations, before.migrations);
  EXPECT_EQ(after.index_words, before.index_words);
}
#endif

}  // namespace
