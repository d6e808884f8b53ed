#include <harness/history_states.hpp>

#include <algorithm>
#include <map>

namespace ratchet::inline RATCHET_ABI::harness {

history_states::history_states(const key_history& history, violations& found, double ticks_per_ns)
    : history_(history), found_(found), ticks_per_ns_(ticks_per_ns) {
  order_commits();
  if (!pending_.empty()) explain_missing_versions();
  link();
  see_all();
}

void history_states::accuse(std::string_view name, const std::string& message) {
  found_.add(name, "key " + std::to_string(history_.key) + ": " + message);
}

void history_states::order_commits() {
  struct ordered {
    std::uint64_t version;
    std::uint32_t index;
  };
  const auto operations = history_.operations;
  std::vector<ordered> commits;
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    if (operations[i].answer == answer::committed)
      commits.push_back({operations[i].version, i});
    else if (operations[i].answer == answer::pending && operations[i].verb != verb::read)
      pending_.push_back(i);
  }
  std::sort(commits.begin(), commits.end(), [](const ordered& a, const ordered& b) {
    return a.version != b.version ? a.version < b.version : a.index < b.index;
  });
  std::sort(pending_.begin(), pending_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return operations[a].begin < operations[b].begin;
  });
  lost_ = pending_.size();
  for (const std::uint32_t i : pending_) {
    const verb v = operations[i].verb;
    if (is_erase(v)) lost_erase_ = std::min(lost_erase_, operations[i].begin);
    if (v == verb::put || v == verb::put_absent)
      lost_create_ = std::min(lost_create_, operations[i].begin);
  }
  timed_state first;
  first.version = history_.initial.version;
  first.value = history_.initial.value;
  first.present = history_.initial.present;
  states_.reserve(commits.size() + 1);
  states_.push_back(first);
  for (const ordered& commit : commits) {
    const operation& op = operations[commit.index];
    if (op.version == states_.back().version && states_.size() > 1) {
      accuse(fault::duplicate_version,
             "version " + std::to_string(op.version) + " was issued twice: " +
                 told(operations[states_.back().writer]) + ", and " + told(op));
      continue;
    }
    if (op.version <= history_.initial.version) {
      accuse(fault::version_went_back, "the key started at version " +
                                           std::to_string(history_.initial.version) + ", but " +
                                           told(op));
      continue;
    }
    timed_state made;
    made.version = op.version;
    made.present = !is_erase(op.verb);
    made.value = made.present ? op.value : 0;
    made.write_begin = op.begin;
    made.write_end = op.end;
    made.writer = commit.index;
    states_.push_back(made);
  }
}

timed_state* history_states::find(std::uint64_t version) {
  // Nearly always dense from the first commit on: one look then.
  if (states_.size() > 1 && version >= states_[1].version) {
    const std::uint64_t guess = 1 + version - states_[1].version;
    if (guess < states_.size() && states_[guess].version == version) return &states_[guess];
  }
  const auto at = std::lower_bound(
      states_.begin(), states_.end(), version,
      [](const timed_state& s, std::uint64_t wanted) { return s.version < wanted; });
  return at != states_.end() && at->version == version ? &*at : nullptr;
}

void history_states::explain_missing_versions() {
  std::map<std::uint64_t, std::uint32_t> missing;
  const auto operations = history_.operations;
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const operation& op = operations[i];
    const bool saw = op.answer == answer::saw_value || op.answer == answer::saw_absent;
    if (saw && op.version > history_.initial.version && find(op.version) == nullptr)
      missing.try_emplace(op.version, i);
  }
  for (const auto& [version, index] : missing) explain(version, operations[index]);
}

void history_states::explain(std::uint64_t version, const operation& seen) {
  const auto writer = take_pending(version, seen);
  if (!writer) return;  // whoever saw it is accused later
  timed_state made;
  made.version = version;
  made.present = seen.answer == answer::saw_value;
  made.value = made.present ? seen.value : 0;
  made.write_begin = history_.operations[*writer].begin;
  made.writer = *writer;
  const auto at = std::lower_bound(
      states_.begin(), states_.end(), version,
      [](const timed_state& s, std::uint64_t wanted) { return s.version < wanted; });
  states_.insert(at, made);
}

// The one that explains most: the first begun of all that can have written it. Used up is one whose
// condition names this very version, if there is one, since it is of no use elsewhere.
std::optional<std::uint32_t> history_states::take_pending(std::uint64_t version,
                                                          const operation& seen) {
  auto used = pending_.end();
  std::optional<std::uint32_t> first;
  for (auto it = pending_.begin(); it != pending_.end(); ++it) {
    const operation& op = history_.operations[*it];
    if (is_erase(op.verb) == (seen.answer == answer::saw_value)) continue;
    if (!is_erase(op.verb) && op.value != seen.value) continue;
    const bool names_it = matches_version(op.verb);
    if (names_it && op.expected + 1 != version) continue;
    if (!first) first = *it;
    if (used == pending_.end() || names_it) used = it;
    if (names_it) break;
  }
  if (used != pending_.end()) pending_.erase(used);
  return first;
}

void history_states::link() {
  for (std::size_t i = 1; i < states_.size(); ++i) {
    const timed_state& before = states_[i - 1];
    const timed_state& now = states_[i];
    const std::uint64_t missing = now.version - before.version - 1;
    const bool known = history_.operations[now.writer].answer == answer::committed;
    if (missing != 0 && explain_hole(before, now, missing)) continue;
    if (missing != 0 && before.present)
      accuse_hole(before, now);
    else if (known)
      check_precondition(before, now);
  }
}

// Which of the operations without answer fills a hole that nobody saw is not known, so none is used
// up by one: there must be enough of them in all.
bool history_states::explain_hole(const timed_state& before, const timed_state& now,
                                  std::uint64_t missing) {
  const operation& op = history_.operations[now.writer];
  // Who wrote it is itself a guess where there was no answer.
  const bool guessed = op.answer == answer::pending;
  const bool creates = guessed || op.verb == verb::put || op.verb == verb::put_absent;
  if (!before.present) return creates || lost_create_ != never;
  // A lost erase and a creation that jumps explain any number; a creation needs the erase.
  if (creates && lost_erase_ != never) return true;
  if (!guessed && op.verb == verb::put_absent) return false;
  if (lost_erase_ != never && lost_create_ != never) return true;
  unseen_ += missing;
  return unseen_ <= lost_;
}

void history_states::accuse_hole(const timed_state& before, const timed_state& now) {
  const operation& op = history_.operations[now.writer];
  const bool names_another =
      op.answer == answer::committed && matches_version(op.verb) && op.expected == before.version;
  accuse(names_another ? fault::wrong_increment : fault::version_gap,
         "after version " + std::to_string(before.version) + " of a present key comes version " +
             std::to_string(now.version) + ": " + told(op));
}

void history_states::check_precondition(const timed_state& before, const timed_state& now) {
  const operation& op = history_.operations[now.writer];
  if (op.verb == verb::put_absent && before.present)
    accuse(fault::double_create,
           "the key existed at version " + std::to_string(before.version) + ", but " + told(op));
  if (is_erase(op.verb) || op.verb == verb::put_match || op.verb == verb::put_present) {
    if (!before.present) {
      accuse(fault::write_on_absent, "the key was absent at version " +
                                         std::to_string(before.version) + ", but " + told(op));
      return;
    }
  }
  if ((matches_version(op.verb) || op.verb == verb::erase) && op.expected + 1 != op.version)
    accuse(fault::wrong_increment, "a commit on version " + std::to_string(op.expected) +
                                       " makes the next one, but " + told(op));
  if (op.verb == verb::erase && op.value != before.value)
    accuse(fault::removed_mismatch, "version " + std::to_string(before.version) + " held value " +
                                        std::to_string(static_cast<std::int64_t>(before.value)) +
                                        ", but " + told(op) + " handed out " +
                                        std::to_string(static_cast<std::int64_t>(op.value)));
}

void history_states::see_all() {
  const auto operations = history_.operations;
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    const operation& op = operations[i];
    if (op.answer == answer::saw_absent && op.version == 0) {
      if (op.verb == verb::put || op.verb == verb::put_absent) accuse_cause(op);
      // A lost erase may have made a gap that shows nowhere else.
      if (op.end < lost_erase_) unplaced_.push_back(i);
    } else if (op.answer == answer::saw_value || op.answer == answer::saw_absent) {
      see(i, op);
    }
  }
  std::sort(unplaced_.begin(), unplaced_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return operations[a].end < operations[b].end;
  });
}

void history_states::accuse_cause(const operation& op) {
  accuse(fault::own_conflict, "its condition held in what it showed: " + told(op));
}

void history_states::see(std::uint32_t index, const operation& op) {
  const bool saw_value = op.answer == answer::saw_value;
  timed_state* state = find(op.version);
  if (state == nullptr) {
    accuse(fault::unwritten_version, "nobody wrote that version: " + told(op));
    return;
  }
  if (state->present != saw_value || (saw_value && state->value != op.value)) {
    const std::string held =
        state->present ? "value " + std::to_string(static_cast<std::int64_t>(state->value))
                       : "no value";
    accuse(fault::value_mismatch,
           "version " + std::to_string(op.version) + " holds " + held + ", but " + told(op));
    return;
  }
  const bool has_cause = (op.verb == verb::put_absent && saw_value) ||
                         (op.verb == verb::put_present && !saw_value) ||
                         (matches_version(op.verb) && !(saw_value && op.expected == op.version)) ||
                         (op.verb == verb::erase && !saw_value) || op.verb == verb::read;
  if (!has_cause) accuse_cause(op);
  if (op.begin > state->seen_begin || state->seen_begin_by == no_operation) {
    state->seen_begin = op.begin;
    state->seen_begin_by = index;
  }
  if (op.end < state->seen_end) {
    state->seen_end = op.end;
    state->seen_end_by = index;
  }
}

}  // namespace ratchet::inline RATCHET_ABI::harness
