// Which types name a key of a store: the key type itself, and for strings anything that reads as
// one.
#pragma once

#include <ratchet/base/config.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace ratchet::inline RATCHET_ABI {

template <class Key>
concept string_like = std::convertible_to<const Key&, std::string_view> &&
                      std::constructible_from<Key, std::string_view> && !std::is_pointer_v<Key>;

// An integer key is also named by an integer no wider than it (a literal, say): a wider one could
// name two keys.
template <class K, class Key>
concept lookup_key = std::same_as<std::remove_cvref_t<K>, Key> ||
                     (string_like<Key> && std::convertible_to<const K&, std::string_view>) ||
                     (std::integral<Key> && std::integral<K> && sizeof(K) <= sizeof(Key));

// The one form in which a key is hashed and compared, whatever type it was given in.
template <class Key, lookup_key<Key> K>
decltype(auto) canonical(const K& key) noexcept {
  if constexpr (string_like<Key>)
    return std::string_view(key);
  else if constexpr (std::same_as<K, Key>)
    return (key);
  else
    return static_cast<Key>(key);
}

}  // namespace ratchet::inline RATCHET_ABI
