// How a store is made: what changes code is a type, what changes memory is a value.
#pragma once

#include <ratchet/core/version.hpp>

#include <cstddef>
#include <functional>
#include <limits>
#include <memory_resource>
#include <optional>

namespace ratchet::inline RATCHET_ABI {

struct seeded_hash;  // core/hash.hpp

struct options {
  using hash = seeded_hash;
  using key_equal = std::equal_to<>;
};

struct config {
  // Keys the store holds before it first grows; at most 2^48. A clean-up after many erases may give
  // the room back.
  std::size_t reserve = 0;
  // A creation beyond this many keys, present or in the act of being created, throws
  // limit_error{limit::keys}.
  std::size_t keys_max = std::numeric_limits<std::size_t>::max();
  // Where records, values and index come from; null: the default (native/memory.hpp). Must outlive
  // the store.
  std::pmr::memory_resource* memory = nullptr;
  // Fixed for replays; by default every store draws its own, so that nobody can prepare colliding
  // keys.
  std::optional<std::uint64_t> hash_seed = std::nullopt;
  // Versions start above this one: a service that restarts can start above every earlier life.
  version first = {};
};

}  // namespace ratchet::inline RATCHET_ABI
