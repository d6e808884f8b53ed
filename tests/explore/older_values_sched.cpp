// Litmus tests of the mode in which a load may return any older value that its order permits.
#include "toy.hpp"

#include <harness/explore/execution_memory.hpp>

#include <gtest/gtest.h>

using namespace toy;

namespace {

explore::options older() { return {.memory = explore::memory::older_values}; }

endings ends(bodies threads, std::function<outcome()> read = two_registers) {
  endings found = ends_of(std::move(threads), std::move(read), older());
  EXPECT_TRUE(found.report.ok()) << found.report.text();
  return found;
}

endings message_passing(std::memory_order publish, std::memory_order look) {
  return ends({[=] {
                 now->x.store(1, relaxed);
                 now->y.store(1, publish);
               },
               [=] {
                 now->r[0] = now->y.load(look);
                 now->r[1] = now->x.load(relaxed);
               }});
}

TEST(older_values, a_release_read_by_an_acquire_brings_its_message) {
  EXPECT_FALSE(message_passing(release, acquire).has({1, 0}));
  EXPECT_FALSE(message_passing(seq_cst, seq_cst).has({1, 0}));
}

TEST(older_values, a_missing_release_or_acquire_shows_the_flag_without_the_message) {
  EXPECT_TRUE(message_passing(relaxed, acquire).has({1, 0}));
  EXPECT_TRUE(message_passing(release, relaxed).has({1, 0}));
}

endings store_buffering(std::memory_order write, std::memory_order look) {
  return ends({[=] {
                 now->x.store(1, write);
                 now->r[0] = now->y.load(look);
               },
               [=] {
                 now->y.store(1, write);
                 now->r[1] = now->x.load(look);
               }});
}

TEST(older_values, only_seq_cst_on_both_sides_orders_a_store_before_a_load) {
  EXPECT_FALSE(store_buffering(seq_cst, seq_cst).has({0, 0}));
  EXPECT_TRUE(store_buffering(release, seq_cst).has({0, 0}));
  EXPECT_TRUE(store_buffering(seq_cst, acquire).has({0, 0}));
}

TEST(older_values, a_membarrier_on_one_side_does_so_too) {
  const auto found = [](bool barrier) {
    return ends({[] {
                   now->x.store(1, release);
                   now->r[0] = now->y.load(acquire);
                 },
                 [=] {
                   now->y.store(1, release);
                   if (barrier) explore::membarrier();
                   now->r[1] = now->x.load(acquire);
                 }});
  };
  EXPECT_TRUE(found(false).has({0, 0}));
  EXPECT_FALSE(found(true).has({0, 0}));
  EXPECT_TRUE(found(true).has({0, 1}));
  EXPECT_TRUE(found(true).has({1, 0}));
}

endings independent_writes(std::memory_order look) {
  return ends({[] { now->x.store(1, seq_cst); }, [] { now->y.store(1, seq_cst); },
               [=] {
                 now->r[0] = now->x.load(look);
                 now->r[1] = now->y.load(look);
               },
               [=] {
                 now->r[2] = now->y.load(look);
                 now->r[3] = now->x.load(look);
               }},
              registers);
}

TEST(older_values, acquiring_readers_may_see_independent_writes_in_two_orders) {
  EXPECT_TRUE(independent_writes(acquire).has({1, 0, 1, 0, 0, 0}));
  EXPECT_FALSE(independent_writes(seq_cst).has({1, 0, 1, 0, 0, 0}));
}

TEST(older_values, a_location_never_goes_back_for_one_thread) {
  const auto found = ends({[] {
                             now->x.store(1, relaxed);
                             now->x.store(2, relaxed);
                           },
                           [] {
                             now->r[0] = now->x.load(relaxed);
                             now->r[1] = now->x.load(relaxed);
                           }});
  EXPECT_EQ(found.seen, (std::set<outcome>{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}));
}

TEST(older_values, a_read_modify_write_changes_the_newest_and_hands_on_what_it_replaced) {
  const auto found = ends({[] {
                             now->x.store(1, relaxed);
                             now->y.store(1, release);
                           },
                           [] { now->y.fetch_add(1, relaxed); },
                           [] {
                             now->r[0] = now->y.load(acquire);
                             now->r[1] = now->x.load(relaxed);
                           }},
                          [] { return outcome{now->r[0], now->r[1], now->y.load(relaxed)}; });
  EXPECT_FALSE(found.has({2, 0, 2})) << "the release sequence goes through the read-modify-write";
  EXPECT_TRUE(found.has({2, 1, 2}));
  EXPECT_TRUE(found.has({1, 0, 1})) << "the increment first, then the store: only it was read";
  for (const outcome& o : found.seen) EXPECT_TRUE(o[2] == 2 || o[2] == 1);
}

TEST(older_values, a_compare_exchange_that_fails_may_show_an_older_value) {
  const auto found = ends({[] {
                             now->x.store(1, relaxed);
                             now->x.store(2, relaxed);
                           },
                           [] {
                             std::uint64_t expected = 7;
                             now->x.compare_exchange(expected, 8, seq_cst, relaxed);
                             now->r[0] = expected;
                             expected = 2;  // when it is there, it is found
                             now->r[1] = now->x.compare_exchange(expected, 9, relaxed, relaxed);
                           }});
  EXPECT_EQ(found.seen, (std::set<outcome>{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 1}}));
}

TEST(older_values, are_bounded_by_the_count_of_older_loads) {
  auto options = older();
  options.older_loads_max = 0;
  const auto found = ends_of({[] {
                                now->x.store(1, relaxed);
                                now->r[0] = now->y.load(relaxed);
                              },
                              [] {
                                now->y.store(1, relaxed);
                                now->r[1] = now->x.load(relaxed);
                              }},
                             two_registers, options);
  EXPECT_EQ(found.seen, (std::set<outcome>{{0, 1}, {1, 0}, {1, 1}}));
}

struct thing {
  std::uint64_t value = 42;
};

ratchet::base::atomic<thing*>& shared() {
  static ratchet::base::atomic<thing*> pointer;
  return pointer;
}

// One thread makes a block and publishes it; another uses it, and says so; the first gives it up.
explore::report published(std::memory_order publish, std::memory_order look, std::memory_order done,
                          std::memory_order seen) {
  auto program = over_words({[=] {
                               auto* made =
                                   new (explore::memory_of_execution().allocate(sizeof(thing), 8))
                                       thing;
                               explore::allocated(made, sizeof(thing));
                               shared().store(made, publish);
                               if (now->x.load(seen) == 1) explore::released(made, sizeof(thing));
                             },
                             [=] {
                               thing* const found = shared().load(look);
                               if (found != nullptr) explore::touched(found, sizeof(thing));
                               now->x.store(1, done);
                             }});
  program.setup = [] {
    begin();
    new (&shared()) ratchet::base::atomic<thing*>(nullptr);
  };
  return explore::run(program, older());
}

TEST(older_values, a_block_is_used_only_after_its_making_and_given_up_only_after_its_use) {
  const auto right = published(release, acquire, release, acquire);
  EXPECT_TRUE(right.ok()) << right.text();
  for (const auto& wrong : {published(relaxed, acquire, release, acquire),
                            published(release, relaxed, release, acquire)}) {
    ASSERT_TRUE(wrong.violation.has_value()) << wrong.text();
    EXPECT_EQ(wrong.violation->message,
              "thread 1 uses block 0, whose making by thread 0 did not happen before");
  }
  for (const auto& wrong : {published(release, acquire, relaxed, acquire),
                            published(release, acquire, release, relaxed)}) {
    ASSERT_TRUE(wrong.violation.has_value()) << wrong.text();
    EXPECT_EQ(wrong.violation->message,
              "thread 0 gives up block 0, whose use by thread 1 did not happen before");
  }
}

TEST(older_values, a_violation_replays_from_its_schedule) {
  auto program = over_words({[] {
                               now->x.store(1, relaxed);
                               now->y.store(1, relaxed);
                             },
                             [] {
                               const bool flag = now->y.load(acquire) == 1;
                               explore::require(!flag || now->x.load(relaxed) == 1, "no message");
                             }});
  const auto found = explore::run(program, older());
  ASSERT_TRUE(found.violation.has_value());
  EXPECT_NE(found.violation->schedule.find('~'), std::string::npos) << found.violation->schedule;
  const auto again = explore::replay(program, found.violation->schedule, older());
  ASSERT_TRUE(again.violation.has_value());
  EXPECT_EQ(again.violation->trace, found.violation->trace);
  EXPECT_NE(again.trace.find("(1 writes back)"), std::string::npos) << again.trace;
}

TEST(older_values, moments_are_ordered_by_what_happened_before) {
  explore::moment wrote;
  bool ordered_when_read = true, ordered_when_not = false;
  const auto found = ends_of({[&] {
                                now->x.store(1, release);
                                wrote = explore::this_moment();
                              },
                              [&] {
                                const bool read = now->x.load(acquire) == 1;
                                const bool known = explore::before(wrote, explore::this_moment());
                                (read ? ordered_when_read : ordered_when_not) = known;
                              }},
                             two_registers, older());
  EXPECT_TRUE(found.report.ok());
  EXPECT_TRUE(ordered_when_read);
  EXPECT_FALSE(ordered_when_not);
}

}  // namespace
