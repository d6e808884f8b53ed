// One call on a store as a history sees it.
#pragma once

#include <ratchet/base/config.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace ratchet::inline RATCHET_ABI::harness {

enum class verb : std::uint8_t {
  read,
  put,
  put_match,
  put_absent,
  put_present,
  erase,
  erase_match,
};

// A conflict is a read of what it showed, and an erase that found nothing is a read of "absent".
enum class answer : std::uint8_t {
  saw_value,
  saw_absent,
  committed,
  pending,  // no answer came (caller stopped, answer lost): it may or may not have happened
};

inline constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

struct operation {
  std::uint64_t begin = 0;     // ticks
  std::uint64_t end = never;   // ticks; `never` when pending
  std::uint64_t version = 0;   // made or seen; 0: none
  std::uint64_t expected = 0;  // if_match's; of a plain erase: the version it removed; 0: not known
  std::uint64_t value = 0;     // written or seen; of a plain erase: the value it removed
  std::uint32_t caller = 0;
  std::uint16_t key = 0;
  harness::verb verb = harness::verb::read;
  harness::answer answer = harness::answer::saw_absent;
};
static_assert(sizeof(operation) == 48);

constexpr bool is_erase(verb v) noexcept { return v == verb::erase || v == verb::erase_match; }
constexpr bool matches_version(verb v) noexcept {
  return v == verb::put_match || v == verb::erase_match;
}
constexpr bool is_conflict(const operation& op) noexcept {
  return op.verb != verb::read && op.verb != verb::erase && op.answer != answer::committed &&
         op.answer != answer::pending;
}

// What a key holds between two operations.
struct key_state {
  std::uint64_t version = 0;
  std::uint64_t value = 0;
  bool present = false;

  friend bool operator==(const key_state&, const key_state&) = default;
};

std::string_view name_of(verb) noexcept;

// "caller 7's put(if_match 4) of value 12 -> version 5 [1.204 us to 1.377 us]"
std::string describe(const operation&, double ticks_per_ns);

}  // namespace ratchet::inline RATCHET_ABI::harness
