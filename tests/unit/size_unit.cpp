// Values and keys at the ends of their sizes: from nothing to a mebibyte, aligned beyond a cache
// line and beyond a page, and keys that are too long to be named.
#include <pthread.h>
#include <sys/mman.h>

#include <array>
#include <cstring>
#include <memory>
#include <string_view>

#include "failing_memory.hpp"
#include "stores.hpp"

// A note of g++ about how it passed over-aligned arguments before version 4.6.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::limit;
using ratchet::version;

template <std::size_t Size, std::size_t Alignment = 1>
struct alignas(Alignment) bytes {
  std::array<unsigned char, Size> all;
  explicit bytes(unsigned char n) { all.fill(n); }
  [[nodiscard]] bool is(unsigned char n) const {
    return reinterpret_cast<std::uintptr_t>(this) % Alignment == 0 && all.front() == n &&
           std::memcmp(all.data(), all.data() + 1, Size - 1) == 0;
  }
};
// A large one is copied in a function of its own: compilers take minutes over what they inline.
template <std::size_t Size, std::size_t Alignment = 1>
struct large : bytes<Size, Alignment> {
  [[gnu::noinline]] explicit large(unsigned char n) : bytes<Size, Alignment>(n) {}
  [[gnu::noinline]] large(const large& from) : bytes<Size, Alignment>(0) {
    std::memcpy(this->all.data(), from.all.data(), Size);
  }
  large& operator=(const large&) = delete;
  ~large() = default;
};
// Nothing but an address, inlined and boxed.
struct empty {
  explicit empty(unsigned char) {}
  [[nodiscard]] static bool is(unsigned char) { return true; }
};
struct empty_boxed : empty {
  using empty::empty;
  empty_boxed(empty_boxed&&) noexcept : empty(0) {}
};
static_assert(ratchet::is_inlined<empty> && !ratchet::is_inlined<empty_boxed>);
static_assert(ratchet::is_inlined<bytes<8>> && !ratchet::is_inlined<bytes<9>>);

// Large values are made where they do not burden the stack.
template <class V>
std::unique_ptr<V> made(unsigned char n) {
  return std::make_unique<V>(n);
}

template <class V, class Verbs>
void through_every_verb(Verbs& on) {
  const version first = on.put(std::move(*made<V>(1)));
  ASSERT_TRUE(on.read() && on.read()->is(1));
  auto again = on.put(std::move(*made<V>(2)), if_match(first));
  ASSERT_TRUE(again);
  auto lost = on.put(std::move(*made<V>(3)), if_absent);
  ASSERT_FALSE(lost);
  EXPECT_TRUE(lost.current()->is(2));
  EXPECT_TRUE(lost.rejected()->is(3));
  const auto held = on.read();
  ASSERT_TRUE(on.put(std::move(*made<V>(4)), if_match(again.version())));
  EXPECT_TRUE(held->is(2));
  EXPECT_TRUE(on.read()->is(4));
  EXPECT_TRUE(on.mutate([](const V* now) { return V(now->is(4) ? 5 : 6); }));
  const auto removed = on.erase();
  EXPECT_TRUE(removed && removed->is(5));
  EXPECT_FALSE(on.read());
}

// Values travel by value: without optimisation each has its place in every frame on the way.
template <class F>
void on_a_large_stack(F f) {
  pthread_attr_t wanted;
  ASSERT_EQ(::pthread_attr_init(&wanted), 0);
  ASSERT_EQ(::pthread_attr_setstacksize(&wanted, std::size_t{256} << 20), 0);
  pthread_t thread;
  const auto run = [](void* what) -> void* {
    (*static_cast<F*>(what))();
    return nullptr;
  };
  ASSERT_EQ(::pthread_create(&thread, &wanted, run, &f), 0);
  ASSERT_EQ(::pthread_join(thread, nullptr), 0);
  ASSERT_EQ(::pthread_attr_destroy(&wanted), 0);
}

template <class Store>
struct by_key {
  Store& store;
  auto read() { return store.read(1); }
  auto put(auto value, auto... condition) { return store.put(1, std::move(value), condition...); }
  auto mutate(auto f) { return store.mutate(1, f); }
  auto erase() { return store.erase(1); }
};

template <class Kind>
class value_sizes : public ::testing::Test {
 protected:
  template <class V>
  static void check() {
    SCOPED_TRACE(std::to_string(sizeof(V)) + " bytes, aligned to " + std::to_string(alignof(V)));
    typename Kind::template store<int, V> store;
    by_key<decltype(store)> on{store};
    through_every_verb<V>(on);
    if constexpr (tests::has_handles<decltype(store)>) {
      auto handle = store.at(2);
      through_every_verb<V>(handle);
    }
    for (int n = 0; n < 20; ++n) store.put(n, V(static_cast<unsigned char>(n)));
    for (int n = 0; n < 20; ++n) ASSERT_TRUE(store.read(n)->is(static_cast<unsigned char>(n)));
  }
};
TYPED_TEST_SUITE(value_sizes, tests::all_kinds, tests::kind_names);

TYPED_TEST(value_sizes, from_nothing_to_past_the_slot) {
  this->template check<empty>();
  this->template check<empty_boxed>();
  this->template check<bytes<8>>();
  this->template check<bytes<9>>();
  this->template check<bytes<64>>();
}

TYPED_TEST(value_sizes, of_64_KiB_and_of_a_mebibyte) {
  on_a_large_stack([&] {
    this->template check<large<std::size_t{1} << 16>>();
    this->template check<large<std::size_t{1} << 20>>();
  });
}

TYPED_TEST(value_sizes, aligned_beyond_a_cache_line_and_beyond_a_page) {
  this->template check<bytes<16, 16>>();
  this->template check<bytes<128, 128>>();
  this->template check<large<4'096, 4'096>>();
}

#if RATCHET_TESTS_NATIVE
TEST(value_sizes_native, M_replaced_values_of_a_mebibyte_do_not_pile_up) {
  using value = large<std::size_t{1} << 20>;
  tests::failing_memory memory;
  ratchet::config wanted;
  wanted.memory = &memory;
  ratchet::store<int, value> store(wanted);
  on_a_large_stack([&] { store.put(1, value(0)); });
  const auto one = memory.bytes_out();
  for (unsigned char n = 0; n < 100; ++n) {
    on_a_large_stack([&] { store.put(1, value(n)); });
    ASSERT_LE(store.stats_now().waiting_bytes, std::size_t{1} << 20);
    ASSERT_LE(memory.bytes_out(), 2 * one);
  }
}

// Tells lengths apart without a look at the bytes, which no memory stands behind.
struct length_options : ratchet::options {
  struct hash {
    std::size_t operator()(std::string_view key) const noexcept { return key.size(); }
  };
};
// Refuses what is absurd, and notes how much that was.
class small_memory : public std::pmr::memory_resource {
 public:
  std::size_t refused = 0;

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    if (size > std::size_t{1} << 30) {
      refused = size;
      throw std::bad_alloc();
    }
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* block, std::size_t size, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(block, size, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
};

// Address space, not memory.
class mapped_text {
 public:
  explicit mapped_text(std::size_t size)
      : size_(size),
        at_(::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  mapped_text(const mapped_text&) = delete;
  mapped_text& operator=(const mapped_text&) = delete;
  ~mapped_text() {
    if (is_there()) ::munmap(at_, size_);
  }
  [[nodiscard]] bool is_there() const { return at_ != MAP_FAILED; }
  [[nodiscard]] std::string_view first(std::size_t size) const {
    return {static_cast<const char*>(at_), size};
  }

 private:
  std::size_t size_;
  void* at_;
};

class too_long_keys : public ::testing::Test {
 protected:
  static constexpr std::size_t longest = 0xffffffff;
  using store_type = ratchet::store<std::string, std::string, length_options>;

  void SetUp() override { ASSERT_TRUE(text.is_there()); }
  [[nodiscard]] ratchet::config wanted() {
    ratchet::config made;
    made.memory = &memory;
    return made;
  }
  template <class Call>
  void refuses(const Call& call) {
    try {
      call();
      ADD_FAILURE() << "no error";
    } catch (const ratchet::limit_error& error) {
      EXPECT_EQ(error.which(), limit::key_bytes);
      const std::string says = error.what();
      EXPECT_NE(says.find(std::to_string(longest + 1)), std::string::npos) << says;
      EXPECT_NE(says.find("0 to " + std::to_string(longest)), std::string::npos) << says;
    }
    EXPECT_EQ(store.size(), 1u);
    EXPECT_EQ(*store.get("other"), "value");
    EXPECT_EQ(memory.refused, 0u);
  }

  small_memory memory;
  mapped_text text{longest + 1};
  store_type store{wanted()};
};

TEST_F(too_long_keys, E2_a_key_of_4_GiB_is_refused_by_what_would_create_it_and_absent_to_the_rest) {
  store.put("other", "value");
  const std::string_view key = text.first(longest + 1);
  refuses([&] { store.put(key, "x"); });
  refuses([&] { (void)store.put(key, "x", if_absent); });
  refuses([&] { (void)store.mutate(key, [](const std::string*) { return std::string("x"); }); });
  refuses([&] { (void)store.at(key); });
  EXPECT_FALSE(store.read(key));
  EXPECT_FALSE(store.get(key));
  EXPECT_FALSE(store.put(key, "x", ratchet::if_present));
  EXPECT_FALSE(store.put(key, "x", if_match(store.get("other").version())));
  EXPECT_FALSE(store.erase(key));
  EXPECT_FALSE(store.erase(key, if_match(store.get("other").version())));
}

TEST_F(too_long_keys, E2_the_longest_key_there_is_fails_only_for_want_of_memory) {
  EXPECT_THROW(store.put(text.first(longest), "x"), std::bad_alloc);
  EXPECT_EQ(memory.refused, longest);
  EXPECT_EQ(store.size(), 0u);
}
#endif

}  // namespace
