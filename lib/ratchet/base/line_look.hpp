// A look at eight shared words at once: which of them are worth a look of their own.
#pragma once

#include <ratchet/base/limits.hpp>
#include <ratchet/base/word128.hpp>

namespace ratchet::inline RATCHET_ABI::base {

// Bit i is set when the low half of word i is below 4, or equals `wanted` under `mask`. A hint for
// words whose other values never turn into such: each is one 8-byte half of an aligned 16-byte
// load, which no x86-64 CPU tears. Builds that follow every access look at each word instead.
[[nodiscard]] inline unsigned worth_a_look(const void* line, std::uint32_t mask,
                                           std::uint32_t wanted) noexcept {
#if RATCHET_TSAN || RATCHET_EXPLORE || RATCHET_SMALL_LIMITS
  (void)line, (void)mask, (void)wanted;
  return (1u << limits::bucket_words) - 1;
#else
  static_assert(limits::bucket_words == 8);
  using line_type = const __m128i[4];
  const auto& words = *static_cast<line_type*>(line);
  __m128i a, b, c, d;
  asm volatile(
      "movdqa %[from0], %[a]\n\tmovdqa %[from1], %[b]\n\t"
      "movdqa %[from2], %[c]\n\tmovdqa %[from3], %[d]"
      : [a] "=&x"(a), [b] "=&x"(b), [c] "=&x"(c), [d] "=&x"(d)
      : [from0] "m"(words[0]), [from1] "m"(words[1]), [from2] "m"(words[2]), [from3] "m"(words[3])
      : "memory");
  const auto low_halves = [](__m128i first, __m128i second) {
    return _mm_castps_si128(
        _mm_shuffle_ps(_mm_castsi128_ps(first), _mm_castsi128_ps(second), _MM_SHUFFLE(2, 0, 2, 0)));
  };
  const __m128i masks = _mm_set1_epi32(static_cast<int>(mask));
  const __m128i wants = _mm_set1_epi32(static_cast<int>(wanted));
  const auto look = [&](__m128i halves) {
    const __m128i equal = _mm_cmpeq_epi32(_mm_and_si128(halves, masks), wants);
    const __m128i small = _mm_cmpeq_epi32(_mm_srli_epi32(halves, 2), _mm_setzero_si128());
    return _mm_or_si128(equal, small);
  };
  const __m128i both = _mm_packs_epi32(look(low_halves(a, b)), look(low_halves(c, d)));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(both, both))) & 0xff;
#endif
}

}  // namespace ratchet::inline RATCHET_ABI::base
