// What a caller does between a lost compare-and-swap and its next try.
#pragma once

#include <ratchet/base/atomic.hpp>

namespace ratchet::inline RATCHET_ABI::base {

// Pauses twice as long each time, then gives its CPU away: with more callers than CPUs the one that
// holds the value everybody waits for may not be running.
class backoff {
 public:
  void pause() noexcept(!RATCHET_EXPLORE) {
    if (pauses_ > pauses_max) {
      thread_yield();
      return;
    }
#if RATCHET_EXPLORE
    thread_yield();
#else
    for (unsigned i = 0; i < pauses_; ++i) spin_pause();
#endif
    pauses_ *= 2;
  }

 private:
  static constexpr unsigned pauses_max = 64;
  unsigned pauses_ = 8;
};

}  // namespace ratchet::inline RATCHET_ABI::base
