// Keys, and the order in which they are used: made outside the timed part, fixed by a seed.
#pragma once

#include <harness/random.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace ratchet_bench {

// A key's bytes where a caller holds them: looked up through a view, never as a std::string.
class text_key {
 public:
  static constexpr std::size_t bytes_max = 22;

  text_key() = default;
  // Distinct for distinct numbers: a name of `size` - 16 bytes and 16 hexadecimal digits.
  text_key(std::uint64_t number, std::size_t size) : size_(static_cast<std::uint8_t>(size)) {
    constexpr std::string_view name = "user::";
    std::memcpy(bytes_, name.data(), size - 16);
    for (std::size_t i = size; i > size - 16; --i, number >>= 4)
      bytes_[i - 1] = "0123456789abcdef"[number & 15];
  }
  operator std::string_view() const noexcept { return {bytes_, size_}; }

 private:
  char bytes_[bytes_max] = {};
  std::uint8_t size_ = 0;
};
static_assert(sizeof(text_key) == 23);

// The i-th key. Multiplication by an odd number and a shift are one-to-one, so no two are equal.
constexpr std::uint64_t key_number(std::uint64_t i) noexcept {
  i = (i + 1) * 0x9e3779b97f4a7c15;
  return (i ^ (i >> 32)) * 0xd6e8feb86659fd93;
}

inline constexpr std::size_t string_key_bytes = 21;

template <class Key>
struct key_form;
template <>
struct key_form<std::uint64_t> {
  using type = std::uint64_t;
  static type make(std::uint64_t i, std::size_t = 0) noexcept { return key_number(i); }
};
template <>
struct key_form<std::string> {
  using type = text_key;
  static type make(std::uint64_t i, std::size_t bytes = string_key_bytes) noexcept {
    return text_key(key_number(i), bytes);
  }
};

// What a store is asked with.
inline std::uint64_t as_asked(std::uint64_t key) noexcept { return key; }
inline std::string_view as_asked(const text_key& key) noexcept { return key; }

// One step of a workload: which key, and whether its conditional put names a version long gone.
template <class Form>
struct pick {
  Form key;
  bool stale;
};

inline constexpr double stale_share = 0.05;
// Few keys are gone through in many orders: a predictor must not learn one by heart.
inline constexpr std::size_t picks_min = 16'384;

// Numbers first ... first + keys - 1 in random order, several orders one after the other when there
// are few; each caller goes round and round.
inline std::vector<std::uint32_t> random_order(std::size_t keys, std::uint64_t seed) {
  ratchet::harness::random_source random(seed);
  const std::size_t orders = std::max<std::size_t>(1, picks_min / keys);
  std::vector<std::uint32_t> numbers(orders * keys);
  for (std::size_t order = 0; order < orders; ++order) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(order * keys);
    std::iota(begin, begin + static_cast<std::ptrdiff_t>(keys), 0u);
    for (std::size_t i = keys; i > 1; --i)
      std::swap(begin[static_cast<std::ptrdiff_t>(i - 1)],
                begin[static_cast<std::ptrdiff_t>(random.below(i))]);
  }
  return numbers;
}

template <class Key>
auto random_picks(std::size_t keys, std::uint64_t first, std::uint64_t seed) {
  using form = typename key_form<Key>::type;
  ratchet::harness::random_source random(ratchet::harness::derive(seed, "stale"));
  std::vector<pick<form>> picks;
  const auto order = random_order(keys, seed);
  picks.reserve(order.size());
  for (const std::uint32_t number : order)
    picks.push_back({key_form<Key>::make(first + number), random.chance(stale_share)});
  return picks;
}

}  // namespace ratchet_bench
