// One key's clock.
#pragma once

#include <ratchet/base/config.hpp>

#include <compare>
#include <cstdint>

namespace ratchet::inline RATCHET_ABI {

// Counts a key's successful writes, and never goes back: not over erase, re-creation or growth. Has
// order and equality, no arithmetic: code that counts on +1 breaks where a key was dropped and made
// anew.
class version {
 public:
  // "None": never issued, matches nothing.
  constexpr version() noexcept = default;

  // For tokens that come back from outside the process.
  [[nodiscard]] static constexpr version from_u64(std::uint64_t number) noexcept {
    version made;
    made.number_ = number;
    return made;
  }
  // For tokens that leave the process (fencing). 0 is "none".
  [[nodiscard]] constexpr std::uint64_t to_u64() const noexcept { return number_; }

  friend constexpr auto operator<=>(version, version) = default;

 private:
  std::uint64_t number_ = 0;
};

}  // namespace ratchet::inline RATCHET_ABI
