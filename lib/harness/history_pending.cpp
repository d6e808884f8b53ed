#include <harness/history_pending.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

constexpr std::size_t pending_max = 64;
constexpr std::size_t depth_max = 4'000;

// The key's state, and the earliest instant at which it can have begun.
struct place {
  key_state state;
  std::uint64_t at = 0;
  std::uint64_t gap_end = 0;  // absents that begin before this have their place in a gap
  std::uint64_t used = 0;     // operations without an answer, a bit each
  std::size_t next = 1;       // the first known state above this version
  bool known = true;          // this version is that of a known state, the one before `next`
};

class explanation {
 public:
  explanation(const key_history& history, const std::vector<timed_state>& states,
              std::uint64_t steps_max)
      : operations_(history.operations), states_(states), steps_left_(steps_max) {
    for (const operation& op : operations_) {
      if (op.answer == answer::pending && op.verb != verb::read) pending_.push_back(&op);
      if (op.answer == answer::saw_absent && op.version == 0) absents_.push_back(&op);
    }
    std::sort(pending_.begin(), pending_.end(), by_begin);
    std::sort(absents_.begin(), absents_.end(), by_begin);
    first_end_.assign(absents_.size() + 1, never);
    for (std::size_t i = absents_.size(); i-- > 0;)
      first_end_[i] = std::min(first_end_[i + 1], absents_[i]->end);
    deadline_.assign(states_.size() + 1, never);
    for (std::size_t i = states_.size(); i-- > 0;)
      deadline_[i] = std::min({deadline_[i + 1], end_of_write(i), states_[i].seen_end});
  }

  explained find() {
    if (pending_.size() > pending_max) return explained::undecided;
    place first;
    first.state = {states_[0].version, states_[0].value, states_[0].present};
    if (from(first, 0)) return explained::yes;
    return gave_up_ ? explained::undecided : explained::no;
  }

 private:
  static bool by_begin(const operation* a, const operation* b) { return a->begin < b->begin; }

  // The commit that made a known state; null: one without an answer did.
  [[nodiscard]] const operation* commit_of(std::size_t i) const {
    if (states_[i].writer == no_operation) return nullptr;
    const operation& op = operations_[states_[i].writer];
    return op.answer == answer::committed ? &op : nullptr;
  }
  [[nodiscard]] std::uint64_t end_of_write(std::size_t i) const {
    const operation* made = commit_of(i);
    return made != nullptr ? made->end : never;
  }

  [[nodiscard]] std::size_t first_absent_from(std::uint64_t begin) const {
    const auto at = std::lower_bound(
        absents_.begin(), absents_.end(), begin,
        [](const operation* one, std::uint64_t wanted) { return one->begin < wanted; });
    return static_cast<std::size_t>(at - absents_.begin());
  }

  bool from(place now, std::size_t depth) {
    for (;;) {
      const std::size_t left = first_absent_from(now.gap_end);
      if (now.at > deadline_[now.next] || first_end_[left] < now.at) return false;
      if (now.next == states_.size() && (!now.state.present || left == absents_.size()))
        return true;
      // Where only a known commit can come next, there is no choice to make.
      if ((!now.state.present && left != absents_.size()) || !commits_next(now)) break;
      if (!forward(now, *commit_of(now.next), states_[now.next].version)) return false;
    }
    if (steps_left_ == 0 || depth > depth_max) {
      gave_up_ = true;
      return false;
    }
    --steps_left_;
    if (!tried_
             .insert({now.state.version, now.state.value, now.state.present, now.at, now.gap_end,
                      now.used})
             .second)
      return false;
    if (now.next < states_.size() && commit_of(now.next) != nullptr &&
        by(now, *commit_of(now.next), states_[now.next].version, now.used, depth))
      return true;
    return by_pending(now, depth);
  }

  [[nodiscard]] bool commits_next(const place& now) const {
    return now.next < states_.size() && states_[now.next].version == now.state.version + 1 &&
           commit_of(now.next) != nullptr;
  }

  bool by_pending(const place& now, std::size_t depth) {
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if ((now.used >> i & 1) != 0 || has_elder(now, i)) continue;
      const std::uint64_t used = now.used | (std::uint64_t{1} << i);
      for (const std::uint64_t version : versions_for(now))
        if (by(now, *pending_[i], version, used, depth)) return true;
    }
    return false;
  }

  // Of operations that are alike the one that began first can do all that the others can.
  [[nodiscard]] bool has_elder(const place& now, std::size_t index) const {
    const operation& op = *pending_[index];
    for (std::size_t i = 0; i < index; ++i) {
      const operation& other = *pending_[i];
      if ((now.used >> i & 1) == 0 && other.verb == op.verb &&
          (is_erase(op.verb) || other.value == op.value) &&
          (!matches_version(op.verb) || other.expected == op.expected))
        return true;
    }
    return false;
  }

  // What an operation without an answer may make next. A creation may jump; of use are jumps from
  // which the next known version, or one that a condition names, can be reached.
  [[nodiscard]] std::vector<std::uint64_t> versions_for(const place& now) const {
    const std::uint64_t least = now.state.version + 1;
    std::vector<std::uint64_t> found{least};
    if (now.state.present) return found;
    const bool bounded = now.next < states_.size();
    const std::uint64_t last = bounded ? states_[now.next].version : never;
    const auto up_to = [&](std::uint64_t target) {
      for (std::uint64_t below = 0; below <= pending_.size() && below <= target; ++below)
        if (target - below > least && target - below <= last) found.push_back(target - below);
    };
    if (bounded) up_to(last);
    for (const operation* op : pending_)
      if (matches_version(op->verb)) up_to(op->expected);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  // One write, and all that its gap can take in: nobody who would have to wait for, or so many of
  // those whose time ends first.
  bool by(const place& now, const operation& op, std::uint64_t version, std::uint64_t used,
          std::size_t depth) {
    place then = now;
    then.used = used;
    if (!forward(then, op, version)) return false;
    if (from(then, depth + 1)) return true;
    if (now.state.present) return false;
    std::vector<const operation*> waiting(
        absents_.begin() + static_cast<std::ptrdiff_t>(first_absent_from(then.gap_end)),
        absents_.end());
    std::sort(waiting.begin(), waiting.end(),
              [](const operation* a, const operation* b) { return a->end < b->end; });
    for (const operation* one : waiting) {
      if (one->begin <= then.at) continue;
      then.at = one->begin;
      then.gap_end = then.at + 1;
      if (then.at > deadline_of(then)) return false;
      if (from(then, depth + 1)) return true;
    }
    return false;
  }

  [[nodiscard]] std::uint64_t deadline_of(const place& at) const {
    return deadline_[at.known ? at.next - 1 : at.next];
  }

  // False: `op` cannot have made that version of this state.
  bool forward(place& now, const operation& op, std::uint64_t version) const {
    if (!may_make(op, now.state, version)) return false;
    const bool reaches = now.next < states_.size() && states_[now.next].version == version;
    const bool present = !is_erase(op.verb);
    if (reaches) {
      const timed_state& known = states_[now.next];
      const operation* commit = commit_of(now.next);
      if (commit != nullptr && commit != &op) return false;
      if (known.present != present || (present && known.value != op.value)) return false;
    } else if (now.next < states_.size() && states_[now.next].version < version) {
      return false;
    }
    std::uint64_t at = std::max(now.at, op.begin);
    if (now.known) at = std::max(at, states_[now.next - 1].seen_begin);
    if (!now.state.present) now.gap_end = at + 1;
    now.at = at;
    now.state = {version, present ? op.value : 0, present};
    now.known = reaches;
    if (reaches) ++now.next;
    return at <= deadline_of(now);
  }

  static bool may_make(const operation& op, const key_state& from, std::uint64_t version) {
    const bool creates = op.verb == verb::put || op.verb == verb::put_absent;
    if (!from.present) return creates && version > from.version;
    if (op.verb == verb::put_absent || version != from.version + 1) return false;
    if (matches_version(op.verb)) return op.expected == from.version;
    // The answer of a plain erase shows what it removed.
    return op.verb != verb::erase || op.answer == answer::pending ||
           (op.expected == from.version && op.value == from.value);
  }

  std::span<const operation> operations_;
  const std::vector<timed_state>& states_;
  std::vector<const operation*> pending_;  // by their begins
  std::vector<const operation*> absents_;  // "absent" without a version, by their begins
  std::vector<std::uint64_t> first_end_;   // of the absents from each on
  std::vector<std::uint64_t> deadline_;    // the first end of a write or sight from each state on
  std::uint64_t steps_left_;
  bool gave_up_ = false;
  std::set<
      std::tuple<std::uint64_t, std::uint64_t, bool, std::uint64_t, std::uint64_t, std::uint64_t>>
      tried_;
};

}  // namespace

explained explain_pending(const key_history& history, const std::vector<timed_state>& states,
                          std::uint64_t steps_max) {
  return explanation(history, states, steps_max).find();
}

}  // namespace ratchet::inline RATCHET_ABI::harness
