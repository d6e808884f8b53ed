// What a run measured and found.
#pragma once

#include <harness/operation.hpp>
#include <harness/violation.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ratchet::inline RATCHET_ABI::harness {

// How the calls of a round ended, in the pattern's own words.
struct answer_counts {
  std::uint64_t done = 0;
  std::uint64_t refused = 0;
  std::uint64_t contended = 0;
  std::uint64_t unknown = 0;
  std::uint64_t invalid = 0;  // and whatever else a pattern must not answer here

  void add(const answer_counts& other) noexcept {
    done += other.done;
    refused += other.refused;
    contended += other.contended;
    unknown += other.unknown;
    invalid += other.invalid;
  }
};

// What a round must come to. Not exact: any counts, only the history is judged.
struct expectation {
  bool exact = true;
  std::uint64_t done = 0;
  std::uint64_t refused = 0;
  std::uint64_t writes = 0;
  std::uint64_t final_value = 0;
};

struct round_result {
  std::uint32_t round = 0;
  bool cold = false;  // the key did not exist at the start
  expectation expected;
  answer_counts answers;
  key_state initial;  // of the first key, as is final
  key_state final;
  std::uint64_t created_at = 0;
  std::uint64_t operations = 0;
  std::uint64_t operations_checked = 0;
  std::uint64_t commits = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t unanswered = 0;
  std::uint32_t peak_in_flight = 0;
  double spread_ns = 0;  // between the first and the last caller's first call
  double ms = 0;         // from the first call to the last answer
  violations found;
};

struct pass_result {
  double overlap = 0;
  std::vector<round_result> rounds;
  violations found;
  std::string error;  // why it ended early, if it did
  bool interrupted = false;
};

enum class verdict : std::uint8_t {
  ok,
  violation,
  void_run,   // right, but the callers did not meet: it shows nothing
  unchecked,  // could not be run or checked to the end, which is no pass
};

struct scenario_result {
  std::string name;
  std::string store;
  std::uint32_t callers = 0;
  std::uint32_t threads = 0;
  std::uint32_t limit = 0;
  bool recorded = true;
  pass_result main;
  std::optional<pass_result> plain;  // the same with no overlap made: reported, not judged as void
  harness::verdict verdict = harness::verdict::ok;
  std::string reason;  // of a verdict that is not ok
};

// Over the rounds of a pass.
struct pass_summary {
  std::uint64_t got_min = 0;
  std::uint64_t got_max = 0;
  std::uint64_t operations = 0;
  std::uint64_t operations_checked = 0;
  std::uint64_t commits = 0;
  std::uint64_t conflicts = 0;
  std::uint32_t peak_in_flight = 0;
  double spread_ns = 0;  // median
  double ms = 0;         // median

  [[nodiscard]] double conflicts_per_commit() const noexcept {
    return commits == 0 ? 0.0 : static_cast<double>(conflicts) / static_cast<double>(commits);
  }
};
pass_summary summarize(const pass_result&);

// What a run of this many callers must have shown to count.
struct overlap_rule {
  std::uint32_t callers_min = 100;  // smaller runs are not judged by it
  std::uint32_t peak_min = 64;
  double conflicts_per_commit_min = 0.1;
};

// Fewer threads than the rule's peak cannot reach it: half of them must then.
std::string void_reason(const pass_summary&, std::uint32_t callers, std::uint32_t threads,
                        const overlap_rule& = {});

// Fills in verdict and reason from the passes.
void judge_run(scenario_result&, const overlap_rule& = {});

// The counts and the key's end against what was expected.
void judge_counts(round_result&);

}  // namespace ratchet::inline RATCHET_ABI::harness
