// Handles and walks that come upon a record that has left the index: its slot is sealed, and the
// key's next record is elsewhere. Growth does that to erased keys that nobody holds; here it is
// done by hand, so that it meets a holder.
#include "native.hpp"

#if RATCHET_TESTS_NATIVE
#include <gtest/gtest.h>

#include <string>

#include "counted.hpp"

namespace {

namespace native = ratchet::native;
using ratchet::if_absent;
using ratchet::if_match;
using ratchet::if_present;
using ratchet::version;
using tests::counted;

using numbers = ratchet::store<std::uint64_t, std::uint64_t>;
using boxes = ratchet::store<std::uint64_t, counted>;
template <class Store>
using handle_of = decltype(std::declval<Store&>().at(1));
using record = native::record<std::uint64_t>;

// An explicit instantiation may name what is private.
template <class Owner, class Member, Member Owner::* At>
struct opened {
  friend Member& inside(Owner& owner) { return owner.*At; }
};
record*& inside(handle_of<numbers>& owner);
record*& inside(handle_of<boxes>& owner);
template struct opened<handle_of<numbers>, record*, &handle_of<numbers>::record_>;
template struct opened<handle_of<boxes>, record*, &handle_of<boxes>::record_>;

// The handle's record is absent, and now left for good.
template <class Handle>
void seal(Handle& of) {
  native::slot& state = inside(of)->state;
  native::slot_state now = state.look();
  ASSERT_EQ(now.kind(), native::kind::absent);
  ASSERT_TRUE(state.commit(now, native::slot_state(now.at(), native::kind::sealed, 0)));
}

template <class Store>
class sealed_records : public ::testing::Test {
 protected:
  using value_type = typename Store::value_type;
  static value_type value(std::uint64_t number) { return value_type(number); }
  static std::uint64_t number(const ratchet::view<value_type>& of) {
    if constexpr (std::is_same_v<value_type, counted>)
      return of->number();
    else
      return *of;
  }
  // A handle whose record was sealed under it; the key is made anew if `again`.
  auto left(bool again) {
    auto held = store_.at(1);
    seal(held);
    if (again) store_.put(1, value(7));
    return held;
  }
  Store store_;
};
using stores = ::testing::Types<numbers, boxes>;
TYPED_TEST_SUITE(sealed_records, stores);

TYPED_TEST(sealed_records, a_read_by_handle_finds_the_next_record) {
  auto gone = this->left(false);
  EXPECT_FALSE(gone.read());
  this->store_.put(1, this->value(7));
  ASSERT_TRUE(gone.read());
  EXPECT_EQ(this->number(gone.read()), 7u);
}

TYPED_TEST(sealed_records, writes_by_handle_go_to_the_next_record) {
  auto held = this->left(true);
  const version now = held.read().version();
  EXPECT_FALSE(held.put(this->value(8), if_absent));
  EXPECT_TRUE(held.put(this->value(8), if_match{now}));
  EXPECT_EQ(this->number(this->store_.read(1)), 8u);
  EXPECT_EQ(this->store_.size(), 1u);
}

TYPED_TEST(sealed_records, a_put_by_handle_makes_the_key_anew) {
  auto held = this->left(false);
  held.put(this->value(9));
  EXPECT_EQ(this->number(this->store_.read(1)), 9u);
  EXPECT_EQ(this->number(held.read()), 9u);
  EXPECT_EQ(this->store_.size(), 1u);
}

TYPED_TEST(sealed_records, conditions_are_held_against_the_next_record) {
  {
    auto held = this->left(false);
    EXPECT_FALSE(held.put(this->value(8), if_present));
    EXPECT_FALSE(held.put(this->value(8), if_match{version::from_u64(1)}));
    EXPECT_TRUE(held.put(this->value(8), if_absent));
  }
  EXPECT_EQ(this->number(this->store_.read(1)), 8u);
}

TYPED_TEST(sealed_records, erases_by_handle_go_to_the_next_record) {
  auto held = this->left(true);
  const auto removed = held.erase();
  ASSERT_TRUE(removed);
  EXPECT_EQ(this->number(removed), 7u);
  EXPECT_FALSE(this->store_.read(1));
}

TYPED_TEST(sealed_records, conditional_erases_by_handle_go_to_the_next_record) {
  auto held = this->left(true);
  const version now = this->store_.read(1).version();
  EXPECT_FALSE(held.erase(if_match{version::from_u64(now.to_u64() + 1)}));
  EXPECT_TRUE(held.erase(if_match{now}));
  EXPECT_FALSE(this->store_.read(1));
}

TYPED_TEST(sealed_records, a_walk_shows_the_next_record_once) {
  auto held = this->left(true);
  int shown = 0;
  this->store_.for_each([&](std::uint64_t key, const auto&, version) {
    EXPECT_EQ(key, 1u);
    ++shown;
  });
  EXPECT_EQ(shown, 1);
}

}  // namespace
#endif
