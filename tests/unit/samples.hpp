// Numbered keys and values of each type the tests use.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace tests {

struct pair8 {
  std::uint32_t low;
  std::uint32_t high;
  friend bool operator==(const pair8&, const pair8&) = default;
};

struct pod64 {
  std::array<std::uint64_t, 8> words;
  friend bool operator==(const pod64&, const pod64&) = default;
};

enum class color : std::uint16_t {};

struct place {
  std::uint64_t row;
  std::uint64_t column;
  friend bool operator==(const place&, const place&) = default;
};

// of(n) makes the n-th sample, number(v) tells which one v is.
template <class T>
struct sample;

template <>
struct sample<std::string> {
  static constexpr const char* name = "string";
  static std::string of(std::uint32_t n) {
    // Every third one is too long for a record's own line.
    return (n % 3 == 0 ? "a sample that is too long for one line #" : "#") + std::to_string(n);
  }
  static std::uint32_t number(const std::string& value) {
    return static_cast<std::uint32_t>(std::stoul(value.substr(value.find('#') + 1)));
  }
};

template <>
struct sample<std::int64_t> {
  static constexpr const char* name = "int64";
  static std::int64_t of(std::uint32_t n) { return -static_cast<std::int64_t>(n); }
  static std::uint32_t number(std::int64_t value) { return static_cast<std::uint32_t>(-value); }
};

template <>
struct sample<std::uint64_t> {
  static constexpr const char* name = "uint64";
  static std::uint64_t of(std::uint32_t n) { return n * std::uint64_t{0x100000001}; }
  static std::uint32_t number(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
};

template <>
struct sample<std::uint32_t> {
  static constexpr const char* name = "uint32";
  static std::uint32_t of(std::uint32_t n) { return n; }
  static std::uint32_t number(std::uint32_t value) { return value; }
};

template <>
struct sample<pair8> {
  static constexpr const char* name = "pair8";
  static pair8 of(std::uint32_t n) { return {n, ~n}; }
  static std::uint32_t number(const pair8& value) {
    return value.high == ~value.low ? value.low : ~std::uint32_t{0};
  }
};

template <>
struct sample<color> {
  static constexpr const char* name = "enum";
  static color of(std::uint32_t n) { return static_cast<color>(n); }
};

template <>
struct sample<place> {
  static constexpr const char* name = "struct16";
  static place of(std::uint32_t n) { return {n / 2, n % 2}; }
};

template <>
struct sample<pod64> {
  static constexpr const char* name = "pod64";
  static pod64 of(std::uint32_t n) {
    pod64 made{};
    for (std::size_t i = 0; i < made.words.size(); ++i) made.words[i] = n + (i << 40);
    return made;
  }
  static std::uint32_t number(const pod64& value) {
    const auto n = static_cast<std::uint32_t>(value.words[0]);
    return value == of(n) ? n : ~std::uint32_t{0};
  }
};

template <>
struct sample<std::unique_ptr<int>> {
  static constexpr const char* name = "unique_ptr";
  static std::unique_ptr<int> of(std::uint32_t n) {
    return std::make_unique<int>(static_cast<int>(n));
  }
  static std::uint32_t number(const std::unique_ptr<int>& value) {
    return value ? static_cast<std::uint32_t>(*value) : ~std::uint32_t{0};
  }
};

// Which sample a view, an entry or a pointer shows; nullopt: absent.
template <class Shown>
std::optional<std::uint32_t> number_of(const Shown& shown) {
  using value = std::remove_cvref_t<decltype(*shown)>;
  if (!shown) return std::nullopt;
  return sample<value>::number(*shown);
}

}  // namespace tests
