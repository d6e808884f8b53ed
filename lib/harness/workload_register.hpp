// Workload: every verb of the store, at random, on a few keys that are erased and made again all
// the time. No pattern, so only the history can be judged.
#pragma once

#include <harness/run_result.hpp>
#include <harness/settings.hpp>
#include <ratchet/core/condition.hpp>

#include <array>

namespace ratchet::inline RATCHET_ABI::harness {

// A value too big for the slot. It carries itself four times, so that a mixture or a freed one
// shows.
struct big_value {
  std::array<std::uint64_t, 4> copies{};

  big_value() = default;
  explicit big_value(std::uint64_t number) noexcept {
    for (std::size_t i = 0; i < copies.size(); ++i) copies[i] = number + i;
  }
  [[nodiscard]] std::uint64_t history_word() const noexcept {
    for (std::size_t i = 1; i < copies.size(); ++i)
      if (copies[i] != copies[0] + i) return torn;
    return copies[0];
  }
  static constexpr std::uint64_t torn = 0xdead'dead'dead'dead;
};

template <class Value>
struct register_scenario_of {
  static constexpr bool big = std::is_same_v<Value, big_value>;
  static constexpr std::string_view name = big ? "register-boxed" : "register";
  static constexpr std::uint32_t limit_default = 0;
  static constexpr std::uint32_t keys = 4;
  static constexpr std::uint32_t calls = 30;

  std::uint32_t callers;
  std::uint32_t limit;

  static bool cold(std::uint32_t) noexcept { return false; }

  template <class S>
  void prepare(S& store, const key_of<S>& first_key, std::uint32_t round) const {
    for (std::uint32_t i = 0; i < keys; ++i)
      if ((round + i) % 2 == 0) store.put(first_key + i, Value(i + 1));
  }

  template <class S, class Caller>
  void call(S& store, const key_of<S>& first_key, Caller& me, answer_counts& counted) const {
    for (std::uint32_t i = 0; i < calls && !me.stopped(); ++i) {
      // A value of its own for each write, so that a read tells whose it saw.
      const auto number = (std::uint64_t{me.index} + 1) << 16 | (i << 4);
      one(store, first_key + me.choices.below(keys),
          static_cast<std::uint32_t>(me.choices.below(20)), number);
      ++counted.done;
    }
  }

  [[nodiscard]] expectation expected() const {
    return {.exact = false, .done = std::uint64_t{callers} * calls};
  }
  [[nodiscard]] const char* broken_rule(const key_state&, const key_state&) const {
    return nullptr;
  }

 private:
  template <class S>
  static void one(S& store, const key_of<S>& key, std::uint32_t choice, std::uint64_t number) {
    const Value value = Value(number);
    if (choice < 4) return (void)store.read(key);
    if (choice < 6) return (void)store.put(key, value);
    if (choice < 9) return (void)store.put(key, value, if_absent);
    if (choice < 11) return (void)store.put(key, value, if_present);
    if (choice < 12) return (void)store.erase(key);
    const auto seen = store.read(key);
    // Also with an erase's version, which must match nothing.
    if (choice < 17) return (void)store.put(key, value, if_match(seen.version()));
    (void)store.erase(key, if_match(seen.version()));
  }
};

using register_scenario = register_scenario_of<std::int64_t>;
using boxed_register_scenario = register_scenario_of<big_value>;

}  // namespace ratchet::inline RATCHET_ABI::harness
