// The seam: the only file that names std::atomic. The explored build swaps it for a scheduler.
// No operation has a default order; a caller names one and says why (docs/memory-order.md).
#pragma once

#include <ratchet/base/config.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if RATCHET_EXPLORE
#include <ratchet/base/explore.hpp>
#else
#include <sched.h>
#endif

namespace ratchet::inline RATCHET_ABI::base {

inline constexpr auto relaxed = std::memory_order_relaxed;
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;
inline constexpr auto acq_rel = std::memory_order_acq_rel;
inline constexpr auto seq_cst = std::memory_order_seq_cst;

#if !RATCHET_EXPLORE

// A shared word of at most 8 bytes.
template <class T>
  requires(std::is_trivially_copyable_v<T> && sizeof(T) <= 8)
class atomic {
 public:
  constexpr atomic() noexcept : value_{} {}
  constexpr explicit atomic(T initial) noexcept : value_(initial) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(std::memory_order order) const noexcept { return value_.load(order); }
  void store(T desired, std::memory_order order) noexcept { value_.store(desired, order); }
  T exchange(T desired, std::memory_order order) noexcept {
    return value_.exchange(desired, order);
  }

  // Strong: fails only when the value differs, and then leaves it in `expected`.
  bool compare_exchange(T& expected, T desired, std::memory_order success,
                        std::memory_order failure) noexcept {
    return value_.compare_exchange_strong(expected, desired, success, failure);
  }

  T fetch_add(T amount, std::memory_order order) noexcept {
    return value_.fetch_add(amount, order);
  }
  T fetch_sub(T amount, std::memory_order order) noexcept {
    return value_.fetch_sub(amount, order);
  }
  T fetch_or(T bits, std::memory_order order) noexcept { return value_.fetch_or(bits, order); }

 private:
  std::atomic<T> value_;
};

// Keeps the compiler, not the CPU, from moving accesses across. Half of the asymmetric fence: the
// other half is the reclaimer's membarrier (native/reclaim.hpp). The one stand-alone fence of the
// library.
inline void compiler_barrier() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

inline void spin_pause() noexcept { __builtin_ia32_pause(); }
inline void thread_yield() noexcept { ::sched_yield(); }

// Markers that only the explored build looks at.
inline void note_allocated(const void*, std::size_t) noexcept {}
inline void note_released(const void*, std::size_t) noexcept {}
inline void note_touched(const void*, std::size_t) noexcept {}

#else

template <class T>
  requires(std::is_trivially_copyable_v<T> && sizeof(T) <= 8)
class atomic {
 public:
  constexpr atomic() noexcept : value_{} {}
  constexpr explicit atomic(T initial) noexcept : value_(initial) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(std::memory_order order) const {
    return from_bits(explore::load(&value_, sizeof(T), order));
  }
  void store(T desired, std::memory_order order) {
    explore::store(&value_, sizeof(T), to_bits(desired), order);
  }
  T exchange(T desired, std::memory_order order) {
    return modify(explore::rmw::exchange, desired, order);
  }
  bool compare_exchange(T& expected, T desired, std::memory_order success,
                        std::memory_order failure) {
    std::uint64_t seen = to_bits(expected);
    const bool won =
        explore::compare_exchange(&value_, sizeof(T), seen, to_bits(desired), success, failure);
    if (!won) expected = from_bits(seen);
    return won;
  }
  T fetch_add(T amount, std::memory_order order) {
    return modify(explore::rmw::add, amount, order);
  }
  T fetch_sub(T amount, std::memory_order order) {
    return modify(explore::rmw::subtract, amount, order);
  }
  T fetch_or(T bits, std::memory_order order) { return modify(explore::rmw::bit_or, bits, order); }

 private:
  static std::uint64_t to_bits(T value) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
  }
  static T from_bits(std::uint64_t bits) noexcept {
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    return value;
  }
  T modify(explore::rmw operation, T operand, std::memory_order order) {
    return from_bits(
        explore::read_modify_write(&value_, sizeof(T), operation, to_bits(operand), order));
  }

  T value_;
};

inline void compiler_barrier() noexcept {}
inline void spin_pause() { explore::yield(); }
inline void thread_yield() { explore::yield(); }
inline void note_allocated(const void* block, std::size_t bytes) {
  explore::allocated(block, bytes);
}
inline void note_released(const void* block, std::size_t bytes) { explore::released(block, bytes); }
inline void note_touched(const void* at, std::size_t bytes) { explore::touched(at, bytes); }

#endif

}  // namespace ratchet::inline RATCHET_ABI::base
