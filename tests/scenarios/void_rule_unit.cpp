// What a run must have shown to count.
#include <harness/run_result.hpp>

#include <gtest/gtest.h>

namespace {

using namespace ratchet::harness;

pass_summary showing(std::uint32_t peak, std::uint64_t conflicts) {
  pass_summary sum;
  sum.peak_in_flight = peak;
  sum.commits = 100;
  sum.conflicts = conflicts;
  return sum;
}

scenario_result run_of(std::uint32_t callers, std::uint32_t peak, std::uint64_t conflicts) {
  scenario_result run;
  run.callers = callers;
  run.threads = callers;
  round_result round;
  round.peak_in_flight = peak;
  round.commits = 100;
  round.conflicts = conflicts;
  run.main.rounds.push_back(round);
  return run;
}

TEST(void_rule, needs_64_at_once_and_a_conflict_in_ten_commits) {
  EXPECT_EQ(void_reason(showing(64, 10), 1000, 1000), "");
  EXPECT_NE(void_reason(showing(63, 10), 1000, 1000).find("63"), std::string::npos);
  EXPECT_NE(void_reason(showing(64, 9), 1000, 1000).find("0.090"), std::string::npos);
}
TEST(void_rule, holds_from_100_callers_on) {
  EXPECT_EQ(void_reason(showing(1, 0), 99, 99), "");
  EXPECT_NE(void_reason(showing(1, 0), 100, 100), "");
}
TEST(void_rule, asks_half_of_few_threads) {
  EXPECT_EQ(void_reason(showing(4, 10), 1000, 8), "");
  EXPECT_NE(void_reason(showing(3, 10), 1000, 8), "");
  EXPECT_NE(void_reason(showing(1, 0), 1000, 1), "");
}
TEST(void_rule, thresholds_can_be_others) {
  const overlap_rule strict{.callers_min = 2, .peak_min = 2, .conflicts_per_commit_min = 0.5};
  EXPECT_NE(void_reason(showing(4, 10), 4, 4, strict), "");
}

TEST(verdict, comes_from_the_worst) {
  auto run = run_of(1000, 100, 50);
  judge_run(run);
  EXPECT_EQ(run.verdict, verdict::ok);
  run = run_of(1000, 10, 50);
  judge_run(run);
  EXPECT_EQ(run.verdict, verdict::void_run);
  run.main.error = "no memory";
  judge_run(run);
  EXPECT_EQ(run.verdict, verdict::unchecked);
  EXPECT_EQ(run.reason, "no memory");
  run.main.found.add("stale-read", "x");
  judge_run(run);
  EXPECT_EQ(run.verdict, verdict::violation);
  EXPECT_EQ(run.reason, "stale-read");
}
TEST(verdict, a_violation_in_the_plain_pass_counts) {
  auto run = run_of(1000, 100, 50);
  run.plain.emplace();
  run.plain->found.add("stale-read", "x");
  judge_run(run);
  EXPECT_EQ(run.verdict, verdict::violation);
}
TEST(verdict, a_run_without_rounds_is_no_pass) {
  scenario_result run;
  judge_run(run);
  EXPECT_EQ(run.verdict, verdict::unchecked);
}

round_result right_round() {
  round_result round;
  round.expected = {.done = 10, .refused = 5, .writes = 10, .final_value = 10};
  round.answers = {.done = 10, .refused = 5};
  round.initial = {3, 0, true};
  round.final = {13, 10, true};
  round.commits = 10;
  return round;
}

std::string_view fault_of(round_result round) {
  judge_counts(round);
  return round.found.none() ? std::string_view() : round.found.kept()[0].name;
}

TEST(counts, are_exact) {
  EXPECT_EQ(fault_of(right_round()), "");
  auto round = right_round();
  round.answers.done = 11;
  EXPECT_EQ(fault_of(round), "wrong-count");
  round = right_round();
  round.answers.refused = 4;
  EXPECT_EQ(fault_of(round), "wrong-count");
  round = right_round();
  round.commits = 11;
  EXPECT_EQ(fault_of(round), "wrong-writes");
  round = right_round();
  round.final.value = 9;
  EXPECT_EQ(fault_of(round), "wrong-end");
  round = right_round();
  round.final.version = 14;
  EXPECT_EQ(fault_of(round), "wrong-end");
  round = right_round();
  round.final.present = false;
  EXPECT_EQ(fault_of(round), "wrong-end");
}
TEST(counts, giving_up_is_a_violation) {
  auto round = right_round();
  round.answers.contended = 1;
  EXPECT_EQ(fault_of(round), "contended");
  round = right_round();
  round.answers.unknown = 1;
  EXPECT_EQ(fault_of(round), "unknown");
  round = right_round();
  round.answers.invalid = 1;
  EXPECT_EQ(fault_of(round), "invalid");
}
TEST(counts, a_cold_start_counts_from_the_version_created) {
  auto round = right_round();
  round.cold = true;
  round.initial = {};
  round.created_at = 8;
  round.final.version = 17;
  EXPECT_EQ(fault_of(round), "");
  round.final.version = 18;
  EXPECT_EQ(fault_of(round), "wrong-end");
}

}  // namespace
