// A look at a store from outside: numbers that move while they are read.
#pragma once

#include <ratchet/core/version.hpp>

#include <cstddef>
#include <cstdint>

namespace ratchet::inline RATCHET_ABI {

struct stats {
  std::size_t keys;                 // present
  std::size_t records;              // index words in use: present and erased keys, at most
  std::size_t index_words;          // of the current table
  std::size_t index_bytes;          // of the current table
  std::size_t record_bytes;         // of all slabs, used or free
  version floor;                    // no new record starts at or below it
  std::uint64_t migrations;         // tables left so far
  std::size_t waiting_objects;      // unlinked, not yet reclaimed
  std::size_t waiting_objects_max;  // clause M: what they stay under while no reclaimer is stopped
  std::size_t waiting_bytes;
  std::uint64_t barriers;  // membarrier calls of the process; 0 in symmetric mode
  // Refused by the kernel, which allowed it at first: as long as that goes on nothing is reclaimed.
  std::uint64_t barriers_failed;
  bool asymmetric;  // reads run without fences
};

}  // namespace ratchet::inline RATCHET_ABI
