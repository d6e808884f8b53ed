#include <harness/run_result.hpp>

#include <algorithm>
#include <cstdio>

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void expect_count(round_result& round, std::string_view name, std::string_view what,
                  std::uint64_t expected, std::uint64_t got) {
  if (expected == got) return;
  round.found.add(name, "round " + std::to_string(round.round) + ": " + std::string(what) +
                            " expected " + std::to_string(expected) + ", got " +
                            std::to_string(got));
}

}  // namespace

pass_summary summarize(const pass_result& pass) {
  pass_summary sum;
  std::vector<double> spreads;
  std::vector<double> times;
  sum.got_min = pass.rounds.empty() ? 0 : never;
  for (const round_result& round : pass.rounds) {
    sum.got_min = std::min(sum.got_min, round.answers.done);
    sum.got_max = std::max(sum.got_max, round.answers.done);
    sum.operations += round.operations;
    sum.operations_checked += round.operations_checked;
    sum.commits += round.commits;
    sum.conflicts += round.conflicts;
    sum.peak_in_flight = std::max(sum.peak_in_flight, round.peak_in_flight);
    spreads.push_back(round.spread_ns);
    times.push_back(round.ms);
  }
  sum.spread_ns = median(std::move(spreads));
  sum.ms = median(std::move(times));
  return sum;
}

std::string void_reason(const pass_summary& sum, std::uint32_t callers, std::uint32_t threads,
                        const overlap_rule& rule) {
  if (callers < rule.callers_min) return {};
  const std::uint32_t peak_min = std::min(rule.peak_min, std::max(threads / 2, 1u));
  if (sum.peak_in_flight < peak_min)
    return "at most " + std::to_string(sum.peak_in_flight) +
           " callers stood between read and write at once, needed are " + std::to_string(peak_min);
  if (sum.conflicts_per_commit() < rule.conflicts_per_commit_min) {
    char text[96];
    std::snprintf(text, sizeof text, "%.3f conflicts per commit, needed are %.3f",
                  sum.conflicts_per_commit(), rule.conflicts_per_commit_min);
    return text;
  }
  return {};
}

void judge_run(scenario_result& run, const overlap_rule& rule) {
  const bool plain_found = run.plain && !run.plain->found.none();
  const pass_result& worst = run.main.found.none() && plain_found ? *run.plain : run.main;
  if (!worst.found.none()) {
    run.verdict = verdict::violation;
    run.reason = worst.found.kept().empty() ? "" : std::string(worst.found.kept()[0].name);
    return;
  }
  for (const pass_result* pass : {&run.main, run.plain ? &*run.plain : nullptr}) {
    if (pass == nullptr || pass->error.empty()) continue;
    run.verdict = verdict::unchecked;
    run.reason = pass->error;
    return;
  }
  if (run.main.rounds.empty()) {
    run.verdict = verdict::unchecked;
    run.reason = "no round was run to its end";
    return;
  }
  run.reason = void_reason(summarize(run.main), run.callers, run.threads, rule);
  run.verdict = run.reason.empty() ? verdict::ok : verdict::void_run;
}

void judge_counts(round_result& round) {
  const expectation& expected = round.expected;
  expect_count(round, "contended", "calls that gave up", 0, round.answers.contended);
  expect_count(round, "unknown", "calls without an answer", 0,
               round.answers.unknown + round.unanswered);
  expect_count(round, "invalid", "calls refused as invalid", 0, round.answers.invalid);
  if (!expected.exact) return;
  expect_count(round, "wrong-count", "calls done", expected.done, round.answers.done);
  expect_count(round, "wrong-count", "calls refused", expected.refused, round.answers.refused);
  expect_count(round, "wrong-writes", "commits", expected.writes, round.commits);
  if (!round.final.present && expected.writes != 0) {
    round.found.add("wrong-end",
                    "round " + std::to_string(round.round) + ": the key is absent at the end");
    return;
  }
  expect_count(round, "wrong-end", "the value at the end", expected.final_value, round.final.value);
  // A creation may jump, so a cold start counts from the version it made.
  const std::uint64_t start = round.cold ? round.created_at - 1 : round.initial.version;
  expect_count(round, "wrong-end", "the version at the end", start + expected.writes,
               round.final.version);
}

}  // namespace ratchet::inline RATCHET_ABI::harness
