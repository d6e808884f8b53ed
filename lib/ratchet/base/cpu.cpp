#include <ratchet/base/cpu.hpp>
#include <ratchet/base/word128.hpp>

#include <cpuid.h>

#include <cstdio>
#include <cstdlib>

namespace ratchet::inline RATCHET_ABI::base {

namespace {

// Asked once: under a hypervisor each cpuid takes tens of microseconds.
bool has_cmpxchg16b() noexcept {
  static const bool found = [] {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_CMPXCHG16B) != 0;
  }();
  return found;
}

}  // namespace

void require_cmpxchg16b() noexcept {
  if (has_cmpxchg16b()) return;
  std::fputs("ratchet: this CPU has no cmpxchg16b; ratchet runs on x86-64 CPUs that have it\n",
             stderr);
  std::abort();
}

#if !RATCHET_TSAN && !RATCHET_EXPLORE && !defined(__AVX__)

constinit bool vector_load_is_atomic = false;

namespace {
// AVX in the CPU is what vouches for the atomic vector load; whether the OS enables AVX does not
// matter to it.
[[gnu::constructor(101)]] void look_at_the_cpu() noexcept {
  require_cmpxchg16b();
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  vector_load_is_atomic = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_AVX) != 0;
}
}  // namespace

#endif

}  // namespace ratchet::inline RATCHET_ABI::base
