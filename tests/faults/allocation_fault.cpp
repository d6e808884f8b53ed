// E1, F89: the k-th allocation through config.memory fails while a store is made, and while keys
// come, go and move to other tables; after the store's end no byte is out. Single calls:
// every_call_fault.
#include <string>

#include "unit/counted.hpp"
#include "unit/failing_memory.hpp"
#include "unit/stores.hpp"

#if RATCHET_TESTS_NATIVE

namespace {

using ratchet::if_absent;
using ratchet::if_match;
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
  static ratchet::config over(failing_memory& memory) {
    ratchet::config wanted;
    wanted.memory = &memory;
    wanted.hash_seed = 1;  // the same table for every k
    return wanted;
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
