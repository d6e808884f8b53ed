// The stores every test runs on.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "native.hpp"
#include "samples.hpp"

namespace tests {

struct mutex_kind {
  static constexpr const char* name = "mutex_store";
  static constexpr bool lock_free = false;
  static constexpr bool uses_config_memory = false;
  template <class K, class V, class O = ratchet::options>
  using store = ratchet::mutex_store<K, V, O>;
};

#if RATCHET_TESTS_NATIVE
struct native_kind {
  static constexpr const char* name = "store";
  static constexpr bool lock_free = true;
  static constexpr bool uses_config_memory = true;
  template <class K, class V, class O = ratchet::options>
  using store = ratchet::store<K, V, O>;
};
#endif
#if RATCHET_TESTS_NATIVE && RATCHET_TESTS_REFERENCE
using all_kinds = ::testing::Types<mutex_kind, native_kind>;
#elif RATCHET_TESTS_NATIVE
using all_kinds = ::testing::Types<native_kind>;
#else
using all_kinds = ::testing::Types<mutex_kind>;
#endif

template <class Kind, class K, class V>
struct combo {
  using kind = Kind;
  using key = K;
  using value = V;
  using store = typename Kind::template store<K, V>;
};

// Short and long strings, words, enumerators and structs as keys; inlined, boxed and move-only
// values.
#define RATCHET_TESTS_COMBOS(kind)                                                                \
  tests::combo<kind, std::string, std::int64_t>, tests::combo<kind, std::uint64_t, tests::pair8>, \
      tests::combo<kind, tests::color, std::uint32_t>,                                            \
      tests::combo<kind, tests::place, tests::pod64>,                                             \
      tests::combo<kind, std::string, std::string>,                                               \
      tests::combo<kind, std::uint64_t, std::unique_ptr<int>>

#if RATCHET_TESTS_NATIVE && RATCHET_TESTS_REFERENCE
using all_combos =
    ::testing::Types<RATCHET_TESTS_COMBOS(mutex_kind), RATCHET_TESTS_COMBOS(native_kind)>;
#elif RATCHET_TESTS_NATIVE
using all_combos = ::testing::Types<RATCHET_TESTS_COMBOS(native_kind)>;
#else
using all_combos = ::testing::Types<RATCHET_TESTS_COMBOS(mutex_kind)>;
#endif

// Names the types in test names.
struct kind_names {
  template <class T>
  static std::string GetName(int) {
    if constexpr (requires { typename T::kind; })
      return std::string(T::kind::name) + "_" + sample<typename T::key>::name + "_" +
             sample<typename T::value>::name;
    else
      return T::name;
  }
};

// Stores that hand out handles.
template <class Store>
concept has_handles =
    requires(Store& store, const typename Store::key_type& key) { store.at(key); };

}  // namespace tests
