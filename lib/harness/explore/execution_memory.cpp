#include <harness/explore/execution_memory.hpp>

#include <algorithm>

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

// Stands in front of each block, and says how it is given back.
struct header {
  std::size_t alignment;
  bool of_execution;
};

// Keeps the block aligned.
std::size_t header_bytes(std::size_t alignment) { return std::max(alignment, sizeof(header)); }

void give_back(void* whole, std::size_t) {
  const auto alignment = static_cast<header*>(whole)->alignment;
  ::operator delete(whole, static_cast<std::align_val_t>(alignment));
}

}  // namespace

void* execution_memory::do_allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t front = header_bytes(alignment);
  void* const whole = ::operator new(front + bytes, static_cast<std::align_val_t>(front));
  ::new (whole) header{front, executing()};
  if (executing()) quarantine(whole, front + bytes, &give_back);
  return static_cast<std::byte*>(whole) + front;
}

void execution_memory::do_deallocate(void* block, std::size_t bytes, std::size_t alignment) {
  void* const whole = static_cast<std::byte*>(block) - header_bytes(alignment);
  if (!static_cast<header*>(whole)->of_execution) give_back(whole, bytes);
}

execution_memory& memory_of_execution() {
  static execution_memory memory;
  return memory;
}

}  // namespace ratchet::inline RATCHET_ABI::explore
