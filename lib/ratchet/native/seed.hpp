// Numbers nobody outside can guess.
#pragma once

#include <ratchet/base/config.hpp>

#include <cstdint>

namespace ratchet::inline RATCHET_ABI::native {

// From the kernel; where it gives none, from the clock and an address.
[[nodiscard]] RATCHET_API std::uint64_t random_seed() noexcept;

}  // namespace ratchet::inline RATCHET_ABI::native
