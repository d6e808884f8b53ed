// Litmus tests: the explorer's two memory modes allow what they should, and nothing else.
// Of: base/explore.hpp, base/atomic.hpp
#include "toy.hpp"

#include <gtest/gtest.h>

using namespace toy;

namespace {

endings store_buffering(std::memory_order order, const explore::options& options) {
  return ends_of({[=] {
                    now->x.store(1, order);
                    now->r[0] = now->y.load(seq_cst);
                  },
                  [=] {
                    now->y.store(1, order);
                    now->r[1] = now->x.load(seq_cst);
                  }},
                 two_registers, options);
}

TEST(litmus, store_buffering_shows_both_old_values_with_store_buffers_only) {
  const auto sc = store_buffering(release, sequential());
  EXPECT_TRUE(sc.report.ok()) << sc.report.text();
  EXPECT_EQ(sc.seen, (std::set<outcome>{{0, 1}, {1, 0}, {1, 1}}));
  const auto tso = store_buffering(release, buffered());
  EXPECT_TRUE(tso.report.ok()) << tso.report.text();
  EXPECT_EQ(tso.seen, (std::set<outcome>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
}

TEST(litmus, seq_cst_stores_do_not_wait_in_a_buffer) {
  EXPECT_FALSE(store_buffering(seq_cst, buffered()).has({0, 0}));
}

TEST(litmus, every_read_modify_write_drains_the_buffer) {
  const auto with = [](std::function<void()> locked) {
    return ends_of({[=] {
                      now->x.store(1, relaxed);
                      locked();
                      now->r[0] = now->y.load(acquire);
                    },
                    [=] {
                      now->y.store(1, relaxed);
                      locked();
                      now->r[1] = now->x.load(acquire);
                    }},
                   two_registers, buffered());
  };
  EXPECT_TRUE(with([] {}).has({0, 0}));
  EXPECT_FALSE(with([] { now->z.fetch_add(0, relaxed); }).has({0, 0}));
  EXPECT_FALSE(with([] {
                 std::uint64_t expected = 7;  // fails, and drains all the same
                 now->z.compare_exchange(expected, 8, relaxed, relaxed);
               }).has({0, 0}));
}

TEST(litmus, message_passing_never_shows_the_flag_without_the_message) {
  for (const auto& mode : {sequential(), buffered()}) {
    const auto found = ends_of({[] {
                                  now->x.store(1, relaxed);
                                  now->y.store(1, release);
                                },
                                [] {
                                  now->r[0] = now->y.load(acquire);
                                  now->r[1] = now->x.load(relaxed);
                                }},
                               two_registers, mode);
    EXPECT_EQ(found.seen, (std::set<outcome>{{0, 0}, {0, 1}, {1, 1}}));
  }
}

TEST(litmus, load_buffering_never_reads_from_the_future) {
  for (const auto& mode : {sequential(), buffered()}) {
    const auto found = ends_of({[] {
                                  now->r[0] = now->x.load(relaxed);
                                  now->y.store(1, relaxed);
                                },
                                [] {
                                  now->r[1] = now->y.load(relaxed);
                                  now->x.store(1, relaxed);
                                }},
                               two_registers, mode);
    EXPECT_EQ(found.seen, (std::set<outcome>{{0, 0}, {0, 1}, {1, 0}}));
  }
}

TEST(litmus, independent_writes_are_seen_in_one_order_by_all_readers) {
  for (const auto& mode : {sequential(), buffered()}) {
    const auto found = ends_of({[] { now->x.store(1, relaxed); }, [] { now->y.store(1, relaxed); },
                                [] {
                                  now->r[0] = now->x.load(acquire);
                                  now->r[1] = now->y.load(acquire);
                                },
                                [] {
                                  now->r[2] = now->y.load(acquire);
                                  now->r[3] = now->x.load(acquire);
                                }},
                               registers, mode);
    EXPECT_TRUE(found.report.ok()) << found.report.text();
    EXPECT_FALSE(found.has({1, 0, 1, 0, 0, 0}));
    EXPECT_EQ(found.seen.size(), 15u);
  }
}

// n6: a thread sees its own store before it reaches memory, and then another thread's.
TEST(litmus, own_stores_are_forwarded_before_others_see_them) {
  const bodies threads{[] {
                         now->x.store(1, relaxed);
                         now->r[0] = now->x.load(relaxed);
                         now->r[1] = now->y.load(relaxed);
                       },
                       [] {
                         now->y.store(2, relaxed);
                         now->x.store(2, relaxed);
                       }};
  const auto read = [] { return outcome{now->r[0], now->r[1], now->x.load(relaxed)}; };
  EXPECT_FALSE(ends_of(threads, read, sequential()).has({1, 0, 1}));
  EXPECT_TRUE(ends_of(threads, read, buffered()).has({1, 0, 1}));
}

TEST(litmus, two_writers_of_two_words_never_both_come_first) {
  for (const auto& mode : {sequential(), buffered()}) {
    const auto found = ends_of(
        {[] {
           now->x.store(1, relaxed);
           now->y.store(2, relaxed);
         },
         [] {
           now->y.store(1, relaxed);
           now->x.store(2, relaxed);
         }},
        [] { return outcome{now->x.load(relaxed), now->y.load(relaxed)}; }, mode);
    EXPECT_EQ(found.seen, (std::set<outcome>{{1, 2}, {2, 1}, {2, 2}}));
  }
}

// Both directions of a store-load pair, with the barrier on one side only.
TEST(litmus, a_membarrier_stands_for_the_other_threads_fence) {
  const auto with = [](bool barrier) {
    return ends_of({[=] {
                      now->x.store(1, relaxed);
                      if (barrier) explore::membarrier();
                      now->r[0] = now->y.load(acquire);
                    },
                    [=] {
                      now->y.store(1, relaxed);
                      now->r[1] = now->x.load(acquire);
                    }},
                   two_registers, buffered());
  };
  EXPECT_TRUE(with(false).has({0, 0}));
  EXPECT_EQ(with(true).seen, (std::set<outcome>{{0, 1}, {1, 0}, {1, 1}}));
}

TEST(litmus, a_membarrier_drains_all_that_was_in_a_buffer) {
  const auto found = ends_of({[] {
                                now->x.store(1, relaxed);
                                explore::membarrier();
                                now->r[0] = now->y.load(acquire);
                              },
                              [] {
                                now->z.store(1, relaxed);
                                now->y.store(1, relaxed);
                                now->r[1] = now->x.load(acquire);
                              }},
                             two_registers, buffered());
  EXPECT_FALSE(found.has({0, 0}));
}

// A membarrier reaches the threads one after another. Between the two others it orders nothing, and
// one that was reached early may have a store on its way again when the membarrier returns.
TEST(litmus, a_membarrier_reaches_each_thread_at_a_time_of_its_own) {
  const auto found = ends_of({[] {
                                now->z.exchange(1, seq_cst);
                                explore::membarrier();
                                now->r[0] = now->x.load(acquire);
                              },
                              [] {
                                now->r[1] = now->z.load(acquire);
                                now->x.store(1, relaxed);
                                now->r[2] = now->y.load(acquire);
                              },
                              [] {
                                now->y.store(1, relaxed);
                                now->r[3] = now->z.load(acquire);
                                now->r[4] = now->x.load(acquire);
                              }},
                             registers, buffered());
  EXPECT_TRUE(found.report.ok()) << found.report.text();
  EXPECT_TRUE(found.has({0, 1, 0, 0, 0, 0}));
}

TEST(litmus, a_wide_load_sees_the_threads_own_narrow_store) {
  struct alignas(16) pair {
    word low, high;
  };
  static std::optional<pair> both;
  explore::word16 seen{};
  explore::program p;
  p.setup = [] { both.emplace(); };
  p.threads = {[&] {
                 both->high.store(5, relaxed);
                 seen = explore::load16(&*both, acquire);
               },
               [] { both->low.store(3, relaxed); }};
  p.finish = [&] {
    explore::require(seen.high == 5 && (seen.low == 0 || seen.low == 3), "forwarded");
  };
  const auto report = explore::run(p, buffered());
  EXPECT_TRUE(report.ok()) << report.text();
}

}  // namespace
