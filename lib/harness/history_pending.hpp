// Can operations without an answer explain a history? Second half of its check, where there are
// such operations.
#pragma once

#include <harness/history_states.hpp>

namespace ratchet::inline RATCHET_ABI::harness {

enum class explained : std::uint8_t { yes, no, undecided };

// Goes up the versions and tries every choice of an operation without an answer for each version
// that no answer made, and of a gap for each "absent" that shows no version. `states` found nothing
// wrong. Undecided: more than 64 such operations, or more than `steps_max` choices tried.
explained explain_pending(const key_history& history, const std::vector<timed_state>& states,
                          std::uint64_t steps_max);

}  // namespace ratchet::inline RATCHET_ABI::harness
