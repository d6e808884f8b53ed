// F89 for memory that does not come from config.memory: the k-th `new` of the calling thread fails,
// for every k until the call succeeds. Both stores.
#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <latch>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "every_call.hpp"
#include "unit/counted.hpp"

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
thread_local bool refuses_thread_values = false;
}  // namespace

// Refuses, where asked to, as it does when it has no memory for the thread's values.
extern "C" int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  using function = int(pthread_key_t, const void*);
  static auto* const real = reinterpret_cast<function*>(::dlsym(RTLD_NEXT, "pthread_setspecific"));
  return refuses_thread_values ? ENOMEM : real(key, value);
}

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

struct global_fault {
  using error_type = std::bad_alloc;
  [[nodiscard]] static ratchet::config config() { return {}; }
  static void arm(std::uint64_t k) {
    has_failed = false;
    until_failure = static_cast<std::int64_t>(k);
  }
  [[nodiscard]] static bool has_tripped() { return has_failed; }
  static void disarm() { until_failure = 0; }
  static std::int64_t alive() { return counted::alive; }
  [[nodiscard]] static std::int64_t leak() { return counted::alive; }
};

// Moving it takes memory.
struct copied {
  explicit copied(int n) : text(100, static_cast<char>('a' + n)) {}
  copied(const copied&) = default;
  copied& operator=(const copied&) = delete;
  ~copied() = default;
  std::string text;
  friend bool operator==(const copied&, const copied&) = default;
};

struct samples {
  using answer = copied;
  static std::string key(int n) { return "key" + std::to_string(n); }
  static counted value(int n) { return counted(static_cast<std::uint64_t>(n)); }
  static std::string text(const counted& value) { return std::to_string(value.number()); }
  static void step() {}
};

template <class Kind>
class global_allocation_faults : public ::testing::Test {};
TYPED_TEST_SUITE(global_allocation_faults, tests::all_kinds, tests::kind_names);

TYPED_TEST(global_allocation_faults, F89_E1_a_call_without_memory_changes_nothing) {
  using world = tests::prepared<typename TypeParam::template store<std::string, counted>, samples>;
  std::uint64_t thrown = 0;
  for (const auto& call : tests::every_call<world>()) {
    SCOPED_TRACE(call.name);
    thrown += tests::fail_each<world, global_fault>(call).thrown;
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
  EXPECT_GT(thrown, 0u);
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

// A store whose hash makes the call of another one: that call finds its thread inside a guard, and
// takes the hazards it needs from what views have left.
struct calling_options : ratchet::options {
  inline static const std::function<void()>* call = nullptr;
  struct hash {
    std::uint64_t operator()(int key) const {
      if (call != nullptr) (*std::exchange(call, nullptr))();
      return static_cast<std::uint64_t>(key);
    }
  };
};

// Views that leave no hazard free where three neighbours are wanted: the next ones must be made.
class used_up_hazards {
 public:
  used_up_hazards() { shown_.put(1, counted(1)); }
  void take() {
    views_.reserve(100'000);
    const auto before = allocations;
    while (allocations == before) views_.push_back(shown_.read(1));
    views_.push_back(shown_.read(1));
  }
  void let_go() { views_.clear(); }

 private:
  ratchet::store<int, counted> shown_;
  std::vector<ratchet::view<counted>> views_;
};

struct nested_fault : global_fault {
  used_up_hazards hazards;
  void arm(std::uint64_t k) {
    hazards.take();
    global_fault::arm(k);
  }
  void disarm() {
    global_fault::disarm();
    hazards.let_go();
  }
  static std::int64_t leak() { return counted::alive - 1; }
};

TEST(global_allocations, F89_E1_a_call_from_within_a_hash_without_memory_changes_nothing) {
  using world = tests::prepared<ratchet::store<std::string, counted>, samples>;
  ratchet::store<int, int, calling_options> outer;
  std::uint64_t thrown = 0;
  for (const auto& call : tests::every_call<world>()) {
    SCOPED_TRACE(call.name);
    auto nested = call;
    nested.run = [&](world& in) {
      const std::function<void()> inner = [&] { call.run(in); };
      calling_options::call = &inner;
      (void)outer.read(1);
    };
    thrown += tests::fail_each<world, nested_fault>(nested).thrown;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(thrown, 0u);
}

// T: threads are not registered, so any call may be a thread's first, which makes its record where
// no ended thread has left one.
TEST(global_allocations, E1_T_a_thread_whose_first_call_gets_no_memory_may_call_again) {
  ratchet::store<int, int> store;
  store.put(1, 1);
  bool has_thrown = false;
  std::latch done(1);
  std::vector<std::thread> attached;  // they live on: none of their records is free
  for (int n = 0; n < 200 && !has_thrown; ++n) {
    std::latch called(1);
    attached.emplace_back([&] {
      until_failure = 1;
      try {
        (void)store.get(1);
      } catch (const std::bad_alloc&) {
        has_thrown = true;
      }
      until_failure = 0;
      EXPECT_EQ(*store.get(1), 1);
      called.count_down();
      done.wait();
    });
    called.wait();
  }
  done.count_down();
  for (auto& thread : attached) thread.join();
  EXPECT_TRUE(has_thrown) << "no thread had to make a record: this run proves nothing";
}

TEST(global_allocations, D4_E1_a_thread_that_cannot_ask_to_be_told_of_its_end_leaves_no_record) {
  ratchet::store<int, int> store;
  store.put(1, 1);
  const auto before = ratchet::native::domain_now().records;
  for (int n = 0; n < 50; ++n)
    std::thread([&] {
      refuses_thread_values = true;
      EXPECT_THROW((void)store.get(1), std::bad_alloc);
      refuses_thread_values = false;
      EXPECT_EQ(*store.get(1), 1);
    }).join();
  EXPECT_LE(ratchet::native::domain_now().records, before + 1);
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
