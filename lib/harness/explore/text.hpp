// Schedules and traces as text.
#pragma once

#include <harness/explore/execution.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ratchet::inline RATCHET_ABI::explore {

// "tso stop1@3 0*2 1 0d": memory mode, thread 1 stops after 3 steps, two steps of thread 0, one of
// thread 1, one drain of thread 0's buffer. "older 0 1~2": thread 1 loads the value two writes
// back.
struct named_schedule {
  explore::memory memory = explore::memory::sequential;
  std::optional<stop_point> stop;
  std::vector<transition> transitions;
};

std::string to_text(const named_schedule&);
named_schedule parse_schedule(std::string_view text);  // throws std::invalid_argument

// One line per event.
std::string trace_text(execution&);

}  // namespace ratchet::inline RATCHET_ABI::explore
