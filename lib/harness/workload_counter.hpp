// Workload: everybody adds 1 to one number.
#pragma once

#include <harness/run_result.hpp>
#include <harness/settings.hpp>
#include <ratchet/core/mutate.hpp>

namespace ratchet::inline RATCHET_ABI::harness {

// One call of the workload; shared by the scenario and the benchmarks.
template <versioned_store S>
mutate_result<no_answer> increment(S& store, const key_of<S>& key) {
  return mutate(store, key, [](const value_of<S>* count) {
    return static_cast<value_of<S>>(count == nullptr ? 1 : *count + 1);
  });
}

// Starts at 0, or (odd rounds) with no key.
struct counter_scenario {
  static constexpr std::string_view name = "counter";
  static constexpr std::uint32_t limit_default = 0;
  static constexpr std::uint32_t keys = 1;
  static constexpr std::uint32_t increments = 100;

  std::uint32_t callers;
  std::uint32_t limit;

  static bool cold(std::uint32_t round) noexcept { return round % 2 == 1; }

  template <class S>
  void prepare(S& store, const key_of<S>& key, std::uint32_t round) const {
    if (!cold(round)) store.put(key, value_of<S>{0});
  }

  template <class S, class Caller>
  void call(S& store, const key_of<S>& key, Caller& me, answer_counts& counted) const {
    for (std::uint32_t i = 0; i < increments && !me.stopped(); ++i) {
      switch (increment(store, key).mutated) {
        case mutated::applied:
          ++counted.done;
          break;
        case mutated::unchanged:
          ++counted.invalid;
          break;
        case mutated::contended:
          ++counted.contended;
          break;
        case mutated::unknown:
          ++counted.unknown;
          break;
      }
    }
  }

  [[nodiscard]] expectation expected() const {
    const std::uint64_t all = std::uint64_t{callers} * increments;
    return {.done = all, .writes = all, .final_value = all};
  }

  [[nodiscard]] const char* broken_rule(const key_state& before, const key_state& after) const {
    const std::uint64_t was = before.present ? before.value : 0;
    return after.present && after.value == was + 1 ? nullptr : "a counter goes up by 1";
  }
};

}  // namespace ratchet::inline RATCHET_ABI::harness
