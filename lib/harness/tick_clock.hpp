// The clock that history intervals are stamped with: it may widen an interval, never shorten it.
#pragma once

#include <ratchet/base/atomic.hpp>
#include <ratchet/base/limits.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace ratchet::inline RATCHET_ABI::harness {

// How far one CPU's time stamp counter may be from the first CPU's: their difference lies within
// [low, high], both by measurement.
struct offset_bounds {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

class tick_clock {
 public:
  enum class source : std::uint8_t {
    tsc,     // the CPUs' time stamp counters
    shared,  // one counter that every stamp increments: exact order, no duration
  };
  // Beyond this the intervals would be too wide to show a stale read.
  static constexpr std::uint64_t widening_max = 20'000;

  // Looks at the CPUs this process may use.
  static tick_clock measure();
  // Why the choice fell as it did is told apart, so that it can be tested without bad hardware.
  static tick_clock choose(bool invariant, bool all_measured, const std::vector<offset_bounds>&,
                           double ticks_per_ns);
  static tick_clock shared_counter(std::string why);

  tick_clock(const tick_clock& other)
      : source_(other.source_),
        widening_(other.widening_),
        ticks_per_ns_(other.ticks_per_ns_),
        origin_(other.origin_),
        why_(other.why_) {}
  tick_clock& operator=(const tick_clock&) = delete;

  // Before an operation: nothing of it has started.
  std::uint64_t begin() const noexcept {
    if (source_ == source::shared) return tick();
    const std::uint64_t now = __builtin_ia32_rdtsc();
    __builtin_ia32_lfence();
    return now - origin_;
  }
  // After an operation: all of it is done. (rdtscp waits for earlier loads, and a commit is a
  // locked instruction, which has left the store buffer.)
  std::uint64_t end() const noexcept {
    if (source_ == source::shared) return tick();
    unsigned cpu;
    const std::uint64_t now = __builtin_ia32_rdtscp(&cpu);
    __builtin_ia32_lfence();
    return now - origin_;
  }

  // What both ends of an interval must be moved out by.
  [[nodiscard]] std::uint64_t widening() const noexcept { return widening_; }
  [[nodiscard]] source kind() const noexcept { return source_; }
  // 0 when the ticks are no time.
  [[nodiscard]] double ticks_per_ns() const noexcept { return ticks_per_ns_; }
  [[nodiscard]] const std::string& why() const noexcept { return why_; }

 private:
  tick_clock(source kind, std::uint64_t widening, double ticks_per_ns, std::string why);

  std::uint64_t tick() const noexcept {
    // acq_rel: who draws a higher tick sees all that was done before a lower one was drawn.
    return counter_.fetch_add(1, base::acq_rel);
  }

  source source_;
  std::uint64_t widening_;
  double ticks_per_ns_;
  std::uint64_t origin_;
  std::string why_;
  alignas(limits::padding_bytes) mutable base::atomic<std::uint64_t> counter_{1};
};

}  // namespace ratchet::inline RATCHET_ABI::harness
