// The scenarios and the broken twins, by name.
#pragma once

#include <harness/run_result.hpp>
#include <harness/settings.hpp>

#include <span>

// The lock-free store takes part where this tree has it.
#ifndef RATCHET_HARNESS_NATIVE
#if __has_include(<ratchet/native/store.hpp>)
#define RATCHET_HARNESS_NATIVE 1
#else
#define RATCHET_HARNESS_NATIVE 0
#endif
#endif

namespace ratchet::inline RATCHET_ABI::harness {

enum class store_kind : std::uint8_t { mutex, native };
inline constexpr bool has_native_store = RATCHET_HARNESS_NATIVE != 0;
inline constexpr store_kind store_default =
    has_native_store ? store_kind::native : store_kind::mutex;

struct scenario_entry {
  std::string_view name;
  std::string_view about;
  scenario_result (*run)(const settings&, store_kind);
  bool is_twin = false;
  bool by_default = false;
};

std::span<const scenario_entry> all_scenarios() noexcept;
const scenario_entry* find_scenario(std::string_view name) noexcept;

// Whether the harness can see at all: runs a canary, which must be found in violation. Returns why
// it is blind, or nothing.
std::string blindness(const settings&, const scenario_entry& canary);

}  // namespace ratchet::inline RATCHET_ABI::harness
