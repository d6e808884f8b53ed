// Is a key's history linearizable? Decided by the order that the versions give.
//
// Each commit makes a version of its own, so the order of a key's writes is known and only the
// instants are open. Going up the versions, the earliest instant at which each can have been
// committed is the latest of: the one before it, the begin of its write, and the begins of all
// reads that still saw an older version. The history is linearizable just when no such instant
// passes the end of its write or the end of a read that saw it. Linear in the operations after one
// sort.
//
// An absent answer without a version belongs into some gap in which the key did not exist. Each is
// put into the last gap it can be in; that leaves the most room to all others, so this is exact.
// Operations without an answer may have happened or not. They are used to explain versions that
// were seen and that nobody else wrote: at first each by the earliest that could, which never
// accuses wrongly; what passes is then tried choice by choice (history_pending.hpp). So that is
// exact too, or the verdict says that it is not.
#pragma once

#include <harness/operation.hpp>
#include <harness/violation.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace ratchet::inline RATCHET_ABI::harness {

// The names of what can be wrong.
namespace fault {
inline constexpr std::string_view duplicate_version = "duplicate-version";
inline constexpr std::string_view version_went_back = "version-went-back";
inline constexpr std::string_view version_gap = "version-gap";
inline constexpr std::string_view wrong_increment = "wrong-increment";
inline constexpr std::string_view double_create = "double-create";
inline constexpr std::string_view write_on_absent = "write-on-absent";
inline constexpr std::string_view removed_mismatch = "removed-mismatch";
inline constexpr std::string_view own_conflict = "conflict-without-cause";
inline constexpr std::string_view unwritten_version = "unwritten-version";
inline constexpr std::string_view value_mismatch = "value-mismatch";
inline constexpr std::string_view never_absent = "never-absent";
inline constexpr std::string_view stale_read = "stale-read";
inline constexpr std::string_view stale_conflict = "stale-conflict";
inline constexpr std::string_view future_read = "future-read";
inline constexpr std::string_view late_write = "late-write";
inline constexpr std::string_view unexplained = "unexplained";
}  // namespace fault

struct key_history {
  std::uint64_t key = 0;  // for messages
  key_state initial;
  std::span<const operation> operations;
};

struct history_verdict {
  violations found;
  std::uint64_t checked = 0;      // operations
  std::vector<key_state> states;  // the initial one and each commit's, in the order of versions
  bool exact = true;  // false: too many choices of operations without an answer to try them all
};

history_verdict check_history(const key_history&, double ticks_per_ns = 0);

}  // namespace ratchet::inline RATCHET_ABI::harness
