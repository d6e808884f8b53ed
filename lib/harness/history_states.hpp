// The states a key went through, in the order of versions: what its commits and the answers left
// of its missing ones say. First half of the history check.
#pragma once

#include <harness/history_check.hpp>

#include <optional>

namespace ratchet::inline RATCHET_ABI::harness {

inline constexpr std::uint32_t no_operation = 0xffffffff;

// A state, and the bounds that operations put on the instant at which it began.
struct timed_state {
  std::uint64_t version = 0;
  std::uint64_t value = 0;
  std::uint64_t write_begin = 0;
  std::uint64_t write_end = never;
  std::uint64_t seen_begin = 0;    // the latest begin of who saw it
  std::uint64_t seen_end = never;  // the earliest end of who saw it
  std::uint32_t writer = no_operation;
  std::uint32_t seen_begin_by = no_operation;
  std::uint32_t seen_end_by = no_operation;
  bool present = false;
};

class history_states {
 public:
  history_states(const key_history& history, violations& found, double ticks_per_ns);

  [[nodiscard]] const std::vector<timed_state>& all() const noexcept { return states_; }
  // Writes without an answer.
  [[nodiscard]] bool has_pending() const noexcept { return lost_ != 0; }
  // Answers "absent" without a version, by their ends.
  [[nodiscard]] const std::vector<std::uint32_t>& unplaced() const noexcept { return unplaced_; }

 private:
  void order_commits();
  void explain_missing_versions();
  void explain(std::uint64_t version, const operation& seen);
  void link();
  void check_precondition(const timed_state& before, const timed_state& now);
  bool explain_hole(const timed_state& before, const timed_state& now, std::uint64_t missing);
  void accuse_hole(const timed_state& before, const timed_state& now);
  void see_all();
  void see(std::uint32_t index, const operation& op);
  void accuse_cause(const operation& op);
  [[nodiscard]] timed_state* find(std::uint64_t version);
  std::optional<std::uint32_t> take_pending(std::uint64_t version, const operation& seen);
  [[nodiscard]] std::string told(const operation& op) const { return describe(op, ticks_per_ns_); }
  void accuse(std::string_view name, const std::string& message);

  const key_history& history_;
  violations& found_;
  double ticks_per_ns_;
  std::vector<timed_state> states_;
  std::vector<std::uint32_t> pending_;  // not used yet, by their begins
  std::vector<std::uint32_t> unplaced_;
  std::uint64_t lost_ = 0;             // writes without an answer
  std::uint64_t lost_erase_ = never;   // the first begin of such an erase
  std::uint64_t lost_create_ = never;  // the first begin of one that may create
  std::uint64_t unseen_ = 0;           // versions that must be theirs and that nobody saw
};

}  // namespace ratchet::inline RATCHET_ABI::harness
