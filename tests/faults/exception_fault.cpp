// F89: the k-th call of user code throws - copy, move, hash, equality, the function given to mutate
// - for every k until the call succeeds. The store is as it was, and nothing leaks.
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "snapshot.hpp"
#include "unit/stores.hpp"

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::if_present;

struct tripped : std::runtime_error {
  tripped() : std::runtime_error("tripped") {}
};

// Counts calls of user code; the k-th throws.
struct tripwire {
  inline static std::int64_t until = 0;
  inline static bool has_tripped = false;
  inline static std::int64_t alive = 0;
  static void arm(std::int64_t k) {
    until = k;
    has_tripped = false;
  }
  static void step() {
    if (until > 0 && --until == 0) {
      has_tripped = true;
      throw tripped();
    }
  }
};

// A key and a value all of whose constructors may throw.
template <class Tag>
class fussy {
 public:
  explicit fussy(int n) : number(n) { ++tripwire::alive; }
  fussy(const fussy& other) : number(other.number) {
    tripwire::step();
    ++tripwire::alive;
  }
  fussy(fussy&& other) : number(other.number) {  // NOLINT: may throw on purpose
    tripwire::step();
    ++tripwire::alive;
  }
  fussy& operator=(const fussy&) = delete;
  ~fussy() { --tripwire::alive; }
  int number;
};
using fussy_key = fussy<struct key_tag>;
using fussy_value = fussy<struct value_tag>;

struct fussy_options : ratchet::options {
  struct hash {
    std::uint64_t operator()(const fussy_key& key, std::uint64_t) const {
      tripwire::step();
      return static_cast<std::uint64_t>(key.number % 3);  // some collide, so that equality is asked
    }
  };
  struct key_equal {
    bool operator()(const fussy_key& a, const fussy_key& b) const {
      tripwire::step();
      return a.number == b.number;
    }
  };
};

template <class Kind>
class exception_faults : public ::testing::Test {
 protected:
  using S = typename Kind::template store<fussy_key, fussy_value, fussy_options>;

  void SetUp() override { ASSERT_EQ(tripwire::alive, 0); }
  void TearDown() override { EXPECT_EQ(tripwire::alive, 0); }

  static auto look(const S& store) {
    std::vector<fussy_key> keys;
    keys.reserve(12);
    for (int n = 0; n < 12; ++n) keys.emplace_back(n);
    return tests::take_snapshot(store, keys,
                                [](const fussy_value& v) { return std::to_string(v.number); });
  }
  // 0 to 3 present, 4 replaced once, 5 erased, from 6 on never made.
  static void prepare(S& store) {
    for (int n = 0; n < 6; ++n) store.put(fussy_key(n), fussy_value(n));
    store.put(fussy_key(4), fussy_value(40));
    (void)store.erase(fussy_key(5));
  }
  static void throw_each(const char* name, const std::function<void(S&)>& what) {
    SCOPED_TRACE(name);
    std::int64_t steps = 0;
    for (std::int64_t k = 1;; ++k) {
      ASSERT_LT(k, 1'000) << "user code is called without end";
      SCOPED_TRACE("call " + std::to_string(k));
      {
        S store;
        prepare(store);
        const auto before = look(store);
        const auto alive = tripwire::alive;
        tripwire::arm(k);
        try {
          what(store);
        } catch (const tripped&) {
          tripwire::until = 0;
          ASSERT_EQ(look(store), before);
          EXPECT_EQ(tripwire::alive, alive) << "something leaked, or died twice";
          what(store);  // and it succeeds once nothing throws
        }
        tripwire::until = 0;
      }
      ASSERT_EQ(tripwire::alive, 0);
      if (!tripwire::has_tripped) {
        EXPECT_GT(steps, 0) << "no user code was called: this run proves nothing";
        return;
      }
      ++steps;
    }
  }
};
TYPED_TEST_SUITE(exception_faults, tests::all_kinds, tests::kind_names);

TYPED_TEST(exception_faults, F89_writes_change_nothing_when_user_code_throws) {
  const auto k = [](int n) { return fussy_key(n); };
  const auto v = [](int n) { return fussy_value(n); };
  this->throw_each("put replaces", [&](auto& s) { s.put(k(1), v(9)); });
  this->throw_each("put creates", [&](auto& s) { s.put(k(7), v(9)); });
  this->throw_each("put creates again", [&](auto& s) { s.put(k(5), v(9)); });
  this->throw_each("put if_match", [&](auto& s) {
    EXPECT_TRUE(s.put(k(4), v(9), if_match{s.read(k(4)).version()}));
  });
  this->throw_each("put if_match conflicts",
                   [&](auto& s) { EXPECT_FALSE(s.put(k(4), v(9), if_match{ratchet::version()})); });
  this->throw_each("put if_match on absent",
                   [&](auto& s) { EXPECT_FALSE(s.put(k(7), v(9), if_match{ratchet::version()})); });
  this->throw_each("put if_absent", [&](auto& s) { EXPECT_TRUE(s.put(k(7), v(9), if_absent)); });
  this->throw_each("put if_absent conflicts",
                   [&](auto& s) { EXPECT_FALSE(s.put(k(1), v(9), if_absent)); });
  this->throw_each("put if_present", [&](auto& s) { EXPECT_TRUE(s.put(k(1), v(9), if_present)); });
  this->throw_each("put if_present on absent",
                   [&](auto& s) { EXPECT_FALSE(s.put(k(8), v(9), if_present)); });
}

TYPED_TEST(exception_faults, F89_other_verbs_change_nothing_when_user_code_throws) {
  const auto k = [](int n) { return fussy_key(n); };
  this->throw_each("read", [&](auto& s) { EXPECT_TRUE(s.read(k(1))); });
  this->throw_each("get", [&](auto& s) { EXPECT_TRUE(s.get(k(1))); });
  this->throw_each("erase", [&](auto& s) { EXPECT_TRUE(s.erase(k(1))); });
  this->throw_each("erase if_match",
                   [&](auto& s) { EXPECT_TRUE(s.erase(k(1), if_match{s.read(k(1)).version()})); });
  this->throw_each("for_each", [&](auto& s) {
    s.for_each([](const auto&, const auto&, auto) { tripwire::step(); });
  });
}

TYPED_TEST(exception_faults, F89_mutate_changes_nothing_when_user_code_throws) {
  const auto put = [](const fussy_value*) {
    tripwire::step();
    return fussy_value(9);
  };
  using decided = ratchet::decision<fussy_value>;
  const auto erase = [](const fussy_value*) {
    tripwire::step();
    return decided::erase();
  };
  this->throw_each("mutate replaces", [&](auto& s) { EXPECT_TRUE(s.mutate(fussy_key(1), put)); });
  this->throw_each("mutate creates", [&](auto& s) { EXPECT_TRUE(s.mutate(fussy_key(7), put)); });
  this->throw_each("mutate creates again",
                   [&](auto& s) { EXPECT_TRUE(s.mutate(fussy_key(5), put)); });
  this->throw_each("mutate erases", [&](auto& s) { EXPECT_TRUE(s.mutate(fussy_key(1), erase)); });
}

TYPED_TEST(exception_faults, F89_growth_loses_no_key_when_user_code_throws) {
  const auto again = [](const auto& call) {
    try {
      call();
    } catch (const tripped&) {
      call();
    }
  };
  std::int64_t rounds = 0;
  for (std::int64_t k = 1;; k += 1 + k / 8, ++rounds) {
    {
      typename TestFixture::S store;
      tripwire::arm(k);
      for (int n = 0; n < 60; ++n) again([&] { store.put(fussy_key(n), fussy_value(n)); });
      for (int n = 0; n < 60; n += 2) again([&] { (void)store.erase(fussy_key(n)); });
      for (int n = 60; n < 90; ++n) again([&] { store.put(fussy_key(n), fussy_value(n)); });
      tripwire::until = 0;
      for (int n = 0; n < 90; ++n)
        ASSERT_EQ(static_cast<bool>(store.read(fussy_key(n))), n >= 60 || n % 2 == 1) << n;
      ASSERT_EQ(store.size(), 60u);
    }
    ASSERT_EQ(tripwire::alive, 0);
    if (!tripwire::has_tripped) break;
  }
  EXPECT_GT(rounds, 10);
}

#if RATCHET_TESTS_NATIVE
TEST(exception_faults_of_handles, F89_handles_change_nothing_when_user_code_throws) {
  using store_type = ratchet::store<fussy_key, fussy_value, fussy_options>;
  for (std::int64_t k = 1; k < 1'000; ++k) {
    {
      store_type store;
      store.put(fussy_key(1), fussy_value(1));
      const auto run = [&] {
        auto present = store.at(fussy_key(1));
        auto absent = store.at(fussy_key(2));
        present.put(fussy_value(2));
        absent.put(fussy_value(3));
      };
      tripwire::arm(k);
      try {
        run();
      } catch (const tripped&) {
        tripwire::until = 0;
        const auto seen = store.read(fussy_key(1));
        ASSERT_TRUE(seen && (seen->number == 1 || seen->number == 2));
        ASSERT_EQ(store.size(), 1u);
        run();
      }
      tripwire::until = 0;
      ASSERT_EQ(store.read(fussy_key(1))->number, 2);
      ASSERT_EQ(store.read(fussy_key(2))->number, 3);
      ASSERT_EQ(store.size(), 2u);
    }
    ASSERT_EQ(tripwire::alive, 0);
    if (!tripwire::has_tripped) return;
  }
  FAIL() << "user code is called without end";
}
#endif

}  // namespace
