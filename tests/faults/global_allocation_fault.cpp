// F89 for memory that does not come from config.memory: the k-th `new` of the calling thread fails,
// for every k until the call succeeds. Both stores.
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "snapshot.hpp"
#include "unit/counted.hpp"
#include "unit/stores.hpp"

namespace {
thread_local std::int64_t until_failure = 0;
thread_local bool has_failed = false;
thread_local std::uint64_t allocations = 0;

void* allocate(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  if (until_failure > 0 && --until_failure == 0) {
    has_failed = true;
    throw std::bad_alloc();
  }
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* const made = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}
}  // namespace

// The program's own: every form of new that the library may use comes through here.
void* operator new(std::size_t bytes) { return allocate(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using tests::counted;

template <class Kind>
class global_allocation_faults : public ::testing::Test {
 protected:
  using S = typename Kind::template store<std::string, counted>;

  void TearDown() override { EXPECT_EQ(counted::alive, 0); }

  static auto look(const S& store) {
    static const std::vector<std::string> keys = {"present", "erased", "new"};
    return tests::take_snapshot(store, keys,
                                [](const counted& v) { return std::to_string(v.number()); });
  }
  static void fail_each(const char* name, const std::function<void(S&)>& what) {
    SCOPED_TRACE(name);
    for (std::int64_t k = 1;; ++k) {
      ASSERT_LT(k, 1'000) << "the call allocates without end";
      SCOPED_TRACE("allocation " + std::to_string(k));
      S store;
      store.put("present", counted(1));
      store.put("erased", counted(2));
      (void)store.erase("erased");
      const auto before = look(store);
      has_failed = false;
      until_failure = k;
      try {
        what(store);
        until_failure = 0;
      } catch (const std::bad_alloc&) {
        until_failure = 0;
        ASSERT_EQ(look(store), before);
        what(store);
      }
      if (!has_failed) return;
    }
  }
};
TYPED_TEST_SUITE(global_allocation_faults, tests::all_kinds, tests::kind_names);

TYPED_TEST(global_allocation_faults, F89_a_call_without_memory_changes_nothing) {
  // Keys made ahead: this thread's own strings are not what fails.
  static const std::string present = "present";
  static const std::string fresh = "new";
  static const std::string erased = "erased";
  this->fail_each("put replaces", [](auto& s) { s.put(present, counted(9)); });
  this->fail_each("put creates", [](auto& s) { s.put(fresh, counted(9)); });
  this->fail_each("put creates again", [](auto& s) { s.put(erased, counted(9)); });
  this->fail_each("put if_match conflicts", [](auto& s) {
    EXPECT_FALSE(s.put(present, counted(9), if_match{ratchet::version()}));
  });
  this->fail_each("put if_absent",
                  [](auto& s) { EXPECT_TRUE(s.put(fresh, counted(9), if_absent)); });
  this->fail_each("read", [](auto& s) { EXPECT_TRUE(s.read(present)); });
  this->fail_each("erase", [](auto& s) { EXPECT_TRUE(s.erase(present)); });
  this->fail_each("erase if_match", [](auto& s) {
    EXPECT_TRUE(s.erase(present, if_match{s.read(present).version()}));
  });
  this->fail_each("mutate", [](auto& s) {
    EXPECT_TRUE(s.mutate(fresh, [](const counted*) { return counted(9); }));
  });
}

#if RATCHET_TESTS_NATIVE
// The list of what is protected needs memory: without it nothing is freed, and nothing is lost.
TEST(global_allocations, F89_a_reclaim_without_memory_frees_nothing_and_the_next_one_all) {
  {
    ratchet::store<std::string, counted> store;
    store.put("k", counted(0));
    const auto held = store.read("k");
    store.put("k", counted(1));
    store.put("k", counted(2));
    const std::size_t waiting = store.stats_now().waiting_objects;
    has_failed = false;
    until_failure = 1;
    store.reclaim();
    until_failure = 0;
    EXPECT_TRUE(has_failed) << "this reclaim took no memory";
    EXPECT_EQ(store.stats_now().waiting_objects, waiting);
    EXPECT_EQ(held->number(), 0u);
    store.reclaim();
    EXPECT_EQ(store.stats_now().waiting_objects, 1u);
  }
  EXPECT_EQ(counted::alive, 0);
}

TEST(global_allocations, inlined_values_allocate_nothing_once_the_key_exists) {
  ratchet::store<std::string, std::int64_t> store;
  store.put("k", 1);
  const auto before = allocations;
  for (int n = 0; n < 1'000; ++n) {
    store.put("k", n);
    (void)store.get("k");
    (void)store.put("k", n, if_match{store.read("k").version()});
    (void)store.put("k", n, if_absent);
    (void)store.mutate("k", [](const std::int64_t* now) { return *now + 1; });
  }
  EXPECT_EQ(allocations, before);
}
#endif

}  // namespace
