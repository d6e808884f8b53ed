// A second opinion on small histories, for the tests of the first: tries all orders.
//
// Wing and Gong's search with Lowe's memory of configurations seen (Testing for linearizability,
// 2017). It runs a sequential model of one key and looks at nothing but the intervals and what the
// model would answer, so it shares no idea with the check by version order. Exponential.
#pragma once

#include <harness/history_check.hpp>

namespace ratchet::inline RATCHET_ABI::harness {

// At most 64 operations.
inline constexpr std::size_t search_operations_max = 64;

bool search_linearization(const key_history&);

}  // namespace ratchet::inline RATCHET_ABI::harness
