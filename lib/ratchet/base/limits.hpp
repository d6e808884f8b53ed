// Every number that bounds something, in one place; the small-limits and explored builds make rare
// paths common.
#pragma once

#include <ratchet/base/config.hpp>

#include <cstddef>
#include <cstdint>

namespace ratchet::inline RATCHET_ABI::limits {

inline constexpr std::size_t cache_line_bytes = 64;
inline constexpr std::size_t padding_bytes = 128;  // the adjacent-line prefetcher fetches pairs

inline constexpr unsigned version_bits = 60;
inline constexpr std::uint64_t version_max = (std::uint64_t{1} << version_bits) - 1;
// A record at or above this version is never dropped: its floor would leave no versions to its
// successors.
inline constexpr std::uint64_t version_droppable_max = std::uint64_t{1} << (version_bits - 1);

// Keys that may be asked room for: more than any address space holds, and few enough that a table's
// bytes do not wrap.
inline constexpr std::size_t reserve_max = std::size_t{1} << 48;

#if RATCHET_EXPLORE || RATCHET_SMALL_LIMITS
inline constexpr std::size_t bucket_words = 2;
inline constexpr std::size_t chunk_words = RATCHET_EXPLORE ? 2 : 8;
inline constexpr std::size_t retired_batch_min = 4;
inline constexpr std::uint32_t attempts_default = RATCHET_EXPLORE ? 16 : 1u << 20;
// Just below 2^32, so that every store with a few migrations behind it has passed that.
inline constexpr std::uint64_t generation_first = (std::uint64_t{1} << 32) - 4;
#else
inline constexpr std::size_t bucket_words = 8;  // one cache line
inline constexpr std::size_t chunk_words = 64;  // what one creation freezes and copies at most
inline constexpr std::size_t retired_batch_min = 64;  // objects a reclaimer wants before it works
// More than any count of callers loses in a row.
inline constexpr std::uint32_t attempts_default = 1u << 20;
inline constexpr std::uint64_t generation_first = 1;  // 0 stands for none
#endif
// Handles of one key. As many below the end of the 32 bits as above: each thread that finds too
// many adds one for a moment, and there are never that many threads.
inline constexpr std::uint32_t pins_max = std::uint32_t{1} << 31;

}  // namespace ratchet::inline RATCHET_ABI::limits
