// Callers that start at one moment.
#pragma once

#include <ratchet/base/config.hpp>

#include <cstdint>
#include <functional>

namespace ratchet::inline RATCHET_ABI::harness {

// Runs body(0) ... body(callers - 1) on `threads` threads, which start behind a gate that opens
// when all are awake; each thread takes the callers whose number is its own modulo `threads`.
// Returns when all have ended. An exception of a body is thrown here (the first one); so is a
// std::system_error when a thread cannot be made, and then no body has run.
void run_crowd(std::uint32_t callers, std::uint32_t threads,
               const std::function<void(std::uint32_t)>& body);

}  // namespace ratchet::inline RATCHET_ABI::harness
