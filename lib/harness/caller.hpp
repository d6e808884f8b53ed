// What one caller carries through a run: its choices, its log and its counts. Nobody else touches
// it meanwhile.
#pragma once

#include <harness/operation_log.hpp>
#include <harness/random.hpp>
#include <harness/tick_clock.hpp>

#include <chrono>

namespace ratchet::inline RATCHET_ABI::harness {

// Who stands between a read and the end of the conditional write that follows it.
struct crossing {
  alignas(limits::padding_bytes) base::atomic<std::uint32_t> standing{0};
};

struct caller_counts {
  std::uint64_t operations = 0;
  std::uint64_t commits = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t unanswered = 0;
  std::uint32_t peak_standing = 0;
  std::uint64_t created_at = 0;  // the version of the last key this caller created
};

struct alignas(limits::padding_bytes) caller {
  const tick_clock* clock = nullptr;
  harness::crossing* crossing = nullptr;
  std::uint32_t index = 0;
  bool records = true;
  double overlap = 0;
  random_source choices{0};
  operation_log log;
  caller_counts counts;
  std::chrono::steady_clock::time_point first_call{};
  std::chrono::steady_clock::time_point last_answer{};
  const base::atomic<bool>* stop = nullptr;

  // The run is to end: what is left undone is not judged.
  [[nodiscard]] bool stopped() const noexcept {
    return stop != nullptr && stop->load(base::relaxed);  // relaxed: nothing else travels
  }

  // Between a read and the conditional write after it: by a seeded choice the others get their
  // turn here, often enough that many callers stand here at once.
  void stand() noexcept {
    // relaxed: a count for the report; nothing is read by it.
    const std::uint32_t standing = crossing->standing.fetch_add(1, base::relaxed) + 1;
    if (standing > counts.peak_standing) counts.peak_standing = standing;
    if (overlap <= 0 || !choices.chance(overlap)) return;
    for (std::uint64_t turns = 1 + choices.below(4); turns > 0; --turns) base::thread_yield();
  }
  void pass() noexcept { crossing->standing.fetch_sub(1, base::relaxed); }  // relaxed: as above
};

}  // namespace ratchet::inline RATCHET_ABI::harness
