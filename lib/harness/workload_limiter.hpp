// Workload: everybody asks a rate limiter for one unit of the same window.
#pragma once

#include <harness/run_result.hpp>
#include <harness/settings.hpp>
#include <ratchet/patterns/ceiling.hpp>

#include <algorithm>

namespace ratchet::inline RATCHET_ABI::harness {

// One call of the workload; shared by the scenario and the benchmarks.
template <versioned_store S>
auto acquire_one(S& store, const key_of<S>& key, value_of<S> limit) {
  return ceiling(store).try_acquire(key, limit);
}

template <class Verdict>
void count_limiter(Verdict how, answer_counts& counted) {
  switch (how) {
    case Verdict::granted:
      ++counted.done;
      break;
    case Verdict::denied:
      ++counted.refused;
      break;
    case Verdict::contended:
      ++counted.contended;
      break;
    case Verdict::unknown:
      ++counted.unknown;
      break;
    case Verdict::invalid:
      ++counted.invalid;
      break;
  }
}

// Starts at 0; or (odd rounds) with no key, every other time because it was erased.
struct limiter_scenario {
  static constexpr std::string_view name = "rate-limiter";
  static constexpr std::uint32_t limit_default = 100;
  static constexpr std::uint32_t keys = 1;

  std::uint32_t callers;
  std::uint32_t limit;

  static bool cold(std::uint32_t round) noexcept { return round % 2 == 1; }

  template <class S>
  void prepare(S& store, const key_of<S>& key, std::uint32_t round) const {
    if (round % 4 == 1) return;
    store.put(key, value_of<S>{0});
    if (cold(round)) (void)store.erase(key);
  }

  template <class S, class Caller>
  void call(S& store, const key_of<S>& key, Caller&, answer_counts& counted) const {
    count_limiter(acquire_one(store, key, static_cast<value_of<S>>(limit)).verdict, counted);
  }

  [[nodiscard]] expectation expected() const {
    const std::uint64_t granted = std::min(callers, limit);
    return {
        .done = granted, .refused = callers - granted, .writes = granted, .final_value = granted};
  }

  [[nodiscard]] const char* broken_rule(const key_state& before, const key_state& after) const {
    const std::uint64_t was = before.present ? before.value : 0;
    if (!after.present || after.value != was + 1) return "each grant takes one unit";
    return after.value <= limit ? nullptr : "no more is granted than the limit";
  }
};

}  // namespace ratchet::inline RATCHET_ABI::harness
