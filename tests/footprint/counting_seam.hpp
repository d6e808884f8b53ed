// The atomics seam, counted: which shared cache lines one operation reads and writes, and by how
// many accesses. One thread, directly on memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>

namespace footprint {

// Seen are the atomic accesses, and those of keys and boxed values. Not seen are plain reads of
// what hardly ever changes: the store's seed, a table's size.
//
// Shared: not in the calling thread's own record, and not in memory that the operation itself
// allocated, which nobody else has seen. Read-modify-writes and compare-and-swaps count as writes
// of their line, also a compare-and-swap that fails: it takes the line away from all others.
struct footprint {
  std::set<std::uintptr_t> read;     // lines that were only read
  std::set<std::uintptr_t> written;  // lines
  std::size_t accesses = 0;          // atomic ones

  [[nodiscard]] std::size_t reads() const { return read.size(); }
  [[nodiscard]] std::size_t writes() const { return written.size(); }
};

// Counts from `begin` to `end`.
void begin();
[[nodiscard]] footprint end();

template <class Operation>
[[nodiscard]] footprint of(Operation&& operation) {
  begin();
  operation();
  return end();
}

[[nodiscard]] inline std::uintptr_t line_of(const void* at) {
  return reinterpret_cast<std::uintptr_t>(at) / 64;
}

}  // namespace footprint
