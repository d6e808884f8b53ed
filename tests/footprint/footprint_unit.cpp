// How many shared cache lines each operation reads and writes, pinned. It holds on any number of
// cores: what writes no line that another key's operations use does not slow them down.
#include <ratchet/patterns/ceiling.hpp>
#include <ratchet/patterns/wallet.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "footprint/world.hpp"

namespace {

ratchet::version next(ratchet::version at) { return ratchet::version::from_u64(at.to_u64() + 1); }

using footprint::of;
using footprint::sized_for;
using footprint::store_of;
using ratchet::if_absent;
using ratchet::if_match;

// Reads count lines that are not written as well; `accesses` are loads, stores and
// read-modify-writes of shared memory.
struct expected {
  std::size_t reads;
  std::size_t writes;
  std::size_t accesses;
};

void pin(const char* operation, const footprint::footprint& seen, expected wanted) {
  footprint::print(operation, seen);
  EXPECT_EQ(seen.reads(), wanted.reads) << operation;
  EXPECT_EQ(seen.writes(), wanted.writes) << operation;
  EXPECT_EQ(seen.accesses, wanted.accesses) << operation;
}

// The path of a key that is not there may lead past a neighbour's word.
void pin_miss(const char* operation, const footprint::footprint& seen) {
  footprint::print(operation, seen);
  EXPECT_LE(seen.reads(), 3u) << operation;
  EXPECT_EQ(seen.writes(), 0u) << operation;
  EXPECT_LE(seen.accesses, 5u) << operation;
}

constexpr std::uint64_t keys = 1'000;

// A store at the start of a cache line, so that which of its fields share one does not depend on
// where it happens to lie.
template <class Value>
struct alignas(64) world {
  world() : store(sized_for(keys, &lines)) { footprint::fill(store, keys); }
  footprint::whole_lines lines;
  alignas(64) store_of<Value> store;
};

// Boxed: copying it is not trivial.
struct large {
  explicit large(std::uint64_t n = 0) : number(n) {}
  large(const large& other) noexcept : number(other.number) {}
  large& operator=(const large&) = delete;
  std::uint64_t number;
};
static_assert(!ratchet::is_inlined<large>);

// P1: N = 1 for a get, N = 2 for a conditional put that commits, 1 for one that conflicts; of any
// key, in a store of any size.
TEST(footprints, P1_by_handle_an_inlined_value_takes_a_constant_number_of_accesses) {
  footprint::print_head();
  world<std::uint64_t> here;
  for (const std::uint64_t key : {0u, 1u, 500u, 999u}) {
    auto handle = here.store.at(key);
    const auto at = handle.get().version();
    pin("get, handle", of([&] { (void)handle.get(); }), {1, 0, 1});
    pin("put if_match, handle", of([&] { ASSERT_TRUE(handle.put(7, if_match{at})); }), {0, 1, 2});
    pin("put if_match that conflicts, handle",
        of([&] { ASSERT_FALSE(handle.put(8, if_match{at})); }), {1, 0, 1});
    pin("erase if_match that conflicts, handle",
        of([&] { ASSERT_FALSE(handle.erase(if_match{at})); }), {1, 0, 1});
  }
}

// Beyond its two accesses of the slot an erase counts itself in its thread's stripe, and looks
// whether the index is due to drop erased keys.
TEST(footprints, P1_erase_by_handle_takes_a_constant_number_while_no_clean_up_is_due) {
  world<std::uint64_t> here;
  for (const std::uint64_t key : {0u, 1u, 500u, 999u}) {
    auto handle = here.store.at(key);
    const auto at = handle.get().version();
    pin("erase if_match, handle", of([&] { ASSERT_TRUE(handle.erase(if_match{at})); }), {2, 2, 9});
    pin("erase of an absent key, handle", of([&] { ASSERT_FALSE(handle.erase()); }), {1, 0, 1});
  }
}

TEST(footprints, an_inlined_value_by_key) {
  world<std::uint64_t> here;
  auto& store = here.store;
  for (const std::uint64_t key : {0u, 1u, 500u, 999u}) {
    const auto at = store.get(key).version();
    pin("get", of([&] { (void)store.get(key); }), {3, 0, 6});
    pin_miss("get of a key that is not there", of([&] { (void)store.get(key + keys); }));
    pin("put", of([&] { store.put(key, 7); }), {3, 1, 9});
    pin("put if_match", of([&] { ASSERT_TRUE(store.put(key, 7, if_match{next(at)})); }), {2, 1, 7});
    pin("put if_match that conflicts", of([&] { ASSERT_FALSE(store.put(key, 8, if_match{at})); }),
        {3, 0, 6});
    pin("put if_absent that conflicts", of([&] { ASSERT_FALSE(store.put(key, 8, if_absent)); }),
        {4, 0, 8});
    pin("erase if_match that conflicts", of([&] { ASSERT_FALSE(store.erase(key, if_match{at})); }),
        {3, 0, 6});
    pin("mutate",
        of([&] { ASSERT_TRUE(store.mutate(key, [](const std::uint64_t* n) { return *n + 1; })); }),
        {2, 1, 13});
    pin("erase", of([&] { ASSERT_TRUE(store.erase(key)); }), {3, 2, 14});
    pin("erase of an absent key", of([&] { ASSERT_FALSE(store.erase(key)); }), {3, 0, 6});
  }
}

// The new value's box is fresh. What a put of a boxed value writes beside its slot: the line of its
// thread's stripe, where the old value waits, and the old value's own line, for the link.
TEST(footprints, a_boxed_value) {
  world<large> here;
  auto& store = here.store;
  for (const std::uint64_t key : {0u, 1u, 500u, 999u}) {
    store.reclaim();
    auto handle = store.at(key);
    pin("get, boxed, handle", of([&] { (void)handle.read(); }), {2, 0, 2});
    pin("get, boxed", of([&] { (void)store.read(key); }), {4, 0, 7});
    pin("put, boxed", of([&] { store.put(key, large(7)); }), {2, 3, 12});
    pin("put, boxed, handle", of([&] { handle.put(large(7)); }), {0, 3, 7});
    const auto old = store.read(key).version();
    handle.put(large(8));
    pin("put if_match that conflicts, boxed",
        of([&] { ASSERT_FALSE(store.put(key, large(9), if_match{old})); }), {5, 0, 9});
    store.reclaim();
    pin("erase, boxed", of([&] { ASSERT_TRUE(store.erase(key)); }), {3, 3, 18});
  }
}

TEST(footprints, refusals_of_patterns_write_nothing) {
  world<std::int64_t> here;
  ratchet::ceiling limiter(here.store);
  ratchet::wallet wallet(here.store);
  for (const std::uint64_t key : {0u, 1u, 500u, 999u}) {
    here.store.put(key, 5);
    pin("ceiling: denied", of([&] { ASSERT_FALSE(limiter.try_acquire(key, 5)); }), {3, 0, 6});
    pin("ceiling: granted", of([&] { ASSERT_TRUE(limiter.try_acquire(key, 6)); }), {2, 1, 13});
    pin("wallet: debit refused", of([&] { ASSERT_FALSE(wallet.debit(key, 100)); }), {3, 0, 6});
    pin("wallet: debit done", of([&] { ASSERT_TRUE(wallet.debit(key, 1)); }), {2, 1, 13});
    pin_miss("wallet: no such wallet", of([&] { ASSERT_FALSE(wallet.debit(key + keys, 1)); }));
  }
}

}  // namespace
