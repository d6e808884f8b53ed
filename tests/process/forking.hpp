// fork beside threads that are in the middle of calls. ThreadSanitizer keeps locks of its own in an
// access, which a child would find held for ever by threads it does not have: there, and only
// there, the others pause between two calls. It also ends such a child unless told not to; the
// child then runs unobserved, and the parent as always.
#pragma once

#include <ratchet/base/config.hpp>

#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#if RATCHET_TSAN
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the runtime's name
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }
#endif

namespace programs {

#if RATCHET_TSAN
inline std::mutex gate;
inline std::atomic<int> who_wants_to_fork{0};
#endif

// What threads do while others fork.
template <class F>
void beside_forks(F&& call) {
#if RATCHET_TSAN
  while (who_wants_to_fork > 0) std::this_thread::yield();
  const std::lock_guard between_two(gate);
#endif
  call();
}
inline pid_t fork_now() {
#if RATCHET_TSAN
  ++who_wants_to_fork;
  const std::lock_guard nobody_within(gate);
  const pid_t made = ::fork();
  --who_wants_to_fork;
  return made;
#else
  return ::fork();
#endif
}

}  // namespace programs
