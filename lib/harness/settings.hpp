// What a run is asked for.
#pragma once

#include <harness/tick_clock.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace ratchet::inline RATCHET_ABI::harness {

struct settings {
  std::uint32_t callers = 1'000;
  std::uint32_t limit = 0;  // 0: the scenario's own
  std::uint32_t rounds = 20;
  std::uint32_t threads = 0;  // 0: one a caller
  double overlap = 0.5;
  std::uint64_t seed = 0;
  bool records = true;
  const tick_clock* clock = nullptr;
  const base::atomic<bool>* stop = nullptr;
  std::function<void(std::string_view scenario, double overlap, std::uint32_t round)> progress;

  [[nodiscard]] std::uint32_t threads_used() const noexcept {
    return threads == 0 || threads > callers ? callers : threads;
  }
  [[nodiscard]] bool stopped() const noexcept {
    return stop != nullptr && stop->load(base::relaxed);  // relaxed: nothing else travels
  }
};

}  // namespace ratchet::inline RATCHET_ABI::harness
