// F89: the k-th allocation through config.memory fails, for every k until the call succeeds. After
// each failure the store is as it was; after the store's end no byte is out.
#include <functional>
#include <string>
#include <vector>

#include "snapshot.hpp"
#include "unit/counted.hpp"
#include "unit/failing_memory.hpp"
#include "unit/stores.hpp"

#if RATCHET_TESTS_NATIVE

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::if_present;
using tests::counted;
using tests::failing_memory;

std::string text(std::int64_t value) { return std::to_string(value); }
template <class V>
V value_of(int n) {
  if constexpr (std::is_same_v<V, counted>)
    return counted(static_cast<std::uint64_t>(n));
  else
    return n;
}
std::string text(const counted& value) { return std::to_string(value.number()); }

template <class V>
class allocation_faults : public ::testing::Test {
 protected:
  using S = ratchet::store<std::string, V>;
  using verb = std::function<void(S&)>;

  // Present: "present", "twice". Erased: "erased". Never made: "new".
  static const std::vector<std::string>& keys() {
    static const std::vector<std::string> all = {"present", "twice",   "erased",
                                                 "new",     "another", std::string(200, 'l')};
    return all;
  }
  static V value(int n) { return value_of<V>(n); }
  static auto look(const S& store) {
    return tests::take_snapshot(store, keys(), [](const V& v) { return text(v); });
  }
  static ratchet::config over(failing_memory& memory) {
    ratchet::config wanted;
    wanted.memory = &memory;
    wanted.hash_seed = 1;  // the same table for every k
    return wanted;
  }
  static void prepare(S& store) {
    store.put("present", value(1));
    store.put("twice", value(2));
    store.put("twice", value(3));
    store.put("erased", value(4));
    (void)store.erase("erased");
  }

  // Runs `what` on a fresh store with the k-th allocation failing, for every k that is reached.
  static void fail_each(const char* name, const verb& what) {
    SCOPED_TRACE(name);
    for (std::uint64_t k = 1;; ++k) {
      ASSERT_LT(k, 1'000u) << "the call allocates without end";
      SCOPED_TRACE("allocation " + std::to_string(k));
      failing_memory memory;
      bool was_reached = false;
      {
        S store(over(memory));
        prepare(store);
        const auto before = look(store);
        memory.fail_at(k);
        bool has_thrown = false;
        try {
          what(store);
        } catch (const std::bad_alloc&) {
          has_thrown = true;
        }
        was_reached = memory.has_failed();
        memory.fail_at(0);
        EXPECT_TRUE(was_reached || !has_thrown);
        if (has_thrown) {
          ASSERT_EQ(look(store), before);
          what(store);  // and it succeeds once there is memory again
        }
      }
      ASSERT_EQ(memory.bytes_out(), 0);
      ASSERT_EQ(memory.blocks_out(), 0);
      if (!was_reached) return;
    }
  }
  void TearDown() override { EXPECT_EQ(counted::alive, 0); }
};

using values = ::testing::Types<std::int64_t, counted>;
struct value_names {
  template <class V>
  static std::string GetName(int) {
    return std::is_same_v<V, counted> ? "boxed" : "inlined";
  }
};
TYPED_TEST_SUITE(allocation_faults, values, value_names);

TYPED_TEST(allocation_faults, F89_writes_that_do_not_get_their_memory_change_nothing) {
  const auto v = [](int n) { return value_of<TypeParam>(n); };
  const std::string long_key(200, 'l');
  this->fail_each("put replaces", [&](auto& s) { s.put("present", v(9)); });
  this->fail_each("put creates", [&](auto& s) { s.put("new", v(9)); });
  this->fail_each("put creates a long key", [&](auto& s) { s.put(long_key, v(9)); });
  this->fail_each("put creates again", [&](auto& s) { s.put("erased", v(9)); });
  this->fail_each("put if_match", [&](auto& s) {
    EXPECT_TRUE(s.put("twice", v(9), if_match{s.read("twice").version()}));
  });
  this->fail_each("put if_match conflicts", [&](auto& s) {
    EXPECT_FALSE(s.put("twice", v(9), if_match{ratchet::version()}));
  });
  this->fail_each("put if_absent", [&](auto& s) { EXPECT_TRUE(s.put("new", v(9), if_absent)); });
  this->fail_each("put if_absent conflicts",
                  [&](auto& s) { EXPECT_FALSE(s.put("present", v(9), if_absent)); });
  this->fail_each("put if_present",
                  [&](auto& s) { EXPECT_TRUE(s.put("twice", v(9), if_present)); });
}

TYPED_TEST(allocation_faults, F89_other_verbs_that_do_not_get_their_memory_change_nothing) {
  const auto v = [](int n) { return value_of<TypeParam>(n); };
  this->fail_each("read", [&](auto& s) { EXPECT_TRUE(s.read("present")); });
  this->fail_each("get", [&](auto& s) { EXPECT_TRUE(s.get("present")); });
  this->fail_each("erase", [&](auto& s) { EXPECT_TRUE(s.erase("present")); });
  this->fail_each("erase if_match", [&](auto& s) {
    EXPECT_TRUE(s.erase("present", if_match{s.read("present").version()}));
  });
  this->fail_each("mutate replaces", [&](auto& s) {
    EXPECT_TRUE(s.mutate("present", [&](const TypeParam*) { return v(9); }));
  });
  this->fail_each("mutate creates", [&](auto& s) {
    EXPECT_TRUE(s.mutate("new", [&](const TypeParam*) { return v(9); }));
  });
  this->fail_each("for_each", [&](auto& s) { s.for_each([](const auto&, const auto&, auto) {}); });
  this->fail_each("reserve", [&](auto& s) { s.reserve(2'000); });
  this->fail_each("handle", [&](auto& s) {
    auto handle = s.at("another");
    handle.put(v(9));
    EXPECT_TRUE(handle.erase());
    (void)s.erase("another");
  });
}

TYPED_TEST(allocation_faults, F89_a_store_that_cannot_be_made_leaves_nothing) {
  for (std::uint64_t k = 1; k < 100; ++k) {
    failing_memory memory;
    memory.fail_at(k);
    try {
      typename TestFixture::S store(this->over(memory));
    } catch (const std::bad_alloc&) {
    }
    ASSERT_EQ(memory.bytes_out(), 0) << "allocation " << k;
    if (!memory.has_failed()) return;
  }
  FAIL() << "an empty store allocates without end";
}

// Creates, replaces and erases so many keys that the table grows and drops erased records; `again`
// runs a call until it gets its memory.
template <class S, class Again>
void grow_and_shrink(S& store, const Again& again) {
  using V = typename S::value_type;
  for (int n = 0; n < 120; ++n)
    again([&] { store.put("key" + std::to_string(n), value_of<V>(n)); });
  for (int n = 0; n < 120; n += 2) again([&] { (void)store.erase("key" + std::to_string(n)); });
  for (int n = 120; n < 200; ++n)
    again([&] { store.put("key" + std::to_string(n), value_of<V>(n)); });
}

TYPED_TEST(allocation_faults, F89_growth_that_does_not_get_its_memory_loses_no_key) {
  for (std::uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 10'000u) << "the calls allocate without end";
    failing_memory memory;
    {
      typename TestFixture::S store(this->over(memory));
      memory.fail_at(k);
      grow_and_shrink(store, [&](const auto& call) {
        const std::size_t before = store.size();
        try {
          call();
        } catch (const std::bad_alloc&) {
          ASSERT_EQ(store.size(), before);
          call();
        }
      });
      for (int n = 0; n < 200; ++n) {
        const auto seen = store.read("key" + std::to_string(n));
        ASSERT_EQ(static_cast<bool>(seen), n >= 120 || n % 2 == 1) << n << ", allocation " << k;
        if (seen) {
          ASSERT_EQ(text(*seen), std::to_string(n));
        }
      }
      ASSERT_EQ(store.size(), 140u);
    }
    ASSERT_EQ(memory.bytes_out(), 0) << "allocation " << k;
    if (!memory.has_failed()) return;
  }
}

TYPED_TEST(allocation_faults, F89_memory_that_runs_out_for_good_is_reported_and_survived) {
  failing_memory memory;
  {
    typename TestFixture::S store(this->over(memory));
    std::uint64_t refused = 0;
    std::size_t made = 0;
    for (int n = 0; n < 2'000; ++n) {
      if (n > 500 && n < 1'500) memory.fail_at(1);  // every call's first allocation fails
      if (n == 1'500) memory.fail_at(0);
      try {
        store.put("key" + std::to_string(n), value_of<TypeParam>(n));
        ++made;
      } catch (const std::bad_alloc&) {
        ++refused;
        ASSERT_FALSE(store.read("key" + std::to_string(n))) << n;
      }
    }
    EXPECT_GT(refused, 0u);
    EXPECT_EQ(store.size(), made);
    std::size_t found = 0;
    for (int n = 0; n < 2'000; ++n) found += store.read("key" + std::to_string(n)) ? 1u : 0u;
    EXPECT_EQ(found, made);
  }
  EXPECT_EQ(memory.bytes_out(), 0);
}

TEST(allocations, inlined_values_allocate_nothing_once_the_key_exists) {
  failing_memory memory;
  ratchet::config wanted;
  wanted.memory = &memory;
  ratchet::store<std::string, std::int64_t> store(wanted);
  store.put("k", 1);
  const auto before = memory.allocations();
  for (int n = 0; n < 1'000; ++n) {
    store.put("k", n);
    (void)store.get("k");
    (void)store.put("k", n, if_match{store.read("k").version()});
    (void)store.put("k", n, if_absent);
    (void)store.mutate("k", [](const std::int64_t* now) { return *now + 1; });
  }
  EXPECT_EQ(memory.allocations(), before);
}

}  // namespace

#endif
