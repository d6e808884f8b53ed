// Workload: everybody takes 1 from the same wallet.
#pragma once

#include <harness/run_result.hpp>
#include <harness/settings.hpp>
#include <ratchet/patterns/wallet.hpp>

#include <algorithm>

namespace ratchet::inline RATCHET_ABI::harness {

// One call of the workload; shared by the scenario and the benchmarks.
template <versioned_store S>
auto debit_one(S& store, const key_of<S>& key) {
  return wallet(store).debit(key, 1);
}

template <class Verdict>
void count_wallet(Verdict how, answer_counts& counted) {
  switch (how) {
    case Verdict::done:
      ++counted.done;
      break;
    case Verdict::insufficient:
      ++counted.refused;
      break;
    case Verdict::contended:
      ++counted.contended;
      break;
    case Verdict::unknown:
      ++counted.unknown;
      break;
    case Verdict::overflow:
    case Verdict::missing:
    case Verdict::exists:
    case Verdict::invalid:
      ++counted.invalid;
      break;
  }
}

struct wallet_scenario {
  static constexpr std::string_view name = "wallet";
  static constexpr std::uint32_t limit_default = 400;
  static constexpr std::uint32_t keys = 1;

  std::uint32_t callers;
  std::uint32_t limit;

  static bool cold(std::uint32_t) noexcept { return false; }

  template <class S>
  void prepare(S& store, const key_of<S>& key, std::uint32_t) const {
    (void)wallet(store).open(key, static_cast<std::int64_t>(limit));
  }

  template <class S, class Caller>
  void call(S& store, const key_of<S>& key, Caller&, answer_counts& counted) const {
    count_wallet(debit_one(store, key).verdict, counted);
  }

  [[nodiscard]] expectation expected() const {
    const std::uint64_t paid = std::min(callers, limit);
    return {.done = paid, .refused = callers - paid, .writes = paid, .final_value = limit - paid};
  }

  [[nodiscard]] const char* broken_rule(const key_state& before, const key_state& after) const {
    if (!before.present || !after.present) return "a wallet stays";
    if (static_cast<std::int64_t>(after.value) < 0) return "a balance never goes below 0";
    return after.value == before.value - 1 ? nullptr : "each debit takes 1";
  }
};

}  // namespace ratchet::inline RATCHET_ABI::harness
