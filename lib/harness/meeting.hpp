// Brings callers into the window of a broken twin, so that its fault shows each time.
#pragma once

#include <ratchet/base/atomic.hpp>

#include <cstdint>

namespace ratchet::inline RATCHET_ABI::harness {

class meeting {
 public:
  explicit meeting(std::uint32_t wanted) noexcept : wanted_(wanted) {}

  // Waits until so many have come; open for good from then on. Somebody who waits in vain for long
  // goes on alone.
  void wait() noexcept {
    // acq_rel: what each did before it came is done before any goes on.
    if (came_.fetch_add(1, base::acq_rel) + 1 >= wanted_) return;
    for (std::uint32_t turns = 0; turns < turns_max; ++turns) {
      if (came_.load(base::acquire) >= wanted_) return;  // acquire: as above
      base::thread_yield();
    }
    came_.store(wanted_, base::release);  // release: opens it, nothing travels
  }

 private:
  static constexpr std::uint32_t turns_max = 200'000;
  std::uint32_t wanted_;
  base::atomic<std::uint32_t> came_{0};
};

}  // namespace ratchet::inline RATCHET_ABI::harness
