// Waiting: what ends is let end, what never ends is reported and told apart.
#include "toy.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

using namespace toy;

namespace {

void wait_for(word& flag) {
  while (flag.load(acquire) == 0) explore::yield();
}

bool says(const explore::report& report, std::string_view what) {
  return report.violation && report.violation->message.find(what) != std::string::npos;
}

TEST(waiting, a_loop_that_waits_for_another_thread_is_finite) {
  for (auto mode : {sequential(), buffered()}) {
    mode.idle_rounds_max = 0;  // it is the store that ends the wait, and not that the others ended
    const auto report = explore::run(over_words({[] { wait_for(now->x); },
                                                 [] {
                                                   now->y.store(1, relaxed);
                                                   now->x.store(1, release);
                                                 }}),
                                     mode);
    EXPECT_TRUE(report.ok()) << report.text();
  }
}

TEST(waiting, two_threads_that_wait_for_each_other_are_a_livelock) {
  const auto report = explore::run(over_words({[] {
                                                 wait_for(now->x);
                                                 now->y.store(1, release);
                                               },
                                               [] {
                                                 wait_for(now->y);
                                                 now->x.store(1, release);
                                               }}));
  EXPECT_TRUE(says(report, "livelock: thread 0, 1")) << report.text();
}

TEST(waiting, a_thread_that_only_yields_is_a_livelock) {
  const auto report = explore::run(over_words({[] {
    for (;;) explore::yield();
  }}));
  EXPECT_TRUE(says(report, "livelock")) << report.text();
}

TEST(waiting, a_loop_that_gives_up_is_no_livelock) {
  auto options = sequential();
  options.idle_rounds_max = 4;
  const auto report = explore::run(over_words({[] {
                                     for (int i = 0; i < 4 && now->x.load(acquire) == 0; ++i)
                                       explore::yield();
                                   }}),
                                   options);
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(waiting, a_loop_without_yield_is_an_endless_loop) {
  auto options = sequential();
  options.steps_max = 500;
  const auto report = explore::run(over_words({[] {
                                     while (now->x.load(acquire) == 0) {
                                     }
                                   }}),
                                   options);
  EXPECT_TRUE(says(report, "endless loop")) << report.text();
}

TEST(waiting, a_spin_lock_excludes_and_ends) {
  const auto locked_add = [] {
    std::uint64_t expected = 0;
    while (!now->x.compare_exchange(expected, 1, acquire, relaxed)) {
      expected = 0;
      explore::yield();
    }
    const std::uint64_t before = now->y.load(relaxed);
    now->y.store(before + 1, relaxed);
    now->x.store(0, release);
  };
  for (const auto& mode : {sequential(), buffered()}) {
    auto program = over_words({locked_add, locked_add});
    program.finish = [] { explore::require(now->y.load(relaxed) == 2, "both counted"); };
    const auto report = explore::run(program, mode);
    EXPECT_TRUE(report.ok()) << report.text();
  }
}

// A caller that lost and yields may win before anybody else writes again.
TEST(waiting, yielding_does_not_hide_an_early_second_try) {
  const auto found = ends_of({[] {
                                std::uint64_t expected = 0;
                                if (now->x.compare_exchange(expected, 1, relaxed, relaxed)) return;
                                explore::yield();
                                now->x.compare_exchange(expected, 2, relaxed, relaxed);
                              },
                              [] {
                                now->x.exchange(7, relaxed);
                                now->r[0] = now->x.load(relaxed);
                                now->y.exchange(1, relaxed);
                              }},
                             two_registers);
  EXPECT_TRUE(found.has({2, 0}));
}

TEST(stopping, whoever_waits_for_a_stopped_thread_is_reported) {
  auto options = sequential();
  options.stoppable = {1};
  const auto report = explore::run(
      over_words({[] { wait_for(now->x); }, [] { now->x.store(1, release); }}), options);
  EXPECT_TRUE(says(report, "thread 0 waits for a stopped thread, 1")) << report.text();
}

TEST(stopping, a_thread_is_stopped_after_each_of_its_steps_and_ends_before_teardown) {
  std::set<std::uint64_t> seen;
  bool ended_late = true;
  auto program = over_words({[] {
                               for (int i = 0; i < 3; ++i) now->x.fetch_add(1, relaxed);
                             },
                             [] { now->y.fetch_add(1, relaxed); }});
  program.finish = [&] {
    if (explore::stopped_thread()) seen.insert(now->x.load(relaxed));
    explore::require(now->y.load(relaxed) == 1, "the other ended");
  };
  program.teardown = [&] { ended_late = ended_late && now->x.load(relaxed) == 3; };
  auto options = sequential();
  options.stoppable = {0};
  const auto report = explore::run(program, options);
  EXPECT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(report.stops, 3u);
  EXPECT_TRUE(ended_late);
}

TEST(stopping, what_a_stopped_thread_stored_still_reaches_memory) {
  auto options = buffered();
  options.stoppable = {1};
  const auto report = explore::run(over_words({[] { now->r[0] = now->x.load(relaxed); },
                                               [] {
                                                 now->x.store(1, relaxed);
                                                 now->y.load(relaxed);
                                               }}),
                                   options);
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(fibers, exceptions_are_thrown_and_caught_across_switches) {
  const auto body = [](int which) {
    return [which] {
      try {
        now->x.fetch_add(1, relaxed);
        throw which;
      } catch (int caught) {
        now->x.fetch_add(1, relaxed);  // switches inside a handler
        try {
          throw std::runtime_error("inner");
        } catch (const std::runtime_error&) {
          now->x.fetch_add(1, relaxed);
        }
        explore::require(std::current_exception() != nullptr, "the outer one is still handled");
        try {
          throw;
        } catch (int again) {
          explore::require(again == which && caught == which, "each fiber has its own exception");
        }
      }
      explore::require(std::uncaught_exceptions() == 0, "none is left");
    };
  };
  const auto report =
      explore::run(over_words({body(1), body(2)}), {.reduce = explore::reduction::none});
  EXPECT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(report.executions, 20u);
}

TEST(fibers, a_body_that_throws_is_a_violation) {
  const auto report = explore::run(over_words({[] {
    now->x.load(relaxed);
    throw std::runtime_error("no");
  }}));
  EXPECT_TRUE(says(report, "thread 0 threw: no")) << report.text();
}

TEST(fibers, each_has_a_thread_slot_and_an_exit_of_its_own) {
  static int marks[2];
  int exits = 0;
  const auto body = [](int which) {
    return [which] {
      explore::require(explore::thread_slot() == nullptr, "empty at the start");
      explore::thread_slot() = &marks[which];
      now->x.fetch_add(1, relaxed);
      explore::require(explore::thread_slot() == &marks[which], "its own");
    };
  };
  auto program = over_words({body(0), body(1)});
  program.thread_exit = [&] {
    explore::require(explore::thread_slot() == &marks[*explore::this_thread()], "still there");
    now->y.fetch_add(1, relaxed);
    ++exits;
  };
  const auto report = explore::run(program, {.reduce = explore::reduction::none});
  EXPECT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(report.executions, 6u);
  EXPECT_EQ(exits, 12);
}

TEST(clock, only_goes_forward_and_its_readings_are_scheduled) {
  const auto found =
      ends_of({[] { now->r[0] = explore::now_ns(); }, [] { now->r[1] = explore::now_ns(); }},
              [] { return outcome{now->r[0] < now->r[1]}; });
  EXPECT_EQ(found.seen.size(), 2u);
}

TEST(liveness, a_probe_that_waits_for_a_thread_is_reported) {
  auto p = over_words({[] { now->x.store(1, seq_cst); }});
  p.probe = [] {
    while (now->y.load(acquire) == 0) {
    }
  };
  const auto report = explore::run(p, {});
  ASSERT_TRUE(report.violation.has_value());
  EXPECT_EQ(report.violation->message, "endless loop in unscheduled code: it waits for a thread");
}

}  // namespace
