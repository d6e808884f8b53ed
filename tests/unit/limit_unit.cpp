// The ends of things: keys_max, the last version, and refused configurations.
// Of: core/limit_error.hpp, core/options.hpp, base/limits.hpp
#include <ratchet/patterns/ceiling.hpp>
#include <ratchet/patterns/wallet.hpp>

#include <limits>
#include <stdexcept>
#include <vector>

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
std::optional<limit> limit_of(F&& f, const std::string& names = "") {
  try {
    f();
  } catch (const limit_error& error) {
    const std::string says = error.what();
    EXPECT_GT(says.size(), 10u);
    EXPECT_NE(says.find(names), std::string::npos) << says;
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

TYPED_TEST(store_limits, keys_max_0_takes_no_key_and_refuses_nothing_else) {
  typename TestFixture::template store_of<std::int64_t> store(this->holding(0));
  const auto refused = [&](const auto& call) {
    EXPECT_EQ(limit_of(call, "keys_max = 0"), limit::keys);
    EXPECT_EQ(store.size(), 0u);
    EXPECT_FALSE(store.get("a"));
  };
  refused([&] { store.put("a", 1); });
  refused([&] { (void)store.put("a", 1, if_absent); });
  refused([&] { (void)store.mutate("a", [](const std::int64_t*) { return 1; }); });
  refused([&] { (void)ratchet::ceiling(store).try_acquire("a", 10); });
  refused([&] { (void)ratchet::wallet(store).open("a", 10); });
  EXPECT_FALSE(store.put("a", 1, ratchet::if_present));
  EXPECT_FALSE(store.put("a", 1, if_match{version::from_u64(1)}));
  EXPECT_FALSE(store.erase("a"));
  if constexpr (tests::has_handles<decltype(store)>) {
    auto handle = store.at("a");
    refused([&] { handle.put(1); });
    refused([&] { (void)handle.put(1, if_absent); });
    refused([&] { (void)handle.mutate([](const std::int64_t*) { return 1; }); });
    EXPECT_FALSE(handle.put(1, ratchet::if_present));
  }
}

TYPED_TEST(store_limits, keys_max_1_takes_one_key_at_a_time) {
  typename TestFixture::template store_of<std::string> store(this->holding(1));
  for (int n = 0; n < 100; ++n) {
    store.put(std::to_string(n), "value");
    EXPECT_EQ(limit_of([&] { store.put("other", "value"); }, "keys_max = 1"), limit::keys);
    EXPECT_TRUE(store.mutate(std::to_string(n), [](const auto* now) { return *now + "!"; }));
    ASSERT_TRUE(store.erase(std::to_string(n)));
  }
  EXPECT_EQ(store.size(), 0u);
}

TYPED_TEST(store_limits, a_keys_max_that_no_store_reaches_refuses_nothing) {
  const auto most = std::numeric_limits<std::size_t>::max();
  for (const auto keys : {most, most - 1, most / 2 + 1, most / 2}) {
    typename TestFixture::template store_of<std::int64_t> store(this->holding(keys));
    for (int n = 0; n < 100; ++n) store.put(std::to_string(n), n);
    EXPECT_EQ(store.size(), 100u) << keys;
  }
}

#if RATCHET_TESTS_NATIVE
// Runs f, which must throw std::invalid_argument, and name what was wrong and what is accepted.
template <class F>
void refuses_reserve(std::size_t keys, const F& f) {
  SCOPED_TRACE(keys);
  try {
    f();
    ADD_FAILURE() << "no error";
  } catch (const std::invalid_argument& error) {
    const std::string says = error.what();
    EXPECT_NE(says.find("reserve"), std::string::npos) << says;
    EXPECT_NE(says.find(std::to_string(keys) + " keys"), std::string::npos) << says;
    EXPECT_NE(says.find("0 to " + std::to_string(ratchet::limits::reserve_max)), std::string::npos)
        << says;
  }
}

// Also where the bytes of such a table, counted in 64 bits, would be few again.
TEST(store_limits_native, a_reserve_beyond_any_memory_is_refused_and_named) {
  using store_type = ratchet::store<int, int>;
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> too_many = {ratchet::limits::reserve_max + 1, most / 3 * 2,
                                       most / 3 * 2 + 1, most / 3 * 2 + 2};
  for (unsigned bits = 49; bits < 64; ++bits)
    for (const std::size_t off : {most, std::size_t{0}, std::size_t{1}})
      too_many.push_back((std::size_t{1} << bits) + off);
  for (std::size_t times = 1; times < 400; times += 7)  // tables of about times x 2^64 bytes
    too_many.push_back(most / 513 * times / 100 * 64 / 3 * 2);
  store_type store;
  store.put(1, 1);
  for (const std::size_t keys : too_many) {
    if (keys <= ratchet::limits::reserve_max) continue;
    ratchet::config wanted;
    wanted.reserve = keys;
    refuses_reserve(keys, [&] { const store_type refused(wanted); });
    refuses_reserve(keys, [&] { store.reserve(keys); });
  }
  EXPECT_EQ(store.size(), 1u);
  for (int n = 0; n < 1'000; ++n) store.put(n, n);
  EXPECT_EQ(store.size(), 1'000u);
}

TEST(store_limits_native, the_largest_reserve_fails_only_for_want_of_memory) {
  ratchet::config wanted;
  wanted.reserve = ratchet::limits::reserve_max;
  using store_type = ratchet::store<int, int>;
  EXPECT_THROW(const store_type refused(wanted), std::bad_alloc);
}
#endif

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
