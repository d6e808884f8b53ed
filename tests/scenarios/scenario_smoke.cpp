// Every scenario on every store, at a size that takes a moment: callers enough to meet, rounds
// enough for each kind of start.
#include <harness/scenarios.hpp>

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace ratchet::harness;

const tick_clock& the_clock() {
  static const tick_clock clock = tick_clock::measure();
  return clock;
}

settings small() {
  settings wanted;
  wanted.callers = 48;
  wanted.limit = 20;
  wanted.rounds = 4;
  wanted.seed = std::random_device()();
  wanted.clock = &the_clock();
  return wanted;
}

std::string told(const scenario_result& run) {
  std::string text = run.name + " on " + run.store + ": " + run.reason + "\n";
  for (const violation& one : run.main.found.kept()) text += one.message + "\n";
  return text;
}

std::vector<store_kind> stores() {
  if (has_native_store) return {store_kind::mutex, store_kind::native};
  return {store_kind::mutex};
}

void expect_right(const scenario_result& run) {
  EXPECT_EQ(run.verdict, verdict::ok) << told(run);
  ASSERT_TRUE(run.plain.has_value());
  for (const pass_result* pass : {&run.main, &*run.plain})
    for (const round_result& round : pass->rounds) {
      EXPECT_EQ(round.operations, round.operations_checked);
      EXPECT_GT(round.commits, 0u);
      EXPECT_EQ(round.answers.done, round.expected.done);
    }
}

TEST(scenario, each_is_right_on_each_store) {
  for (const auto& one : all_scenarios())
    for (const store_kind store : stores())
      if (!one.is_twin) expect_right(one.run(small(), store));
}

TEST(scenario, the_overlap_pass_makes_conflicts) {
  const auto run = find_scenario("counter")->run(small(), store_kind::mutex);
  EXPECT_GT(summarize(run.main).conflicts_per_commit(), 0.1);
  EXPECT_GT(summarize(run.main).peak_in_flight, 8u);
}

TEST(scenario, callers_can_share_threads) {
  settings wanted = small();
  wanted.threads = 3;
  for (const auto& one : all_scenarios())
    if (!one.is_twin) expect_right(one.run(wanted, store_kind::mutex));
}

TEST(scenario, without_a_record_the_counts_are_checked) {
  settings wanted = small();
  wanted.records = false;
  const auto run = find_scenario("wallet")->run(wanted, store_kind::mutex);
  EXPECT_EQ(run.verdict, verdict::ok) << told(run);
  EXPECT_FALSE(run.recorded);
  EXPECT_EQ(run.main.rounds[0].operations_checked, 0u);
}

TEST(scenario, works_on_the_shared_counter_clock) {
  const auto counter = tick_clock::shared_counter("test");
  settings wanted = small();
  wanted.clock = &counter;
  for (const auto& one : all_scenarios())
    if (!one.is_twin) expect_right(one.run(wanted, store_kind::mutex));
}

TEST(scenario, a_limit_above_the_callers_is_never_reached) {
  settings wanted = small();
  wanted.limit = 100;
  for (const char* name : {"rate-limiter", "wallet"}) {
    const auto run = find_scenario(name)->run(wanted, store_kind::mutex);
    EXPECT_EQ(run.verdict, verdict::ok) << told(run);
    EXPECT_EQ(run.main.rounds[0].answers.done, 48u);
  }
}

TEST(scenario, cold_rounds_start_without_the_key) {
  const auto run = find_scenario("rate-limiter")->run(small(), store_kind::mutex);
  int cold = 0;
  for (const round_result& round : run.main.rounds) {
    EXPECT_EQ(round.initial.present, !round.cold);
    cold += round.cold ? 1 : 0;
  }
  EXPECT_EQ(cold, 2);
}

TEST(scenario, a_run_that_was_stopped_judges_whole_rounds_only) {
  ratchet::base::atomic<bool> stop{true};
  settings wanted = small();
  wanted.stop = &stop;
  const auto run = find_scenario("counter")->run(wanted, store_kind::mutex);
  EXPECT_TRUE(run.main.interrupted);
  EXPECT_TRUE(run.main.rounds.empty());
  EXPECT_EQ(run.verdict, verdict::unchecked);
}

}  // namespace
