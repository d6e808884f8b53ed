// Corners: alignment, hashes at the ends of their range, user code that calls stores, versions near
// the point from which records are never dropped.
#include <array>
#include <latch>
#include <limits>
#include <memory>
#include <memory_resource>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "counted.hpp"
#include "stores.hpp"

// A note of g++ about how it passed over-aligned arguments before version 4.6.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::version;

template <class Kind>
class store_edges : public ::testing::Test {};
TYPED_TEST_SUITE(store_edges, tests::all_kinds, tests::kind_names);

template <std::uint64_t Hash>
struct constant_options : ratchet::options {
  struct hash {
    std::uint64_t operator()(std::uint64_t, std::uint64_t) const noexcept { return Hash; }
  };
};

template <class Kind, std::uint64_t Hash>
void fill_and_count() {
  using K = std::uint64_t;
  typename Kind::template store<K, K, constant_options<Hash>> store;
  for (std::uint64_t n = 0; n < 200; ++n) ASSERT_TRUE(store.put(n, n, if_absent));
  for (std::uint64_t n = 0; n < 200; n += 2) ASSERT_TRUE(store.erase(n));
  std::vector<int> shown(200);
  store.for_each([&](std::uint64_t key, std::uint64_t, version) { ++shown[key]; });
  for (std::uint64_t n = 0; n < 200; ++n) ASSERT_EQ(shown[n], static_cast<int>(n % 2)) << n;
  EXPECT_EQ(store.erase_if([](std::uint64_t, std::uint64_t, version) { return true; }), 100u);
  EXPECT_EQ(store.size(), 0u);
}

TYPED_TEST(store_edges, hashes_at_the_ends_of_their_range_wrap_round_and_are_walked_once) {
  constexpr auto last = std::numeric_limits<std::uint64_t>::max();
  fill_and_count<TypeParam, 0>();
  fill_and_count<TypeParam, 1>();
  fill_and_count<TypeParam, last / 2>();
  fill_and_count<TypeParam, last>();
}

template <std::size_t Alignment>
struct alignas(Alignment) wide {
  explicit wide(std::uint64_t n) : number(n) { rest.fill(n); }
  std::uint64_t number;
  std::array<std::uint64_t, Alignment / 8 - 1> rest;
  friend bool operator==(const wide&, const wide&) = default;
  [[nodiscard]] bool lies_well() const {
    return reinterpret_cast<std::uintptr_t>(this) % Alignment == 0;
  }
};

TYPED_TEST(store_edges, values_and_keys_lie_as_aligned_as_they_ask) {
  using K = wide<64>;
  using V = wide<128>;
  typename TypeParam::template store<K, std::unique_ptr<V>> far;
  typename TypeParam::template store<K, wide<64>> near;
  for (std::uint64_t n = 0; n < 100; ++n) {
    far.put(K(n), std::make_unique<V>(n));
    near.put(K(n), wide<64>(n));
  }
  for (std::uint64_t n = 0; n < 100; ++n) {
    const auto seen = near.read(K(n));
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->number, n);
    EXPECT_TRUE(seen->lies_well());
    EXPECT_EQ((*far.read(K(n)))->number, n);
  }
  near.for_each([&](const K& key, const wide<64>& value, version) {
    EXPECT_EQ(key, value);
    EXPECT_TRUE(key.lies_well());
  });
}

struct small_and_padded {
  std::uint32_t number;
  std::uint8_t flag;
};
struct no_default {
  explicit no_default(std::int32_t n) : number(n) {}
  std::int32_t number;
};

TYPED_TEST(store_edges, values_of_every_inlined_shape_come_back) {
  typename TypeParam::template store<int, bool> bools;
  bools.put(1, true);
  EXPECT_TRUE(*bools.get(1));
  typename TypeParam::template store<int, small_and_padded> padded;
  const auto made = padded.put(1, {5, 6});
  EXPECT_TRUE(padded.put(1, {7, 8}, if_match{made}));
  EXPECT_EQ(padded.get(1)->number, 7u);
  EXPECT_EQ(padded.get(1)->flag, 8u);
  typename TypeParam::template store<int, no_default> plain;
  plain.put(1, no_default(9));
  EXPECT_EQ(plain.get(1)->number, 9);
  typename TypeParam::template store<int, double> doubles;
  doubles.put(1, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(doubles.mutate(1, [](const double* now) { return *now + 1; }));
  EXPECT_NE(*doubles.get(1), *doubles.get(1));
  typename TypeParam::template store<int, const char*> pointers;
  pointers.put(1, "text");
  EXPECT_STREQ(*pointers.get(1), "text");
}

TYPED_TEST(store_edges, a_reserve_that_no_memory_can_hold_is_refused) {
  using store_type = typename TypeParam::template store<int, int>;
  ratchet::config wanted;
  wanted.reserve = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(store_type store(wanted), std::exception);
  wanted.reserve = std::numeric_limits<std::size_t>::max() / 16;
  EXPECT_THROW(store_type store(wanted), std::exception);
}

TYPED_TEST(store_edges, F09_records_that_are_never_dropped_do_not_stop_creations) {
  ratchet::config wanted;
  wanted.first = version::from_u64(ratchet::limits::version_droppable_max + 5);
  typename TypeParam::template store<std::uint64_t, std::uint64_t> store(wanted);
  for (std::uint64_t n = 0; n < 4'000; ++n) {
    const version made = store.put(n, n);
    ASSERT_GT(made, wanted.first);
    ASSERT_TRUE(store.erase(n));
  }
  EXPECT_EQ(store.size(), 0u);
  for (std::uint64_t n = 0; n < 4'000; n += 100) ASSERT_TRUE(store.put(n, n, if_absent));
}

// An equality and a hash that call a store in turn, and values that do so as they move.
template <class Store>
struct calling_options : ratchet::options {
  inline static Store* other = nullptr;
  static void call() {
    if (other == nullptr) return;
    other->put(1, std::string("a value too long to lie in a string itself"));
    (void)other->get(1);
    other->put(2, "x");
    (void)other->erase(2);
  }
  struct hash {
    std::uint64_t operator()(std::uint64_t key, std::uint64_t) const {
      call();
      return key % 4;
    }
  };
  struct key_equal {
    bool operator()(std::uint64_t a, std::uint64_t b) const {
      call();
      return a == b;
    }
  };
};

TYPED_TEST(store_edges, hash_and_equality_may_use_another_store) {
  using other_type = typename TypeParam::template store<int, std::string>;
  using Options = calling_options<other_type>;
  other_type other;
  Options::other = &other;
  {
    typename TypeParam::template store<std::uint64_t, std::string, Options> store;
    for (std::uint64_t n = 0; n < 60; ++n) store.put(n, std::to_string(n));
    for (std::uint64_t n = 0; n < 60; n += 2) (void)store.erase(n);
    for (std::uint64_t n = 0; n < 60; ++n)
      ASSERT_EQ(static_cast<bool>(store.read(n)), n % 2 == 1) << n;
  }
  Options::other = nullptr;
  EXPECT_TRUE(other.get(1));
}

TYPED_TEST(store_edges, the_function_of_mutate_may_use_the_store_it_is_called_from) {
  typename TypeParam::template store<int, std::string> store;
  store.put(1, "first");
  const auto done = ratchet::mutate<false>(store, 1, [&](const std::string* now) {
    for (int n = 0; n < 2'000; ++n) {
      store.put(2, std::to_string(n));
      if (n % 100 == 0) store.put(1'000 + n, "more");
    }
    return *now + " and " + *store.get(2);
  });
  EXPECT_TRUE(done);
  EXPECT_EQ(*store.get(1), "first and 1999");
}

// keys_max counts keys, not callers: a caller that finds its key there (or whose key is being made
// by another) takes no room.
class pausing_memory : public std::pmr::memory_resource {
 public:
  // The calling thread's next allocation says so, and waits until it may go on.
  void pause_next() { pausing_ = true; }
  void wait_until_paused() { paused_.wait(); }
  void go_on() { resumed_.count_down(); }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (std::exchange(pausing_, false)) {
      paused_.count_down();
      resumed_.wait();
    }
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
  inline static thread_local bool pausing_ = false;
  std::latch paused_{1};
  std::latch resumed_{1};
};

#if RATCHET_TESTS_NATIVE
TEST(store_edges_native, keys_max_does_not_refuse_a_key_because_another_caller_is_making_it) {
  pausing_memory memory;
  ratchet::config wanted;
  wanted.keys_max = 1;
  wanted.memory = &memory;
  ratchet::store<std::string, std::string> store(wanted);
  store.put("k", "once");
  (void)store.erase("k");
  std::thread slow([&] {
    memory.pause_next();  // stops within the put below, wherever that allocates
    try {
      store.put("k", "slow");
    } catch (const ratchet::limit_error& error) {
      ADD_FAILURE() << "one key of one is never too many: " << error.what();
    }
  });
  memory.wait_until_paused();
  try {
    store.put("k", "fast");
  } catch (const ratchet::limit_error& error) {
    ADD_FAILURE() << "one key of one is never too many: " << error.what();
  }
  memory.go_on();
  slow.join();
  EXPECT_TRUE(store.get("k"));
}

TEST(store_edges_native, handles_of_more_keys_than_the_table_has_words_do_not_stop_creations) {
  ratchet::store<std::uint64_t, std::uint64_t> store;
  std::vector<decltype(store.at(0))> handles;
  for (std::uint64_t n = 0; n < 5'000; ++n) handles.push_back(store.at(n));
  EXPECT_EQ(store.size(), 0u);
  for (std::uint64_t n = 10'000; n < 20'000; ++n) {
    store.put(n, n);
    (void)store.erase(n);
  }
  for (std::uint64_t n = 0; n < 5'000; ++n) handles[n].put(n);
  EXPECT_EQ(store.size(), 5'000u);
  handles.clear();
  for (std::uint64_t n = 0; n < 5'000; ++n) ASSERT_EQ(*store.get(n), n);
}

// Records of handles stay, also erased ones; what a clean-up keeps of them and what is made while
// it runs must fit the next table, however often that happens before the table grows.
void overfill(std::uint64_t erasures, std::uint64_t creations) {
  ratchet::store<std::uint64_t, int> store;
  std::vector<decltype(store.at(0))> handles;
  const auto make_one = [&] { handles.push_back(store.at(handles.size())); };
  const auto erase_one = [&] {
    handles[0].put(1);
    ASSERT_TRUE(handles[0].erase());
  };
  for (int n = 0; n < 700; ++n) make_one();
  const auto was_words = store.stats_now().index_words;
  for (int round = 0; round < 60 && store.stats_now().index_words == was_words; ++round) {
    const auto was_migrations = store.stats_now().migrations;
    for (int n = 0; n < 5'000 && store.stats_now().migrations == was_migrations; ++n) erase_one();
    for (std::uint64_t n = 0; n < erasures; ++n) erase_one();
    for (std::uint64_t n = 0; n < creations; ++n) make_one();
  }
  for (std::uint64_t n = 1; n < handles.size(); ++n) ASSERT_FALSE(handles[n].read());
}

TEST(store_edges_native, F87_clean_ups_that_keep_pinned_records_leave_room_for_creations) {
  for (const std::uint64_t erasures : {1u, 2u, 4u, 8u, 16u, 17u, 32u, 33u, 64u, 65u})
    for (const std::uint64_t creations : {1u, 4u, 8u, 14u, 15u, 30u}) overfill(erasures, creations);
}

TEST(store_edges_native, a_reserve_asked_for_later_is_refused_like_one_asked_for_first) {
  ratchet::store<int, int> store;
  store.put(1, 1);
  EXPECT_THROW(store.reserve(std::numeric_limits<std::size_t>::max()), std::exception);
  EXPECT_THROW(store.reserve(std::numeric_limits<std::size_t>::max() / 16), std::exception);
  store.reserve(10'000);
  for (int n = 0; n < 1'000; ++n) store.put(n, n);
  EXPECT_EQ(store.size(), 1'000u);
}

// A value whose destructor writes to its own store, also while that store ends.
struct writer {
  void (*write)(void* store, int depth) = nullptr;
  void* store = nullptr;
  int depth = 0;
  inline static std::int64_t alive = 0;
  writer(void (*how)(void*, int), void* where, int levels)
      : write(how), store(where), depth(levels) {
    ++alive;
  }
  writer(writer&& other) noexcept
      : write(std::exchange(other.write, nullptr)), store(other.store), depth(other.depth) {
    ++alive;
  }
  writer& operator=(writer&&) = delete;
  ~writer() {
    --alive;
    if (write != nullptr && depth > 0) write(store, depth - 1);
  }
};
using store_of_writers = ratchet::store<int, writer>;
void write_one(void* store, int depth) {
  static_cast<store_of_writers*>(store)->put(depth, writer(write_one, store, depth));
}

TEST(store_edges_native, FL3_a_value_may_write_to_its_store_while_that_ends) {
  {
    store_of_writers store;
    for (int n = 100; n < 110; ++n) store.put(n, writer(write_one, &store, 50));
  }
  EXPECT_EQ(writer::alive, 0);
}
#endif

}  // namespace
