// A key's state: its version and its value in one 16-byte word.
//
//   low   | version : 60                                     | kind : 4 |
//   high  | payload : 64   an inlined value's bytes, or the address of a boxed value; 0 when absent
//
// Changed only by one 128-bit compare-and-swap from exactly what was loaded, and only together with
// the version; `sealed` alone keeps it. So two equal loads of a slot mean that nothing was written
// between them.
#pragma once

#include <ratchet/base/limits.hpp>
#include <ratchet/base/word128.hpp>
#include <ratchet/core/limit_error.hpp>
#include <ratchet/core/version.hpp>

#include <string>

namespace ratchet::inline RATCHET_ABI::native {

enum class kind : std::uint8_t {
  absent = 0,   // erased, or never created; keeps the version
  inlined = 1,  // the payload is the value
  boxed = 2,    // the payload is the address of the value
  sealed = 3,   // the record has left the index; final
  // 4: a multi-key commit's descriptor; bit 3 of the four: moved to another table
};

class slot_state {
 public:
  constexpr slot_state() noexcept = default;
  constexpr slot_state(version at, native::kind what, std::uint64_t payload) noexcept
      : bits_{(at.to_u64() << 4) | static_cast<std::uint64_t>(what), payload} {}
  constexpr explicit slot_state(base::word128 bits) noexcept : bits_(bits) {}

  [[nodiscard]] constexpr version at() const noexcept { return version::from_u64(bits_.low >> 4); }
  [[nodiscard]] constexpr native::kind kind() const noexcept {
    return static_cast<native::kind>(bits_.low & 15);
  }
  [[nodiscard]] constexpr std::uint64_t payload() const noexcept { return bits_.high; }
  [[nodiscard]] constexpr bool present() const noexcept {
    return kind() == kind::inlined || kind() == kind::boxed;
  }
  // Present and at this version. A token from outside may have more than 60 bits: it is compared
  // whole.
  [[nodiscard]] constexpr bool present_at(version expected, native::kind what) const noexcept {
    return kind() == what && at() == expected;
  }
  [[nodiscard]] constexpr base::word128 bits() const noexcept { return bits_; }
  friend constexpr bool operator==(slot_state, slot_state) = default;

 private:
  using kind_type = native::kind;
  base::word128 bits_;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_versions_used_up(version at) {
  throw limit_error(limit::version, "the key is at version " + std::to_string(at.to_u64()) +
                                        ", the last of its 60 bits");
}

// The version after `at`. Throws limit_error{limit::version} at the end of the 60 bits: no wrap.
[[nodiscard]] inline version next_version(version at) {
  if (at.to_u64() >= limits::version_max) [[unlikely]]
    throw_versions_used_up(at);
  return version::from_u64(at.to_u64() + 1);
}

class slot {
 public:
  explicit slot(slot_state initial) noexcept : word_(initial.bits()) {}

  [[nodiscard]] slot_state look() const noexcept(!RATCHET_EXPLORE) {
    // acquire [slot]: the boxed value, and all that happened before the write that is seen
    return slot_state(word_.load(base::acquire));
  }
  // The re-check of a hazard on the boxed value.
  [[nodiscard]] slot_state look_again() const noexcept(!RATCHET_EXPLORE) {
    // seq_cst [slot]: after the publication in the one order of claim H (hazard.hpp)
    return slot_state(word_.load(base::seq_cst));
  }
  // Commits `next` if the slot is still exactly `seen`; else `seen` becomes what is there.
  bool commit(slot_state& seen, slot_state next) noexcept(!RATCHET_EXPLORE) {
    base::word128 now = seen.bits();
    // seq_cst [slot]: publishes the box; acquires the replaced one, which the winner retires; an
    // unlink for claim H. acquire for a loser: it hands out what won
    if (word_.compare_exchange(now, next.bits(), base::seq_cst, base::acquire)) return true;
    seen = slot_state(now);
    return false;
  }

 private:
  base::atomic_word128 word_;
};
static_assert(sizeof(slot) == 16 && alignof(slot) == 16);

}  // namespace ratchet::inline RATCHET_ABI::native
