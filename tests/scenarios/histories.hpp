// Builds histories for the checker's tests.
#pragma once

#include <harness/history_check.hpp>
#include <harness/history_search.hpp>
#include <harness/random.hpp>

#include <algorithm>
#include <vector>

namespace histories {

using namespace ratchet::harness;

inline operation op(std::uint32_t caller, verb v, answer a, std::uint64_t version,
                    std::uint64_t value, std::uint64_t begin, std::uint64_t end,
                    std::uint64_t expected = 0) {
  operation made;
  made.caller = caller;
  made.verb = v;
  made.answer = a;
  made.version = version;
  made.value = value;
  made.begin = begin;
  made.end = end;
  made.expected = expected;
  return made;
}
inline operation reads(std::uint64_t version, std::uint64_t value, std::uint64_t begin,
                       std::uint64_t end) {
  return op(1, verb::read, answer::saw_value, version, value, begin, end);
}
inline operation reads_absent(std::uint64_t version, std::uint64_t begin, std::uint64_t end) {
  return op(1, verb::read, answer::saw_absent, version, 0, begin, end);
}
inline operation writes(std::uint64_t version, std::uint64_t value, std::uint64_t begin,
                        std::uint64_t end) {
  return op(2, verb::put_match, answer::committed, version, value, begin, end, version - 1);
}
inline operation creates(std::uint64_t version, std::uint64_t value, std::uint64_t begin,
                         std::uint64_t end) {
  return op(3, verb::put_absent, answer::committed, version, value, begin, end);
}
inline operation erases(std::uint64_t version, std::uint64_t begin, std::uint64_t end) {
  return op(4, verb::erase_match, answer::committed, version, 0, begin, end, version - 1);
}

inline constexpr key_state present_at_one{1, 10, true};
inline constexpr key_state never_made{};

inline history_verdict check(const std::vector<operation>& operations,
                             key_state initial = present_at_one) {
  return check_history({0, initial, operations});
}
inline std::string_view fault_of(const std::vector<operation>& operations,
                                 key_state initial = present_at_one) {
  const auto verdict = check(operations, initial);
  return verdict.found.none() ? std::string_view() : verdict.found.kept()[0].name;
}

// A history as a right store makes it: each call takes effect at its instant, and its interval lies
// somewhere around that.
inline std::vector<operation> valid(random_source& choices, std::size_t calls, key_state initial,
                                    bool with_pending) {
  std::vector<operation> made;
  key_state now = initial;
  std::uint64_t instant = 100;
  for (std::size_t i = 0; i < calls; ++i) {
    instant += choices.below(20);
    operation one;
    one.caller = static_cast<std::uint32_t>(choices.below(4));
    one.verb = static_cast<verb>(choices.below(7));
    one.begin = instant - choices.below(60);
    one.end = instant + choices.below(60);
    const std::uint64_t value = 1 + choices.below(6);
    const bool right = choices.below(3) != 0;
    if (matches_version(one.verb)) one.expected = right ? now.version : choices.below(6);
    bool commits = false;
    switch (one.verb) {
      case verb::read:
        break;
      case verb::put:
        commits = true;
        break;
      case verb::put_absent:
        commits = !now.present;
        break;
      case verb::put_present:
      case verb::erase:
        commits = now.present;
        break;
      case verb::put_match:
      case verb::erase_match:
        commits = now.present && one.expected == now.version;
        break;
    }
    if (!commits) {
      one.answer = now.present ? answer::saw_value : answer::saw_absent;
      one.value = now.present ? now.value : 0;
      one.version = now.present || choices.below(2) == 0 ? now.version : 0;
    } else {
      const std::uint64_t jump = !now.present && choices.below(3) == 0 ? choices.below(3) : 0;
      if (one.verb == verb::erase) {
        one.expected = now.version;
        one.value = now.value;
      }
      now.version += 1 + jump;
      now.present = !is_erase(one.verb);
      now.value = now.present ? value : 0;
      if (now.present) one.value = value;
      one.answer = answer::committed;
      one.version = now.version;
    }
    if (with_pending && one.verb != verb::read && choices.below(6) == 0) {
      one.answer = answer::pending;
      one.value = is_erase(one.verb) ? 0 : (commits ? one.value : value);
      one.version = 0;
      one.end = never;
    }
    made.push_back(one);
  }
  return made;
}

// One detail made different; it may happen to stay valid.
inline void corrupt(random_source& choices, std::vector<operation>& operations) {
  operation& one = operations[choices.below(operations.size())];
  switch (choices.below(9)) {
    case 0:
      one.version += 1;
      break;
    case 1:
      one.version -= one.version != 0 ? 1 : 0;
      break;
    case 2:
      one.value ^= 1;
      break;
    case 3: {
      const std::uint64_t shift = choices.below(120);
      one.begin += shift;
      if (one.end != never) one.end += shift;
      break;
    }
    case 4: {
      const std::uint64_t shift = std::min<std::uint64_t>(one.begin, choices.below(120));
      one.begin -= shift;
      if (one.end != never) one.end -= shift;
      break;
    }
    case 5:
      one = operations[choices.below(operations.size())];
      break;
    case 6:
      // Only reads are never commits.
      one.verb = static_cast<verb>(one.answer == answer::committed ? 1 + choices.below(6)
                                                                   : choices.below(7));
      break;
    case 7:
      if (one.answer == answer::saw_value)
        one.answer = answer::saw_absent;
      else if (one.answer == answer::saw_absent)
        one.answer = answer::saw_value;
      break;
    default:
      std::swap(one.version, operations[choices.below(operations.size())].version);
      break;
  }
}

}  // namespace histories
