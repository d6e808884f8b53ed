// E1, F89: in every call the k-th allocation through config.memory fails, and the k-th call of user
// code throws, for every k until nothing is in the way. Each time the store is as it was, nothing
// leaks, and the call then does what it does when all goes well.
// Of: native/record_source.hpp
#include <algorithm>

#include "every_call.hpp"
#include "tripwire.hpp"
#include "unit/counted.hpp"
#include "unit/failing_memory.hpp"

namespace {

using tests::counted;
using tests::fault_report;
using tests::fussy_key;
using tests::fussy_value;
using tests::tripwire;

// Keys from 7 on are too long for a record: making one takes memory of its own.
template <class V>
struct plain_samples {
  using answer = int;
  static std::string key(int n) { return std::string(n < 7 ? 3 : 200, 'k') + std::to_string(n); }
  static V value(int n) {
    if constexpr (std::is_same_v<V, counted>)
      return counted(static_cast<std::uint64_t>(n));
    else
      return n;
  }
  static std::string text(const V& value) {
    if constexpr (std::is_same_v<V, counted>)
      return std::to_string(value.number());
    else
      return std::to_string(value);
  }
  static void step() {}
};

template <class V>
struct fussy_samples {
  using answer = tests::fussy_answer;
  static fussy_key key(int n) { return fussy_key(n); }
  static V value(int n) { return V(n); }
  static std::string text(const V& value) {
    if constexpr (std::is_same_v<V, fussy_value>)
      return std::to_string(value.number);
    else
      return std::to_string(value);
  }
  static void step() { tripwire::step(); }
};

struct memory_fault {
  using error_type = std::bad_alloc;
  tests::failing_memory memory;
  [[nodiscard]] ratchet::config config() {
    ratchet::config wanted;
    wanted.memory = &memory;
    wanted.hash_seed = 1;  // the same table for every k
    return wanted;
  }
  void arm(std::uint64_t k) { memory.fail_at(k); }
  [[nodiscard]] bool has_tripped() const { return memory.has_failed(); }
  void disarm() { memory.fail_at(0); }
  static std::int64_t alive() { return counted::alive; }
  [[nodiscard]] std::int64_t leak() const {
    return memory.bytes_out() + memory.blocks_out() + counted::alive;
  }
};

struct code_fault {
  using error_type = tests::tripped;
  [[nodiscard]] static ratchet::config config() { return {}; }
  static void arm(std::uint64_t k) { tripwire::arm(static_cast<std::int64_t>(k)); }
  [[nodiscard]] static bool has_tripped() { return tripwire::has_tripped; }
  static void disarm() { tripwire::disarm(); }
  static std::int64_t alive() { return tripwire::alive; }
  [[nodiscard]] static std::int64_t leak() { return tripwire::alive; }
};

template <class World, class Fault, class Expects>
void fail_all(const Expects& expects_some) {
  std::uint64_t calls = 0;
  fault_report all;
  for (const auto& call : tests::every_call<World>()) {
    SCOPED_TRACE(call.name);
    const auto one = tests::fail_each<World, Fault>(call);
    ASSERT_FALSE(::testing::Test::HasFailure());
    ASSERT_EQ(one.sites > 0, expects_some(call.asks)) << one.sites << " chances were found";
    all.sites += one.sites;
    all.thrown += one.thrown;
    ++calls;
  }
  std::printf("%llu calls, %llu chances to fail, %llu seen by the caller\n",
              static_cast<unsigned long long>(calls), static_cast<unsigned long long>(all.sites),
              static_cast<unsigned long long>(all.thrown));
  EXPECT_GT(all.thrown, 0u);
}

#if RATCHET_TESTS_NATIVE
using number_world =
    tests::prepared<ratchet::store<std::string, std::int64_t>, plain_samples<std::int64_t>>;

TEST(every_call, F89_E1_P4_an_inlined_value_asks_for_memory_only_where_a_key_is_made_or_moved) {
  fail_all<number_world, memory_fault>([](unsigned asks) { return (asks & tests::memory) != 0; });
}

TEST(every_call, F89_E1_P4_a_boxed_value_asks_for_memory_where_it_is_stored_too) {
  using world = tests::prepared<ratchet::store<std::string, counted>, plain_samples<counted>>;
  fail_all<world, memory_fault>(
      [](unsigned asks) { return (asks & (tests::memory | tests::boxing)) != 0; });
}

// Runs one call with each number of other keys made before; some of them leave it without a
// free record, and some without room in the table.
template <class World>
std::vector<fault_report> at_every_fill(std::string_view name, int left) {
  std::vector<fault_report> made;
  World::fill_left = left;
  for (const auto& call : tests::every_call<World>()) {
    if (call.name != name) continue;
    SCOPED_TRACE(call.name);
    for (World::fill = 0; World::fill < 100; ++World::fill) {
      SCOPED_TRACE("after " + std::to_string(World::fill) + " keys");
      made.push_back(tests::fail_each<World, memory_fault>(call));
      if (::testing::Test::HasFailure()) break;
    }
  }
  World::fill = 0;
  World::fill_left = 1'000;
  return made;
}
TEST(every_call, F89_E1_a_key_made_where_records_and_the_table_run_out_fails_as_a_whole) {
  for (const char* name : {"put creates", "put if_absent creates", "at a key without a record",
                           "mutate creates", "ceiling creates", "wallet opens"}) {
    const auto all = at_every_fill<number_world>(name, 1'000);
    ASSERT_EQ(all.size(), 100u) << name;
    ASSERT_FALSE(HasFailure());
    // The key's own bytes each time; a slab of records, or a table, now and then.
    EXPECT_GT(std::count_if(all.begin(), all.end(), [](auto one) { return one.sites > 1; }), 1)
        << name;
    for (const auto& one : all) EXPECT_EQ(one.thrown, one.sites) << name;
  }
}

// M2: an erase is done before the index is cleaned up, which may wait for memory.
TEST(every_call, F89_E1_an_erase_that_finds_no_memory_to_clean_up_with_is_done) {
  for (const char* name : {"erase", "erase if_match", "handle: erase", "handle: erase if_match"}) {
    std::uint64_t cleaned_up = 0;
    for (const int left : {0, 1, 2, 3}) {
      const auto all = at_every_fill<number_world>(name, left);
      ASSERT_EQ(all.size(), 100u) << name;
      ASSERT_FALSE(HasFailure());
      for (const auto& one : all) {
        cleaned_up += one.sites;
        EXPECT_EQ(one.thrown, 0u) << name;
      }
    }
    EXPECT_GT(cleaned_up, 0u) << name;
  }
}
#endif

template <class Kind>
class every_call_of_both : public ::testing::Test {
 protected:
  template <class V>
  using world = tests::prepared<typename Kind::template store<fussy_key, V, tests::fussy_options>,
                                fussy_samples<V>>;
};
TYPED_TEST_SUITE(every_call_of_both, tests::all_kinds, tests::kind_names);

TYPED_TEST(every_call_of_both, F89_E1_user_code_may_throw_wherever_it_is_called) {
  fail_all<typename TestFixture::template world<fussy_value>, code_fault>(
      [](unsigned asks) { return (asks & tests::code) != 0; });
}

// The patterns too. By handle nothing but the function and its answer is the user's.
TYPED_TEST(every_call_of_both, F89_E1_keys_and_answers_of_inlined_values_may_throw_too) {
  using numbers = typename TestFixture::template world<std::int64_t>;
  std::uint64_t sites = 0;
  for (const auto& call : tests::every_call<numbers>()) {
    SCOPED_TRACE(call.name);
    const auto one = tests::fail_each<numbers, code_fault>(call);
    ASSERT_FALSE(::testing::Test::HasFailure());
    const bool by_handle = call.name.starts_with("handle: ");
    if (!by_handle && (call.asks & tests::code) != 0) {
      ASSERT_GT(one.sites, 0u);
    }
    sites += one.sites;
  }
  EXPECT_GT(sites, 0u);
}

}  // namespace
