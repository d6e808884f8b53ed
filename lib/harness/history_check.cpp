#include <harness/history_check.hpp>
#include <harness/history_pending.hpp>

#include <algorithm>

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

// The earliest instant the next state can begin at, and the operation that says so.
struct bound {
  std::uint64_t at = 0;
  std::uint32_t by = no_operation;

  void raise(std::uint64_t to, std::uint32_t source) noexcept {
    if (to <= at) return;
    at = to;
    by = source;
  }
};

class sweep {
 public:
  sweep(const key_history& history, history_states& states, violations& found, double ticks_per_ns)
      : history_(history),
        states_(states.all()),
        unplaced_(states.unplaced()),
        found_(found),
        ticks_per_ns_(ticks_per_ns) {}

  void run() {
    if (!unplaced_.empty()) look_ahead();
    bound earliest;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const timed_state& state = states_[i];
      earliest.raise(state.write_begin, state.writer);
      if (earliest.at > state.write_end) return accuse(i, earliest, state.writer);
      if (earliest.at > state.seen_end) return accuse(i, earliest, state.seen_end_by);
      bound next = earliest;
      next.raise(state.seen_begin, state.seen_begin_by);
      if (!unplaced_.empty() && !state.present && !place_absents(i, earliest, next)) return;
      earliest = next;
    }
    if (placed_ < unplaced_.size())
      found_.add(fault::never_absent,
                 key_text() + "the key existed throughout, but " + told(unplaced_[placed_]));
  }

 private:
  // For each gap: the highest bound that the states up to the next gap add by themselves.
  void look_ahead() {
    added_.assign(states_.size(), never);
    std::uint64_t highest = 0;
    bool gap_ahead = false;
    for (std::size_t i = states_.size(); i-- > 0;) {
      highest = std::max(highest, states_[i].seen_begin);
      if (!states_[i].present) {
        added_[i] = gap_ahead ? highest : never;
        highest = 0;
        gap_ahead = true;
      }
      highest = std::max(highest, states_[i].write_begin);
    }
  }

  // Takes into gap i who cannot wait for the next one.
  bool place_absents(std::size_t i, const bound& earliest, bound& next) {
    std::uint64_t next_gap = added_[i] == never ? never : std::max(next.at, added_[i]);
    while (placed_ < unplaced_.size()) {
      const operation& op = history_.operations[unplaced_[placed_]];
      if (op.end >= next_gap && next_gap != never) break;
      if (op.end < earliest.at) {
        found_.add(fault::never_absent, key_text() + "the key was not absent in the time of " +
                                            told(unplaced_[placed_]));
        return false;
      }
      next.raise(op.begin, unplaced_[placed_]);
      next_gap = std::max(next_gap, op.begin);
      ++placed_;
    }
    return true;
  }

  // `victim` ended before the state could begin that it wrote or saw.
  void accuse(std::size_t i, const bound& earliest, std::uint32_t victim) {
    const operation& late = history_.operations[victim];
    const std::string version = std::to_string(states_[i].version);
    if (earliest.by == no_operation) return;
    const operation& cause = history_.operations[earliest.by];
    const bool cause_saw = cause.answer == answer::saw_value || cause.answer == answer::saw_absent;
    if (cause_saw)
      return found_.add(is_conflict(cause) ? fault::stale_conflict : fault::stale_read,
                        key_text() + "version " + version + " was there before " +
                            describe(cause, ticks_per_ns_) + ": " + told(victim));
    if (late.answer == answer::committed)
      return found_.add(fault::late_write,
                        key_text() + "the write of version " + version + " had ended before " +
                            describe(cause, ticks_per_ns_) + " began: " + told(victim));
    found_.add(fault::future_read,
               key_text() + "version " + version + " could not be there yet: " + told(victim) +
                   ", which ended before " + describe(cause, ticks_per_ns_) + " began");
  }

  [[nodiscard]] std::string key_text() const {
    return "key " + std::to_string(history_.key) + ": ";
  }
  [[nodiscard]] std::string told(std::uint32_t index) const {
    return describe(history_.operations[index], ticks_per_ns_);
  }

  const key_history& history_;
  const std::vector<timed_state>& states_;
  const std::vector<std::uint32_t>& unplaced_;
  violations& found_;
  double ticks_per_ns_;
  std::vector<std::uint64_t> added_;
  std::size_t placed_ = 0;
};

// Millions of choices take seconds.
constexpr std::uint64_t choices_max = 1'000'000;

void try_all_choices(const key_history& history, const history_states& states,
                     history_verdict& verdict) {
  switch (explain_pending(history, states.all(), choices_max)) {
    case explained::yes:
      break;
    case explained::no:
      verdict.found.add(fault::unexplained,
                        "key " + std::to_string(history.key) +
                            ": whichever of the operations without an answer took effect, they "
                            "explain not all that was seen");
      break;
    case explained::undecided:
      verdict.exact = false;
      break;
  }
}

}  // namespace

history_verdict check_history(const key_history& history, double ticks_per_ns) {
  history_verdict verdict;
  verdict.checked = history.operations.size();
  history_states states(history, verdict.found, ticks_per_ns);
  // An order with holes or duplicates says nothing about time.
  if (verdict.found.none()) sweep(history, states, verdict.found, ticks_per_ns).run();
  if (verdict.found.none() && states.has_pending()) try_all_choices(history, states, verdict);
  verdict.states.reserve(states.all().size());
  for (const timed_state& state : states.all())
    verdict.states.push_back({state.version, state.value, state.present});
  return verdict;
}

}  // namespace ratchet::inline RATCHET_ABI::harness
