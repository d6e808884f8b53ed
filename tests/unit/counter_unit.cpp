// Each counter inside the store past the ends of its 16 and 32 bits: it goes on, stays at its end,
// or is a typed error. What bounds a counter stands where it is declared.
// Of: native/index.hpp, native/index_state.hpp, native/table.hpp, native/waiting_list.hpp
// Of: native/stats.hpp
#include "native.hpp"

#if RATCHET_TESTS_NATIVE
#include <gtest/gtest.h>

#include <limits>
#include <new>
#include <optional>
#include <vector>

#include "counted.hpp"

namespace {

namespace native = ratchet::native;
using ratchet::limit;
using tests::counted;

constexpr std::uint64_t end_of_32 = std::uint64_t{1} << 32;
constexpr std::uint32_t last_of_32 = 0xffffffff;

using numbers = native::engine<std::uint64_t, std::uint64_t, ratchet::options>;
using boxes = native::engine<std::uint64_t, counted, ratchet::options>;

// An explicit instantiation may name what is private: no hook in the library.
template <class Owner, class Member, Member Owner::* At>
struct opened {
  friend Member& inside(Owner& owner) { return owner.*At; }
};
using index_of_numbers = native::index<native::record<std::uint64_t>>;
index_of_numbers& inside(numbers& owner);
index_of_numbers& inside(boxes& owner);
ratchet::base::atomic_word128& inside(native::free_stack& owner);
template struct opened<numbers, index_of_numbers, &numbers::index_>;
template struct opened<boxes, index_of_numbers, &boxes::index_>;
template struct opened<native::free_stack, ratchet::base::atomic_word128,
                       &native::free_stack::head_>;

template <class Engine>
void put(Engine& to, std::uint64_t key, std::uint64_t number) {
  auto value =
      static_cast<std::conditional_t<std::is_same_v<Engine, boxes>, counted, std::uint64_t>>(
          number);
  ASSERT_TRUE(to.put(key, value, native::always{}));
}

template <class F>
std::optional<limit> limit_of(F&& f) {
  try {
    f();
  } catch (const ratchet::limit_error& error) {
    return error.which();
  }
  return std::nullopt;
}

// As if that many migrations were behind the empty store.
void start_at(numbers& store, std::uint64_t generation) {
  auto& index = inside(store);
  native::table::destroy(index.root.load(native::acquire), index.mem);
  index.root.store(native::table::make(index.mem, 1, generation, 0), native::seq_cst);
}

TEST(counters, generations_of_tables_pass_32_and_48_bits_and_room_stays_counted) {
  for (const std::uint64_t end : {end_of_32, std::uint64_t{1} << 48}) {
    numbers store{ratchet::config{}};
    start_at(store, end - 3);
    // Some keys stay, and as many as fill a table come and go.
    std::uint64_t key = 0;
    for (int round = 0; round < 40; ++round) {
      const std::uint64_t first = key;
      for (; key < first + 60; ++key) {
        put(store, key, key);
        const ratchet::stats now = store.stats_now();
        ASSERT_LE(now.keys, now.records) << "a word was used that nobody had reserved";
      }
      for (std::uint64_t one = first + 1; one < key; ++one) ASSERT_TRUE(store.erase(one));
    }
    EXPECT_GT(store.stats_now().migrations, 6u);
    EXPECT_GT(inside(store).root.load(native::acquire)->generation, end + 3);
    for (std::uint64_t one = 0; one < key; ++one)
      ASSERT_EQ(static_cast<bool>(store.read(one)), one % 60 == 0) << one;
  }
}

TEST(counters, a_words_credit_keeps_table_and_words_apart) {
  using native::word_credit;
  word_credit credit(end_of_32 - 1, 0xfffe);
  EXPECT_TRUE(credit.is_of(end_of_32 - 1));
  EXPECT_FALSE(credit.is_of(end_of_32));
  EXPECT_FALSE(credit.is_of(0));
  credit = credit.plus_one_of(end_of_32 - 1);
  EXPECT_EQ(credit.words(), 0xffffu);
  credit = credit.plus_one_of(end_of_32 - 1);
  EXPECT_EQ(credit.words(), 0xffffu) << "what is too much is forgotten";
  EXPECT_TRUE(credit.is_of(end_of_32 - 1));
  for (const std::uint64_t end : {end_of_32, std::uint64_t{1} << 48}) {
    EXPECT_TRUE(word_credit(end, 1).is_after(end - 1)) << "also where the bits kept wrap";
    EXPECT_FALSE(word_credit(end - 1, 1).is_after(end));
    EXPECT_FALSE(word_credit(end, 1).is_after(end));
    EXPECT_EQ(word_credit(end - 1, 7).plus_one_of(end).words(), 1u) << "earlier words are void";
  }
  EXPECT_FALSE(word_credit().is_after(1)) << "no words are of no table";
  EXPECT_EQ(credit.less_one().words(), 0xfffeu);
  EXPECT_FALSE(word_credit().is_of(1));
}

TEST(counters, a_pin_too_many_is_refused_and_leaves_the_key_as_it_was) {
  numbers store{ratchet::config{}};
  put(store, 1, 7);
  auto* const pinned = store.pin_record(1);
  const auto pins = [&] { return pinned->pins.load(native::relaxed); };
  pinned->pins.store(ratchet::limits::pins_max - 1, native::relaxed);
  EXPECT_EQ(store.pin_record(1), pinned);
  EXPECT_EQ(pins(), ratchet::limits::pins_max);
  EXPECT_EQ(limit_of([&] { (void)store.pin_record(1); }), limit::handles);
  EXPECT_EQ(limit_of([&] { store.for_each([](auto&&...) {}); }), limit::handles);
  EXPECT_EQ(pins(), ratchet::limits::pins_max);
  EXPECT_EQ(*store.read(1), 7u);
  put(store, 1, 8);
  numbers::unpin(*pinned);
  EXPECT_EQ(store.pin_record(1), pinned);
  // As close to the end of the bits as threads can come, each for a moment.
  pinned->pins.store(last_of_32 - 1, native::relaxed);
  EXPECT_EQ(limit_of([&] { (void)store.pin_record(1); }), limit::handles);
  EXPECT_EQ(pins(), last_of_32 - 1);
  pinned->pins.store(0, native::relaxed);
}

TEST(counters, what_waits_is_counted_to_the_end_of_32_bits_and_stays_there) {
  using native::waiting_amount;
  const waiting_amount near{last_of_32 - 1, last_of_32 - 1};
  const waiting_amount one{1, 1};
  EXPECT_EQ((near + one).objects, last_of_32);
  EXPECT_EQ((near + one + one).objects, last_of_32);
  EXPECT_EQ((near + one + one).lines, last_of_32);
  EXPECT_EQ(waiting_amount::from((near + near).bits()).objects, last_of_32);
  EXPECT_EQ(native::lines_of(std::numeric_limits<std::size_t>::max() / 2), last_of_32);
  EXPECT_EQ(native::lines_of(64 * std::size_t{last_of_32}), last_of_32);
}

// What waits in the caller's stripe.
native::stripe& stripe_of(boxes& store) { return inside(store).stripe_of(native::self()); }

TEST(counters, a_list_of_2_to_the_32_is_still_reclaimed) {
  for (const std::uint32_t before : {last_of_32 - 1, last_of_32}) {
    ASSERT_EQ(counted::alive, 0);
    boxes store{ratchet::config{}};
    put(store, 1, 0);
    put(store, 1, 1);
    // One waits, and is said to be as many as can be said.
    auto& waiting = stripe_of(store).waiting;
    const auto one = waiting.take_all();
    ASSERT_TRUE(one);
    waiting.push(one, one.get(), {before, before});
    EXPECT_EQ(waiting.amount().objects, before);
    put(store, 1, 2);
    EXPECT_EQ(store.stats_now().waiting_objects, 0u) << "that many are due";
    EXPECT_EQ(counted::alive, 1);
  }
}

TEST(counters, objects_that_stay_are_counted_to_the_end_of_32_bits) {
  {
    boxes store{ratchet::config{}};
    put(store, 1, 0);
    // As if all of 2^32 had been protected when they were looked at last.
    const native::waiting_amount all{last_of_32, last_of_32};
    stripe_of(store).survivors.store(all.bits(), native::relaxed);
    for (std::uint64_t n = 0; n < 100; ++n) put(store, 1, n);
    store.reclaim();
    EXPECT_EQ(store.stats_now().waiting_objects, 0u);
    EXPECT_EQ(stripe_of(store).survivors.load(native::relaxed), 0u);
    const std::size_t bound = store.stats_now().waiting_objects_max;
    for (std::uint64_t n = 0; n < 3 * bound; ++n) {
      put(store, 1, n);
      ASSERT_LE(store.stats_now().waiting_objects, bound);
    }
  }
  EXPECT_EQ(counted::alive, 0);
}

TEST(counters, erases_pass_32_bits_and_clean_ups_go_on) {
  numbers store{ratchet::config{}};
  inside(store).stripe_of(native::self()).erases.store(last_of_32 - 1, native::relaxed);
  for (std::uint64_t n = 0; n < 5'000; ++n) put(store, n, n);
  // The first of these end a growth that may be under way.
  for (std::uint64_t n = 0; n < 3'000; ++n) ASSERT_TRUE(store.erase(n));
  const auto was_migrations = store.stats_now().migrations;
  for (std::uint64_t n = 3'000; n < 5'000; ++n) ASSERT_TRUE(store.erase(n));
  const native::table& root = *inside(store).root.load(native::acquire);
  EXPECT_TRUE(store.stats_now().migrations > was_migrations ||
              root.next.load(native::acquire) != nullptr)
      << "no clean-up has begun";
  inside(store).stripe_of(native::self()).erases.store(last_of_32, native::relaxed);
  for (std::uint64_t n = 0; n < 100; ++n) put(store, n, n);
  for (std::uint64_t n = 0; n < 100; ++n) ASSERT_TRUE(store.erase(n));
  EXPECT_EQ(store.size(), 0u);
}

// All chunks are claimed, so often that the count of claims passes an end; their claimers stopped.
TEST(counters, claims_of_chunks_pass_every_end_and_the_migration_ends) {
  for (const std::size_t claims :
       {std::size_t{0xffff}, std::size_t{last_of_32}, std::numeric_limits<std::size_t>::max()}) {
    numbers store{ratchet::config{}};
    auto& index = inside(store);
    for (std::uint64_t n = 0; n < 1'000; ++n) put(store, n, n);
    native::table& root = *index.root.load(native::acquire);
    if (root.next.load(native::acquire) == nullptr)
      native::migration<native::record<std::uint64_t>>::start(index, root, 2 * root.words_count());
    root.chunks_claimed.store(claims, native::relaxed);
    const auto was_migrations = store.stats_now().migrations;
    for (std::uint64_t n = 1'000; n < 2'000; ++n) put(store, n, n);
    EXPECT_GT(store.stats_now().migrations, was_migrations);
    for (std::uint64_t n = 0; n < 2'000; ++n) ASSERT_EQ(*store.read(n), n);
  }
}

TEST(counters, the_tag_of_free_records_passes_every_end) {
  struct one : native::retired {};
  for (const std::uint64_t tag : {std::uint64_t{0xffff}, end_of_32 - 1, ~std::uint64_t{0}}) {
    native::free_stack stack;
    ratchet::base::word128 empty{};
    ASSERT_TRUE(inside(stack).compare_exchange(empty, {0, tag}, native::seq_cst, native::seq_cst));
    one a;
    one b;
    stack.push(&a, &a);
    stack.push(&b, &b);
    EXPECT_EQ(stack.pop(), &b);
    EXPECT_EQ(stack.pop(), &a);
    EXPECT_EQ(stack.pop(), nullptr);
  }
}

TEST(counters, a_threads_number_of_any_size_names_a_stripe) {
  numbers store{ratchet::config{}};
  native::thread_record& me = native::self();
  const std::uint32_t was = me.number;
  for (const std::uint32_t number : {std::uint32_t{0xffff}, std::uint32_t{0x10000}, last_of_32}) {
    me.number = number;
    put(store, number, 1);
    EXPECT_TRUE(store.erase(number));
  }
  me.number = was;
  EXPECT_EQ(store.size(), 0u);
}

TEST(counters, attempts_end_at_the_last_of_32_bits) {
  ratchet::retry patient;
  patient.attempts_max = last_of_32;
  const ratchet::detail::patience limit(patient);
  EXPECT_FALSE(limit.ends_after(0xffff));
  EXPECT_FALSE(limit.ends_after(last_of_32 - 1));
  EXPECT_TRUE(limit.ends_after(last_of_32));
}

// Notes what it is asked for, and has nothing.
class asked_memory : public std::pmr::memory_resource {
 public:
  std::size_t asked = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t) override {
    asked = bytes;
    throw std::bad_alloc();
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

TEST(counters, a_key_of_2_to_the_32_bytes_is_refused_and_one_byte_less_is_not) {
  asked_memory nothing;
  native::memory from(&nothing);
  const char* const text = "looked at by nobody";
  using holder = native::key_holder<std::string>;
  EXPECT_EQ(limit_of([&] { holder(std::string_view(text, end_of_32), from); }), limit::key_bytes);
  EXPECT_EQ(nothing.asked, 0u);
  EXPECT_THROW(holder(std::string_view(text, last_of_32), from), std::bad_alloc);
  EXPECT_EQ(nothing.asked, last_of_32);
}

TEST(counters, a_keys_max_next_to_none_admits_keys) {
  ratchet::config wanted;
  wanted.keys_max = std::numeric_limits<std::size_t>::max() - 1;
  numbers store{wanted};
  put(store, 1, 1);
  EXPECT_TRUE(store.erase(1));
  put(store, 1, 2);
  EXPECT_EQ(store.size(), 1u);
}

}  // namespace
#endif
