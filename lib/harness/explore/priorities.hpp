// Random schedules for programs too large to enumerate: probabilistic concurrency testing
// (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010).
//
// Threads, and the drains of their buffers, get random priorities, and the first of those that can
// go on always does; at a few random places it falls behind all others. A fault that needs d - 1 of
// these changes among n threads in k steps is met with probability 1 / (n * k^(d - 1)) or more in
// each execution.
#pragma once

#include <harness/explore/execution.hpp>

#include <random>
#include <vector>

namespace ratchet::inline RATCHET_ABI::explore {

class priorities {
 public:
  // `steps`: how long an execution is, about.
  priorities(const options&, const random_walk&, std::size_t threads, std::size_t steps,
             std::uint64_t seed);

  transition choose(execution&);

 private:
  transition first_of(transition_set) const;

  const options& options_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> order_;  // by transition::index(); higher goes first
  std::vector<std::size_t> changes_;  // the steps at which the first falls behind
  std::uint32_t lowest_;
  std::size_t steps_ = 0;
  unsigned older_loads_ = 0;
};

}  // namespace ratchet::inline RATCHET_ABI::explore
