// What must hold for a write to commit. A condition is an argument of a type of its own, so that a
// number, a bool or a bare version cannot be taken for one.
#pragma once

#include <ratchet/core/version.hpp>

namespace ratchet::inline RATCHET_ABI {

// The key is present and still at exactly `at`. Never matches an absent key, not even with its
// erase's version.
struct if_match {
  ratchet::version at;
  explicit constexpr if_match(ratchet::version expected) noexcept : at(expected) {}
};

// The key does not exist.
struct if_absent_t {
  explicit constexpr if_absent_t() noexcept = default;
};
inline constexpr if_absent_t if_absent{};

// The key exists, at whatever version.
struct if_present_t {
  explicit constexpr if_present_t() noexcept = default;
};
inline constexpr if_present_t if_present{};

}  // namespace ratchet::inline RATCHET_ABI
