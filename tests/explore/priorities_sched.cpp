// Random schedules: they find what few changes of the running thread show, and replay from a seed.
#include "toy.hpp"

#include <gtest/gtest.h>

using namespace toy;

namespace {

// Eight threads; one of them is wrong if another gets between its load and its store, twice.
explore::program lost_updates() {
  bodies threads(8, [] { now->y.fetch_add(1, relaxed); });
  threads[3] = [] {
    for (int i = 0; i < 2; ++i) {
      const auto seen = now->x.load(relaxed);
      now->z.fetch_add(1, relaxed);
      now->r[0] += now->x.load(relaxed) != seen ? 1 : 0;
    }
    explore::require(now->r[0] < 2, "interrupted twice");
  };
  threads[5] = [] {
    now->x.fetch_add(1, relaxed);
    now->x.fetch_add(1, relaxed);
  };
  return over_words(std::move(threads));
}

TEST(priorities, find_a_fault_of_three_changes_among_eight_threads) {
  const auto found = explore::run_random(lost_updates(), sequential(), {1, 20'000, 3});
  ASSERT_TRUE(found.violation.has_value()) << found.text();
  EXPECT_EQ(found.violation->message, "interrupted twice");
}

TEST(priorities, without_changes_run_each_thread_at_one_go) {
  const auto none = explore::run_random(lost_updates(), sequential(), {1, 5'000, 0});
  EXPECT_TRUE(none.ok()) << none.text();
  EXPECT_EQ(none.executions, 5'000u);
}

TEST(priorities, a_failure_replays_from_its_seed_and_from_its_schedule) {
  const auto program = lost_updates();
  const auto found = explore::run_random(program, sequential(), {1, 20'000, 3});
  ASSERT_TRUE(found.violation.has_value());
  const auto again = explore::run_random(program, sequential(), {*found.violation->seed, 1, 3});
  ASSERT_TRUE(again.violation.has_value()) << again.text();
  EXPECT_EQ(again.violation->trace, found.violation->trace);
  EXPECT_EQ(again.executions, 1u);
  const auto replayed = explore::replay(program, found.violation->schedule);
  ASSERT_TRUE(replayed.violation.has_value());
  EXPECT_EQ(replayed.violation->trace, found.violation->trace);
  EXPECT_NE(found.text().find("seed: "), std::string::npos);
}

// Each weak mode shows what it is there for at random too.
TEST(priorities, show_delayed_stores_and_older_values) {
  const auto endings = [](explore::memory memory) {
    std::set<outcome> seen;
    auto p = over_words({[] {
                           now->x.store(1, relaxed);
                           now->r[0] = now->y.load(relaxed);
                         },
                         [] {
                           now->y.store(1, relaxed);
                           now->r[1] = now->x.load(relaxed);
                         }});
    p.finish = [&] { seen.insert(two_registers()); };
    EXPECT_TRUE(explore::run_random(p, {.memory = memory}, {1, 2'000, 3}).ok());
    return seen;
  };
  EXPECT_FALSE(endings(explore::memory::sequential).contains({0, 0}));
  EXPECT_TRUE(endings(explore::memory::store_buffers).contains({0, 0}));
  EXPECT_TRUE(endings(explore::memory::older_values).contains({0, 0}));
}

TEST(priorities, stop_a_thread_after_a_random_number_of_its_steps) {
  auto options = sequential();
  options.stoppable = {0};
  const bodies threads(2, [] {
    for (int i = 0; i < 10; ++i) now->x.fetch_add(1, relaxed);
  });
  std::set<std::uint64_t> ends;
  auto p = over_words(threads);
  p.finish = [&] { ends.insert(now->x.load(relaxed)); };
  const auto found = explore::run_random(p, options, {1, 1'000, 3});
  EXPECT_TRUE(found.ok()) << found.text();
  EXPECT_GT(found.stops, 300u);
  EXPECT_EQ(ends.size(), 11u) << "it makes none to all of its ten steps";
}

}  // namespace
