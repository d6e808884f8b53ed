// One caller's operations, 24 bytes each, so that a million of them stay in memory and recording
// one costs less than the operation.
#pragma once

#include <harness/operation.hpp>

#include <bit>
#include <cstddef>
#include <vector>

namespace ratchet::inline RATCHET_ABI::harness {

// Durations as 15 bits of mantissa and 5 of exponent, rounded up: the interval may grow by 1/16384,
// never shrink.
namespace duration_code {

inline constexpr unsigned mantissa_bits = 15;
inline constexpr unsigned bits = 20;
inline constexpr std::uint64_t longest = ((std::uint64_t{1} << mantissa_bits) - 1) << 31;

constexpr std::uint64_t encode(std::uint64_t ticks) noexcept {
  const auto width = static_cast<unsigned>(std::bit_width(ticks));
  if (width <= mantissa_bits) return ticks;
  unsigned exponent = width - mantissa_bits;
  std::uint64_t mantissa = (ticks + (std::uint64_t{1} << exponent) - 1) >> exponent;
  if (mantissa >> mantissa_bits != 0) {
    mantissa >>= 1;
    ++exponent;
  }
  return mantissa | (std::uint64_t{exponent} << mantissa_bits);
}
constexpr std::uint64_t decode(std::uint64_t code) noexcept {
  return (code & ((std::uint64_t{1} << mantissa_bits) - 1)) << (code >> mantissa_bits);
}

}  // namespace duration_code

class operation_log {
 public:
  static constexpr std::uint16_t keys_max = 4096;

  void reserve(std::size_t operations) { entries_.reserve(operations); }
  void clear() noexcept {
    entries_.clear();
    size_ = 0;
  }
  // Operations, not entries.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return entries_.size() * sizeof(entry); }

  // The caller's number is the log's, not the operation's.
  void append(const operation& op) {
    ++size_;
    const bool extended = needs_more(op);
    const std::uint64_t duration = extended ? 0 : duration_code::encode(op.end - op.begin);
    const auto verb_bits = static_cast<std::uint64_t>(op.verb);
    const auto answer_bits = static_cast<std::uint64_t>(op.answer);
    entries_.push_back({(op.begin & begin_mask) | (std::uint64_t{op.key} << 48) | (verb_bits << 60),
                        (op.version & version_mask) | (duration << 40) | (answer_bits << 60) |
                            (std::uint64_t{extended} << 62),
                        op.value});
    if (extended) entries_.push_back({op.version, op.expected, op.end});
  }

  // Calls f(operation) in the order of the calls, each interval moved out by `widening` ticks.
  template <class F>
  void for_each(std::uint32_t caller, std::uint64_t widening, F&& f) const {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const entry& packed = entries_[i];
      operation op;
      op.caller = caller;
      op.begin = packed.a & begin_mask;
      op.key = static_cast<std::uint16_t>((packed.a >> 48) & 0xfff);
      op.verb = static_cast<verb>(packed.a >> 60);
      op.answer = static_cast<answer>((packed.b >> 60) & 3);
      op.value = packed.c;
      if ((packed.b >> 62 & 1) != 0) {
        const entry& rest = entries_[++i];
        op.version = rest.a;
        op.expected = rest.b;
        op.end = rest.c;
      } else {
        op.version = packed.b & version_mask;
        op.end = op.begin + duration_code::decode((packed.b >> 40) & 0xfffff);
        if (op.answer == answer::committed && matched(op.verb)) op.expected = op.version - 1;
      }
      op.begin = op.begin > widening ? op.begin - widening : 0;
      op.end = op.end < never - widening ? op.end + widening : never;
      f(op);
    }
  }

 private:
  struct entry {
    std::uint64_t a;
    std::uint64_t b;
    std::uint64_t c;
  };
  static_assert(sizeof(entry) == 24);
  static constexpr std::uint64_t begin_mask = (std::uint64_t{1} << 48) - 1;
  static constexpr std::uint64_t version_mask = (std::uint64_t{1} << 40) - 1;

  static constexpr bool matched(verb v) noexcept { return matches_version(v) || v == verb::erase; }
  // A commit's expected version is one below the one it made, and a conflict's is of no interest
  // unless it is the one shown: what is otherwise is what the checker must see.
  static bool needs_more(const operation& op) noexcept {
    if (op.version > version_mask || op.answer == answer::pending) return true;
    if (op.end - op.begin > duration_code::longest) return true;
    if (!matched(op.verb)) return false;
    return op.answer == answer::committed ? op.expected + 1 != op.version
                                          : op.expected == op.version && op.version != 0;
  }

  std::vector<entry> entries_;
  std::size_t size_ = 0;
};

}  // namespace ratchet::inline RATCHET_ABI::harness
