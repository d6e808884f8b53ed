#include <harness/history_search.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

class search {
 public:
  explicit search(const key_history& history) : operations_(history.operations) {
    if (operations_.size() > search_operations_max)
      throw std::invalid_argument("search_linearization: " + std::to_string(operations_.size()) +
                                  " operations, accepted are at most " +
                                  std::to_string(search_operations_max));
    for (const operation& op : operations_) {
      highest_ = std::max(highest_, op.version);
      if (op.answer == answer::pending && matches_version(op.verb))
        highest_ = std::max(highest_, op.expected);
    }
  }

  bool from(std::uint64_t done, const key_state& state) {
    std::uint64_t first_end = never;
    bool all_answered = true;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if ((done >> i & 1) != 0) continue;
      if (operations_[i].answer != answer::pending) all_answered = false;
      first_end = std::min(first_end, operations_[i].end);
    }
    if (all_answered) return true;
    if (!tried_.insert({done, state.version, state.value, state.present}).second) return false;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const operation& op = operations_[i];
      // Somebody else had ended before this one began: it is not next.
      if ((done >> i & 1) != 0 || op.begin > first_end) continue;
      const std::uint64_t with = done | (std::uint64_t{1} << i);
      if (op.answer == answer::pending ? try_pending(with, op, state) : step(with, op, state))
        return true;
    }
    return false;
  }

 private:
  bool step(std::uint64_t done, const operation& op, const key_state& state) {
    if (op.answer != answer::committed) return observes(op, state) && from(done, state);
    if (!may_commit(op.verb, op.expected, state)) return false;
    if (op.verb == verb::erase && (op.value != state.value || op.expected != state.version))
      return false;
    if (state.present ? op.version != state.version + 1 : op.version <= state.version) return false;
    return from(done, after(op, op.version));
  }

  // It has effect, with whatever version it can have made: of use is none above all that were seen
  // or named by a condition.
  bool try_pending(std::uint64_t done, const operation& op, const key_state& state) {
    if (op.verb == verb::read || !may_commit(op.verb, op.expected, state)) return false;
    const std::uint64_t next = state.version + 1;
    const std::uint64_t last = state.present ? next : std::max(next, highest_);
    for (std::uint64_t version = next; version <= last; ++version)
      if (from(done, after(op, version))) return true;
    return false;
  }

  static bool may_commit(verb v, std::uint64_t expected, const key_state& state) {
    switch (v) {
      case verb::put:
        return true;
      case verb::put_absent:
        return !state.present;
      case verb::put_present:
      case verb::erase:
        return state.present;
      case verb::put_match:
      case verb::erase_match:
        return state.present && state.version == expected;
      case verb::read:
        break;
    }
    return false;
  }
  static bool observes(const operation& op, const key_state& state) {
    if (op.answer == answer::saw_absent) {
      if (state.present || (op.version != 0 && op.version != state.version)) return false;
    } else if (!state.present || op.value != state.value || op.version != state.version) {
      return false;
    }
    return op.verb == verb::read || !may_commit(op.verb, op.expected, state);
  }
  static key_state after(const operation& op, std::uint64_t version) {
    if (is_erase(op.verb)) return {version, 0, false};
    return {version, op.value, true};
  }

  std::span<const operation> operations_;
  std::uint64_t highest_ = 0;
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, bool>> tried_;
};

}  // namespace

bool search_linearization(const key_history& history) {
  return search(history).from(0, history.initial);
}

}  // namespace ratchet::inline RATCHET_ABI::harness
