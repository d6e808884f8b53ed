// A shared word of 16 bytes: one load, one compare-and-swap, both whole, and nothing else.
//
// Outside ThreadSanitizer both are inline assembly, so users need no -mcx16 and no libatomic: g++
// 12 turns every std::atomic<16 bytes> into a library call. Under ThreadSanitizer every access is
// the runtime's own 16-byte atomic: it sees no assembly, and loses updates where widths are mixed.
//
// Loads: Intel, AMD and Zhaoxin guarantee that an aligned 16-byte vector load is one access on
// every CPU that has AVX (Intel SDM vol. 3, 9.1.1; AMD APM vol. 2, 7.3.2). Elsewhere a load is a
// cmpxchg16b that stores back what it found.
#pragma once

#include <ratchet/base/atomic.hpp>

#if !RATCHET_TSAN && !RATCHET_EXPLORE
#include <emmintrin.h>
#endif

#if RATCHET_TSAN
extern "C" {
ratchet::base::uint128 __tsan_atomic128_load(const volatile ratchet::base::uint128* at, int order);
ratchet::base::uint128 __tsan_atomic128_compare_exchange_val(volatile ratchet::base::uint128* at,
                                                             ratchet::base::uint128 expected,
                                                             ratchet::base::uint128 desired,
                                                             int success, int failure);
}
#endif

namespace ratchet::inline RATCHET_ABI::base {

struct word128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend constexpr bool operator==(word128, word128) = default;
};
static_assert(std::has_unique_object_representations_v<word128>);

#if !RATCHET_TSAN && !RATCHET_EXPLORE
#if defined(__AVX__)
inline constexpr bool vector_load_is_atomic = true;
#else
// Set once when the library is loaded; false only costs time.
RATCHET_API extern bool vector_load_is_atomic;
#endif
#endif

class alignas(16) atomic_word128 {
 public:
  constexpr atomic_word128() noexcept = default;
  constexpr explicit atomic_word128(word128 initial) noexcept : value_(initial) {}
  atomic_word128(const atomic_word128&) = delete;
  atomic_word128& operator=(const atomic_word128&) = delete;

  word128 load(std::memory_order order) const noexcept(!RATCHET_EXPLORE);

  // Strong: fails only when the word differs, and then leaves it in `expected`.
  bool compare_exchange(word128& expected, word128 desired, std::memory_order success,
                        std::memory_order failure) noexcept(!RATCHET_EXPLORE);

 private:
  word128 value_;
};
static_assert(alignof(atomic_word128) == 16 && sizeof(atomic_word128) == 16);

#if RATCHET_EXPLORE

inline word128 atomic_word128::load(std::memory_order order) const {
  const auto seen = explore::load16(&value_, order);
  return {seen.low, seen.high};
}

inline bool atomic_word128::compare_exchange(word128& expected, word128 desired,
                                             std::memory_order success, std::memory_order failure) {
  explore::word16 seen{expected.low, expected.high};
  if (explore::compare_exchange16(&value_, seen, {desired.low, desired.high}, success, failure))
    return true;
  expected = {seen.low, seen.high};
  return false;
}

#elif RATCHET_TSAN

namespace tsan {
using wide = uint128;
inline wide pack(word128 word) noexcept { return (wide{word.high} << 64) | word.low; }
inline word128 unpack(wide bits) noexcept {
  return {static_cast<std::uint64_t>(bits), static_cast<std::uint64_t>(bits >> 64)};
}
}  // namespace tsan

inline word128 atomic_word128::load(std::memory_order order) const noexcept {
  return tsan::unpack(__tsan_atomic128_load(reinterpret_cast<const volatile tsan::wide*>(&value_),
                                            static_cast<int>(order)));
}

inline bool atomic_word128::compare_exchange(word128& expected, word128 desired,
                                             std::memory_order success,
                                             std::memory_order failure) noexcept {
  const word128 seen = tsan::unpack(__tsan_atomic128_compare_exchange_val(
      reinterpret_cast<volatile tsan::wide*>(&value_), tsan::pack(expected), tsan::pack(desired),
      static_cast<int>(success), static_cast<int>(failure)));
  if (seen == expected) return true;
  expected = seen;
  return false;
}

#else

// The orders need no instruction of their own: on x86-64 a load is an acquire and a locked
// instruction is sequentially consistent. The memory clobber keeps the compiler from moving
// accesses across.

inline bool atomic_word128::compare_exchange(word128& expected, word128 desired, std::memory_order,
                                             std::memory_order) noexcept {
  bool won;
  asm volatile("lock cmpxchg16b %[at]"
               : [at] "+m"(value_), "=@ccz"(won), "+a"(expected.low), "+d"(expected.high)
               : "b"(desired.low), "c"(desired.high)
               : "memory");
  return won;
}

inline word128 atomic_word128::load(std::memory_order) const noexcept {
  if (vector_load_is_atomic) [[likely]] {
    __m128i both;
#if defined(__AVX__)
    asm volatile("vmovdqa %[at], %[both]" : [both] "=x"(both) : [at] "m"(value_) : "memory");
#else
    asm volatile("movdqa %[at], %[both]" : [both] "=x"(both) : [at] "m"(value_) : "memory");
#endif
    return {static_cast<std::uint64_t>(_mm_cvtsi128_si64(both)),
            static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(both, both)))};
  }
  word128 seen;  // stores zero over zero, or nothing
  const_cast<atomic_word128*>(this)->compare_exchange(seen, word128{}, seq_cst, seq_cst);
  return seen;
}

#endif

}  // namespace ratchet::inline RATCHET_ABI::base
