#include <harness/report.hpp>

#include <nlohmann/json.hpp>

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

using nlohmann::ordered_json;

ordered_json of(const key_state& state) {
  return {{"present", state.present},
          {"version", state.version},
          {"value", static_cast<std::int64_t>(state.value)}};
}

ordered_json of(const violations& found) {
  ordered_json kept = ordered_json::array();
  for (const violation& one : found.kept())
    kept.push_back({{"name", one.name}, {"message", one.message}});
  return {{"total", found.total()}, {"first", kept}};
}

ordered_json of(const round_result& round) {
  ordered_json made{{"round", round.round},
                    {"cold_start", round.cold},
                    {"done", round.answers.done},
                    {"refused", round.answers.refused},
                    {"contended", round.answers.contended},
                    {"unknown", round.answers.unknown},
                    {"invalid", round.answers.invalid},
                    {"initial", of(round.initial)},
                    {"final", of(round.final)},
                    {"operations", round.operations},
                    {"operations_checked", round.operations_checked},
                    {"commits", round.commits},
                    {"conflicts", round.conflicts},
                    {"peak_in_flight", round.peak_in_flight},
                    {"spread_ns", round.spread_ns},
                    {"duration_ms", round.ms},
                    {"violations", of(round.found)}};
  if (round.expected.exact)
    made["expected"] = {{"done", round.expected.done},
                        {"refused", round.expected.refused},
                        {"commits", round.expected.writes},
                        {"final_value", static_cast<std::int64_t>(round.expected.final_value)}};
  return made;
}

ordered_json of(const pass_result& pass) {
  const pass_summary sum = summarize(pass);
  ordered_json rounds = ordered_json::array();
  for (const round_result& round : pass.rounds) rounds.push_back(of(round));
  return {{"overlap", pass.overlap},
          {"interrupted", pass.interrupted},
          {"error", pass.error},
          {"conflicts_per_commit", sum.conflicts_per_commit()},
          {"peak_in_flight", sum.peak_in_flight},
          {"spread_ns_median", sum.spread_ns},
          {"duration_ms_median", sum.ms},
          {"violations", of(pass.found)},
          {"rounds", rounds}};
}

ordered_json of(const scenario_result& run) {
  ordered_json passes = ordered_json::array();
  passes.push_back(of(run.main));
  if (run.plain) passes.push_back(of(*run.plain));
  return {{"scenario", run.name},
          {"store", run.store},
          {"callers", run.callers},
          {"threads", run.threads},
          {"limit", run.limit},
          {"history_checked", run.recorded},
          {"verdict", name_of(run.verdict)},
          {"reason", run.reason},
          {"passes", passes}};
}

ordered_json of(const machine& here) {
  return {{"cpu", here.cpu},
          {"cores_online", here.cores_online},
          {"cores_allowed", here.cores_allowed},
          {"kernel", here.kernel}};
}

}  // namespace

std::string report_json(const run_facts& facts, const std::vector<scenario_result>& runs) {
  const machine here = this_machine();
  ordered_json results = ordered_json::array();
  for (const scenario_result& run : runs) results.push_back(of(run));
  const ordered_json report{
      {"schema", 1},
      {"program", "ratchet-stress"},
      {"version", library_version()},
      {"commit", here.commit},
      {"machine", of(here)},
      {"compiler", here.compiler},
      {"flags", here.flags},
      {"clock", facts.wanted.clock != nullptr ? facts.wanted.clock->why() : ""},
      {"arguments", facts.arguments},
      {"seed", std::to_string(facts.wanted.seed)},  // a number would lose bits in most readers
      {"replay", facts.replay},
      {"canary", facts.canary},
      {"interrupted", facts.interrupted},
      {"exit_status", facts.exit_status},
      {"results", results}};
  return report.dump(2) + "\n";
}

}  // namespace ratchet::inline RATCHET_ABI::harness
