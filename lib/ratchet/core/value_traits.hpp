// Which values live in the slot itself.
#pragma once

#include <ratchet/base/config.hpp>

#include <type_traits>

namespace ratchet::inline RATCHET_ABI {

// Trivially copyable and at most 8 bytes: kept in the slot, never allocated. Everything else is
// boxed.
template <class V>
inline constexpr bool is_inlined = std::is_trivially_copyable_v<V> && sizeof(V) <= 8;

template <class V>
concept storable = std::is_object_v<V> && !std::is_const_v<V> && !std::is_array_v<V> &&
                   std::is_nothrow_destructible_v<V> && std::is_move_constructible_v<V>;

}  // namespace ratchet::inline RATCHET_ABI
