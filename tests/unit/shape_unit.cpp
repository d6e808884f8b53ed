// Inlined values of every size, read through every verb. Built with -O3: that is where a compiler
// once dropped the value on its way to the caller.
// Of: core/value_traits.hpp, native/box.hpp
#include <array>

#include "stores.hpp"

namespace {

template <class T>
using maybe = std::optional<T>;

template <std::size_t Size>
using bytes = std::array<unsigned char, Size>;

struct shorts {
  std::uint16_t a, b;
  friend bool operator==(const shorts&, const shorts&) = default;
};

// Each in a function of its own, as callers have them: what is inlined into what decides.
template <class V>
maybe<V> shown(const auto& seen) {
  if (!seen) return std::nullopt;
  return *seen;
}
template <class V, class S>
[[gnu::noinline]] maybe<V> by_read(S& store) {
  return shown<V>(store.read(1));
}
template <class V, class S>
[[gnu::noinline]] maybe<V> by_get(S& store) {
  return shown<V>(store.get(1));
}
template <class V, class S>
[[gnu::noinline]] maybe<V> by_erase(S& store) {
  return shown<V>(store.erase(1));
}
template <class V, class S>
[[gnu::noinline]] maybe<V> by_conflict(S& store, V other) {
  return shown<V>(store.put(1, other, ratchet::if_absent).current());
}
template <class V, class S>
[[gnu::noinline]] maybe<V> by_moved_conflict(S& store, V other) {
  auto result = store.put(1, other, ratchet::if_match{ratchet::version()});
  return shown<V>(std::move(result).current());
}
template <class V, class S>
[[gnu::noinline]] maybe<V> by_rejected(S& store, V other) {
  auto result = store.put(1, other, ratchet::if_absent);
  return shown<V>(result.rejected());
}
template <class V, class S>
[[gnu::noinline]] maybe<V> by_mutate(S& store) {
  maybe<V> got;
  (void)ratchet::mutate<false>(store, 1, [&](const V* now) {
    got = shown<V>(now);
    return *now;
  });
  return got;
}
template <class V, class S>
[[gnu::noinline]] maybe<V> by_for_each(S& store) {
  maybe<V> got;
  store.for_each([&](const auto&, const V& value, ratchet::version) { got = value; });
  return got;
}

template <class Kind>
class value_shapes : public ::testing::Test {
 protected:
  template <class V>
  static void check(V value, V other) {
    static_assert(ratchet::is_inlined<V>);
    SCOPED_TRACE(sizeof(V));
    typename Kind::template store<int, V> store;
    EXPECT_FALSE(by_read<V>(store));
    store.put(1, value);
    EXPECT_TRUE(by_read<V>(store) == value);
    EXPECT_TRUE(by_get<V>(store) == value);
    EXPECT_TRUE(by_conflict<V>(store, other) == value);
    EXPECT_TRUE(by_moved_conflict<V>(store, other) == value);
    EXPECT_TRUE(by_rejected<V>(store, other) == other);
    EXPECT_TRUE(by_mutate<V>(store) == value);
    EXPECT_TRUE(by_for_each<V>(store) == value);
    if constexpr (tests::has_handles<decltype(store)>) {
      auto handle = store.at(1);
      EXPECT_TRUE(shown<V>(handle.read()) == value);
      EXPECT_TRUE(shown<V>(handle.get()) == value);
    }
    EXPECT_TRUE(by_erase<V>(store) == value);
    EXPECT_FALSE(by_read<V>(store));
    EXPECT_FALSE(by_erase<V>(store));
  }
};
TYPED_TEST_SUITE(value_shapes, tests::all_kinds, tests::kind_names);

TYPED_TEST(value_shapes, numbers_come_back_through_every_verb) {
  this->template check<bool>(true, false);
  this->template check<char>('a', 'b');
  this->template check<std::uint8_t>(10, 20);
  this->template check<std::uint16_t>(10, 20);
  this->template check<std::int32_t>(-10, 20);
  this->template check<std::uint32_t>(10, 20);
  this->template check<float>(1.5f, 2.5f);
  this->template check<std::int64_t>(-10, 20);
  this->template check<double>(1.5, 2.5);
}

TYPED_TEST(value_shapes, structs_of_every_size_come_back_through_every_verb) {
  this->template check<bytes<1>>({1}, {2});
  this->template check<bytes<2>>({1, 2}, {3, 4});
  this->template check<bytes<3>>({1, 2, 3}, {4, 5, 6});
  this->template check<bytes<4>>({1, 2, 3, 4}, {5, 6, 7, 8});
  this->template check<bytes<5>>({1, 2, 3, 4, 5}, {6});
  this->template check<bytes<6>>({1, 2, 3, 4, 5, 6}, {7});
  this->template check<bytes<7>>({1, 2, 3, 4, 5, 6, 7}, {8});
  this->template check<bytes<8>>({1, 2, 3, 4, 5, 6, 7, 8}, {9});
  this->template check<shorts>({1, 2}, {3, 4});
  this->template check<tests::pair8>({1, 2}, {3, 4});
}

}  // namespace
