// Stores whose keys do not meet, and footprints as lines of a table.
#pragma once

#include <ratchet/native/store.hpp>

#include <cstdio>
#include <memory_resource>
#include <new>
#include <set>
#include <string>

#include "footprint/counting_seam.hpp"

namespace footprint {

// Multiples of the golden ratio lie so evenly that neighbours among the first n are at least
// 0.38 / n apart. The explored build has buckets of two words; at a third of a bucket a key, each
// key is alone in its bucket and nothing collides. Shipped buckets of eight words spill far less.
struct spread_hash {
  std::uint64_t operator()(std::uint64_t key, std::uint64_t) const noexcept {
    return (key + 1) * 0x9e3779b97f4a7c15;
  }
};
struct spread : ratchet::options {
  using hash = spread_hash;
};

template <class Value>
using store_of = ratchet::store<std::uint64_t, Value, spread>;

// Gives each block cache lines of its own; from the heap two small values may share one.
class whole_lines : public std::pmr::memory_resource {
  static std::size_t rounded(std::size_t bytes) noexcept { return (bytes + 63) / 64 * 64; }
  void* do_allocate(std::size_t bytes, std::size_t) override {
    return ::operator new(rounded(bytes), std::align_val_t(64));
  }
  void do_deallocate(void* block, std::size_t, std::size_t) override {
    ::operator delete(block, std::align_val_t(64));
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
};

// Words for three buckets of two a key.
inline ratchet::config sized_for(std::size_t keys, std::pmr::memory_resource* memory = nullptr) {
  ratchet::config wanted;
  wanted.memory = memory;
  wanted.reserve = 4 * keys;
  wanted.hash_seed = 1;
  return wanted;
}

template <class Store>
void fill(Store& store, std::uint64_t keys) {
  for (std::uint64_t key = 0; key < keys; ++key)
    store.put(key, typename Store::value_type(key + 1));
}

// Once an operation, however many keys it is tried on.
inline void print(const std::string& operation, const footprint& seen) {
  static std::set<std::string> printed;
  if (!printed.insert(operation).second) return;
  std::printf("  %-44s %5zu %6zu %9zu\n", operation.c_str(), seen.reads(), seen.writes(),
              seen.accesses);
}
inline void print_head() {
  std::printf("  %-44s %5s %6s %9s\n", "operation", "read", "write", "accesses");
}

}  // namespace footprint
