#include "window.hpp"

#include <pthread.h>
#include <sched.h>
#include <time.h>

namespace ratchet_bench {

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void pin_thread(std::uint32_t thread) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  const auto count = static_cast<std::uint32_t>(CPU_COUNT(&allowed));
  if (thread >= count) return;
  // From the last CPU down: the first one usually serves the devices.
  std::uint32_t wanted = count - 1 - thread;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || wanted-- != 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ::pthread_setaffinity_np(::pthread_self(), sizeof one, &one);
    return;
  }
}

}  // namespace ratchet_bench
