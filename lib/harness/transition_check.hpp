// Whether each commit did to the value what its pattern allows.
#pragma once

#include <harness/history_check.hpp>

namespace ratchet::inline RATCHET_ABI::harness {

namespace fault {
inline constexpr std::string_view forbidden_transition = "forbidden-transition";
}

// `allowed(before, after)` answers null, or the rule that was broken. States in the order of
// versions, as check_history hands them out.
template <class Allowed>
void check_transitions(std::uint64_t key, const std::vector<key_state>& states, Allowed allowed,
                       violations& found) {
  const auto shown = [](const key_state& state) {
    return (state.present ? std::to_string(static_cast<std::int64_t>(state.value)) : "absent") +
           " (version " + std::to_string(state.version) + ")";
  };
  for (std::size_t i = 1; i < states.size(); ++i) {
    const char* broken = allowed(states[i - 1], states[i]);
    if (broken == nullptr) continue;
    if (found.keeps(fault::forbidden_transition))
      found.add(fault::forbidden_transition, "key " + std::to_string(key) + ": " + broken +
                                                 ", but it went from " + shown(states[i - 1]) +
                                                 " to " + shown(states[i]));
    else
      found.count();
  }
}

}  // namespace ratchet::inline RATCHET_ABI::harness
