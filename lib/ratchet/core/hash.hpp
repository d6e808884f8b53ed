// Hashing of keys: seeded, so that nobody outside can prepare keys that collide.
#pragma once

#include <ratchet/base/config.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <type_traits>

namespace ratchet::inline RATCHET_ABI {

namespace detail {

inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
  const base::uint128 product = static_cast<base::uint128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t read8(const char* at) noexcept {
  std::uint64_t word;
  std::memcpy(&word, at, 8);
  return word;
}
inline std::uint64_t read4(const char* at) noexcept {
  std::uint32_t word;
  std::memcpy(&word, at, 4);
  return word;
}

inline constexpr std::uint64_t odd_a = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
inline constexpr std::uint64_t odd_b = 0xd6e8feb86659fd93;
inline constexpr std::uint64_t odd_c = 0xa0761d6478bd642f;

// Bytes, by folded multiplication of 16 at a time (the construction of wyhash: Wang Yi, 2019);
// every factor holds the seed, which an attacker does not know. Not a cryptographic hash.
inline std::uint64_t hash_bytes(const char* at, std::size_t size, std::uint64_t seed) noexcept {
  std::uint64_t state = seed ^ odd_a;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  if (size > 16) {
    std::size_t left = size;
    for (; left > 16; left -= 16, at += 16)
      state = fold(read8(at) ^ odd_b ^ seed, read8(at + 8) ^ state);
    a = read8(at + left - 16);
    b = read8(at + left - 8);
  } else if (size >= 8) {
    a = read8(at);
    b = read8(at + size - 8);
  } else if (size >= 4) {
    a = read4(at);
    b = read4(at + size - 4);
  } else if (size > 0) {
    a = (std::uint64_t{static_cast<unsigned char>(at[0])} << 16) |
        (std::uint64_t{static_cast<unsigned char>(at[size / 2])} << 8) |
        static_cast<unsigned char>(at[size - 1]);
  }
  return fold(odd_c ^ size, fold(a ^ odd_b ^ seed, b ^ state));
}

inline std::uint64_t hash_word(std::uint64_t word, std::uint64_t seed) noexcept {
  return fold(word ^ seed ^ odd_a, odd_b ^ std::rotl(seed, 32));
}

}  // namespace detail

// Keys whose bytes are their value. Strings hash alike whatever holds them.
template <class K>
concept hashable_bytes =
    std::convertible_to<const K&, std::string_view> ||
    (std::is_trivially_copyable_v<K> && std::has_unique_object_representations_v<K>);

struct seeded_hash {
  template <hashable_bytes K>
  std::uint64_t operator()(const K& key, std::uint64_t seed) const noexcept {
    if constexpr (std::convertible_to<const K&, std::string_view>) {
      const std::string_view bytes = key;
      return detail::hash_bytes(bytes.data(), bytes.size(), seed);
    } else if constexpr (sizeof(K) <= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, &key, sizeof(K));
      return detail::hash_word(word, seed);
    } else {
      return detail::hash_bytes(reinterpret_cast<const char*>(&key), sizeof(K), seed);
    }
  }
};

// The store's hash of a key: the user's hash where it takes no seed is finished here, so that all
// 64 bits count.
template <class Options, class K>
std::uint64_t hash_key(const K& key, std::uint64_t seed) {
  const typename Options::hash hash{};
  if constexpr (requires {
                  { hash(key, seed) } -> std::convertible_to<std::uint64_t>;
                })
    return hash(key, seed);
  else
    return detail::hash_word(static_cast<std::uint64_t>(hash(key)), seed);
}

}  // namespace ratchet::inline RATCHET_ABI
