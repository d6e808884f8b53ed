// What the CPU must have, and what it may have.
#pragma once

#include <ratchet/base/config.hpp>

namespace ratchet::inline RATCHET_ABI::base {

// Ends the process in words on a CPU without cmpxchg16b (before 2006): no slot could be changed
// there.
// Called by the library when it is loaded, and before the first thread record is made.
RATCHET_API void require_cmpxchg16b() noexcept;

}  // namespace ratchet::inline RATCHET_ABI::base
