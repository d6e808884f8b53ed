// V4, F09: versions at the ends of their range, through every verb, by key and by handle, and
// through the patterns. They count on over every power that a narrower number would stop at; after
// the last one a write is a typed error and nothing changes.
// Of: native/slot.hpp
#include <ratchet/patterns/ceiling.hpp>
#include <ratchet/patterns/wallet.hpp>

#include <functional>
#include <vector>

#include "stores.hpp"

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::if_present;
using ratchet::limit;
using ratchet::version;

constexpr std::uint64_t last = ratchet::limits::version_max;
constexpr std::uint64_t droppable = ratchet::limits::version_droppable_max;

ratchet::config starting_after(std::uint64_t number) {
  ratchet::config wanted;
  wanted.first = version::from_u64(number);
  return wanted;
}

// The verbs of one key, by key or by handle.
template <class Store>
struct by_key {
  explicit by_key(Store& store) : on(store) {}
  Store& on;
  auto read() { return on.read("a"); }
  auto put(auto value, auto... condition) { return on.put("a", std::move(value), condition...); }
  auto erase(auto... condition) { return on.erase("a", condition...); }
  auto mutate(auto f) { return on.mutate("a", f); }
};
template <class Store>
struct by_handle {
  explicit by_handle(Store& store) : on(store.at("a")) {}
  decltype(std::declval<Store&>().at("a")) on;
  auto read() { return on.read(); }
  auto put(auto value, auto... condition) { return on.put(std::move(value), condition...); }
  auto erase(auto... condition) { return on.erase(condition...); }
  auto mutate(auto f) { return on.mutate(f); }
};

template <class Kind, class V, template <class> class Surface>
struct way {
  using kind = Kind;
  using value = V;
  using store = typename Kind::template store<std::string, V>;
  using verbs = Surface<store>;
  static constexpr const char* how =
      requires(store& s) { Surface<store>(s).on.read(); } ? "by_handle" : "by_key";
};
struct way_names {
  template <class Way>
  static std::string GetName(int) {
    return std::string(Way::kind::name) + "_" + tests::sample<typename Way::value>::name + "_" +
           Way::how;
  }
};
using ways =
#if RATCHET_TESTS_NATIVE
    ::testing::Types<way<tests::mutex_kind, std::int64_t, by_key>,
                     way<tests::native_kind, std::int64_t, by_key>,
                     way<tests::native_kind, std::string, by_key>,
                     way<tests::native_kind, std::int64_t, by_handle>,
                     way<tests::native_kind, std::string, by_handle>>;
#else
    ::testing::Types<way<tests::mutex_kind, std::int64_t, by_key>>;
#endif

template <class Way>
class version_ends : public ::testing::Test {
 protected:
  using V = typename Way::value;
  using S = typename Way::store;
  using verbs = typename Way::verbs;
  static V value(std::uint32_t n) { return tests::sample<V>::of(n); }
  using decided = ratchet::decision<V>;

  struct write {
    const char* name;
    bool creates;  // works on an absent key
    bool erases;
    std::function<version(verbs&)> run;  // the version it made, or none
  };
  // Every way to make a version.
  static std::vector<write> writes() {
    const auto now = [](verbs& on) { return if_match(on.read().version()); };
    return {
        {"put", true, false, [](verbs& on) { return on.put(value(1)); }},
        {"put if_absent", true, false,
         [](verbs& on) { return on.put(value(2), if_absent).version(); }},
        {"put if_present", false, false,
         [](verbs& on) { return on.put(value(3), if_present).version(); }},
        {"put if_match", false, false,
         [=](verbs& on) { return on.put(value(4), now(on)).version(); }},
        {"mutate", true, false,
         [](verbs& on) { return on.mutate([](const V*) { return value(5); }).version; }},
        {"erase", false, true,
         [](verbs& on) {
           (void)on.erase();
           return on.read().version();
         }},
        {"erase if_match", false, true, [=](verbs& on) { return on.erase(now(on)).version(); }},
        {"mutate erases", false, true,
         [](verbs& on) { return on.mutate([](const V*) { return decided::erase(); }).version; }},
    };
  }
  // Leads the key to `at`, present or erased.
  static void lead_to(verbs& on, std::uint64_t at, bool present) {
    if (on.read().version().to_u64() == 0) (void)on.put(value(0));
    while (on.read().version().to_u64() + 1 < at) (void)on.put(value(0));
    if (!present)
      ASSERT_TRUE(on.erase());
    else
      (void)on.put(value(0));
    ASSERT_EQ(on.read().version().to_u64(), at);
    ASSERT_EQ(static_cast<bool>(on.read()), present);
  }
};
TYPED_TEST_SUITE(version_ends, ways, way_names);

TYPED_TEST(version_ends, F09_V1_every_write_counts_one_on_over_every_boundary) {
  using surface = typename TestFixture::verbs;
  for (const unsigned bits : {31u, 32u, 47u, 48u, 52u, 53u, 56u, 59u}) {
    const std::uint64_t boundary = std::uint64_t{1} << bits;
    for (const auto& one : this->writes()) {
      for (const std::uint64_t at : {boundary - 2, boundary - 1, boundary}) {
        SCOPED_TRACE(one.name + std::string(" at ") + std::to_string(at));
        typename TestFixture::S store(starting_after(boundary - 6));
        surface on(store);
        const bool present = !one.creates;
        this->lead_to(on, at, present);
        const version made = one.run(on);
        ASSERT_EQ(made.to_u64(), at + 1);
        ASSERT_EQ(on.read().version(), made);
        ASSERT_EQ(static_cast<bool>(on.read()), !one.erases);
        ASSERT_TRUE(one.erases || on.put(this->value(9), if_match(made)));
      }
    }
  }
}

TYPED_TEST(version_ends, F09_V4_every_write_after_the_last_version_is_refused_and_changes_nothing) {
  using surface = typename TestFixture::verbs;
  for (const bool present : {true, false}) {
    for (const auto& one : this->writes()) {
      if (!present && !one.creates) continue;
      if (present && std::string(one.name) == "put if_absent") continue;  // a conflict
      SCOPED_TRACE(one.name + std::string(present ? " present" : " erased"));
      typename TestFixture::S store(starting_after(last - 4));
      surface on(store);
      this->lead_to(on, last, present);
      const auto before = tests::number_of(on.read());
      try {
        (void)one.run(on);
        ADD_FAILURE() << "no error";
      } catch (const ratchet::limit_error& error) {
        EXPECT_EQ(error.which(), limit::version);
        const std::string says = error.what();
        EXPECT_NE(says.find(std::to_string(last)), std::string::npos) << says;
        EXPECT_NE(says.find("60 bits"), std::string::npos) << says;
      }
      ASSERT_EQ(tests::number_of(on.read()), before);
      ASSERT_EQ(on.read().version().to_u64(), last);
      ASSERT_EQ(store.size(), present ? 1u : 0u);
      // What would write nothing anyway still answers, and other keys are served.
      EXPECT_FALSE(on.put(this->value(9), if_match(version::from_u64(last - 1))));
      EXPECT_TRUE(store.put("b", this->value(9), if_absent));
    }
  }
}

TYPED_TEST(version_ends, V5_a_token_beyond_60_bits_matches_nothing) {
  using surface = typename TestFixture::verbs;
  typename TestFixture::S store;
  surface on(store);
  for (const bool present : {true, false}) {
    const version now = on.put(this->value(1));
    if (!present) (void)on.erase();
    const version at = on.read().version();
    for (std::uint64_t beyond = 1; beyond < 16; ++beyond) {
      for (const version like : {now, at}) {
        const if_match token(version::from_u64(like.to_u64() + (beyond << 60)));
        ASSERT_FALSE(on.put(this->value(2), token)) << beyond;
        ASSERT_FALSE(on.erase(token)) << beyond;
      }
    }
    ASSERT_EQ(on.read().version(), at);
    ASSERT_EQ(static_cast<bool>(on.read()), present);
  }
}

// Records are dropped, and their versions kept by the floor, up to 2^59; from there on they stay.
TYPED_TEST(version_ends, F09_V2_no_version_comes_back_where_records_are_no_longer_dropped) {
  using surface = typename TestFixture::verbs;
  for (const std::uint64_t left : {1u, 2u, 5u, 40u}) {
    typename TestFixture::S store(starting_after(droppable - left));
    version seen;
    for (int life = 0; life < 60; ++life) {
      {
        surface on(store);
        const version made = on.put(this->value(1), if_absent).version();
        ASSERT_GT(made, seen) << "life " << life << ", " << left << " below the end";
        ASSERT_FALSE(on.put(this->value(2), if_match(seen)));
        ASSERT_TRUE(on.erase());
        seen = version::from_u64(made.to_u64() + 1);
      }
      for (int n = 0; n < 60; ++n) {
        const std::string other = std::to_string(n);
        const version made = store.put(other, this->value(3));
        ASSERT_LT(made.to_u64(), droppable + 1'000);
        ASSERT_TRUE(store.erase(other));
      }
    }
    ASSERT_EQ(store.size(), 0u);
  }
}

template <class Kind>
class pattern_version_ends : public ::testing::Test {
 protected:
  using S = typename Kind::template store<std::string, std::int64_t>;
  template <class Call>
  static void refuses(const S& store, const Call& call) {
    const auto before = store.get("a");
    try {
      call();
      ADD_FAILURE() << "no error";
    } catch (const ratchet::limit_error& error) {
      EXPECT_EQ(error.which(), limit::version);
    }
    EXPECT_EQ(store.get("a").version(), before.version());
    EXPECT_EQ(static_cast<bool>(store.get("a")), static_cast<bool>(before));
    if (before) {
      EXPECT_EQ(*store.get("a"), *before);
    }
  }
};
TYPED_TEST_SUITE(pattern_version_ends, tests::all_kinds, tests::kind_names);

TYPED_TEST(pattern_version_ends, F09_a_ceiling_grants_nothing_after_the_last_version) {
  typename TestFixture::S store(starting_after(last - 3));
  ratchet::ceiling limited(store);
  while (store.get("a").version().to_u64() < last) ASSERT_TRUE(limited.try_acquire("a", 10));
  const auto taken = limited.taken("a");
  this->refuses(store, [&] { (void)limited.try_acquire("a", 10); });
  EXPECT_EQ(limited.taken("a"), taken);
  EXPECT_FALSE(limited.try_acquire("a", taken));  // a denial writes nothing
  EXPECT_TRUE(limited.try_acquire("b", 10));
}

TYPED_TEST(pattern_version_ends, F09_a_wallet_moves_nothing_after_the_last_version) {
  typename TestFixture::S store(starting_after(last - 3));
  ratchet::wallet money(store);
  ASSERT_TRUE(money.open("a", 10));
  while (store.get("a").version().to_u64() < last) ASSERT_TRUE(money.debit("a", 1));
  this->refuses(store, [&] { (void)money.debit("a", 1); });
  this->refuses(store, [&] { (void)money.credit("a", 1); });
  EXPECT_FALSE(money.debit("a", 1'000));
  EXPECT_EQ(money.open("a", 5).verdict, ratchet::wallet<typename TestFixture::S>::verdict::exists);
  EXPECT_EQ(money.balance("a").balance_minor, 8);

  typename TestFixture::S erased(starting_after(last - 2));
  ratchet::wallet gone(erased);
  ASSERT_TRUE(gone.open("a", 10));
  ASSERT_TRUE(erased.erase("a"));
  this->refuses(erased, [&] { (void)gone.open("a", 10); });
}

}  // namespace
