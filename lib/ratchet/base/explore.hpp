// The other side of the atomics seam in the explored build: a scheduler implements these functions,
// and every shared access, allocation, clock reading and yield of the shipped source goes through
// them.
#pragma once

#include <ratchet/base/config.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ratchet::inline RATCHET_ABI::explore {

struct word16 {
  std::uint64_t low;
  std::uint64_t high;
};

enum class rmw : std::uint8_t { exchange, add, subtract, bit_or };

// Shared accesses of 1, 2, 4 or 8 bytes. The value travels in the low bytes of the uint64_t.
std::uint64_t load(const void* at, std::size_t bytes, std::memory_order);
void store(void* at, std::size_t bytes, std::uint64_t value, std::memory_order);
std::uint64_t read_modify_write(void* at, std::size_t bytes, rmw, std::uint64_t operand,
                                std::memory_order);
bool compare_exchange(void* at, std::size_t bytes, std::uint64_t& expected, std::uint64_t desired,
                      std::memory_order success, std::memory_order failure);

// Shared accesses of 16 bytes.
word16 load16(const void* at, std::memory_order);
bool compare_exchange16(void* at, word16& expected, word16 desired, std::memory_order success,
                        std::memory_order failure);

// The life of a block that other threads may still point to. `released` does not give memory back:
// it marks the block, so that the scheduler reports every later access to it.
void allocated(const void* block, std::size_t bytes);
void released(const void* block, std::size_t bytes);
// An access that is not atomic (a key, a boxed value): reports it when the block was released.
void touched(const void* at, std::size_t bytes);

void yield();            // the caller cannot usefully go on before somebody else did something
void membarrier();       // drains the store buffers of all threads
bool asymmetric();       // the fence mode this execution explores
std::uint64_t now_ns();  // one logical clock, only ever forward
void*& thread_slot();    // the calling fiber's one thread-local pointer

}  // namespace ratchet::inline RATCHET_ABI::explore
