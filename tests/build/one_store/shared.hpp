// One store, used by the executable and by two shared objects. Everything but these two
// functions is hidden, so each of the three has its own copy of the store's inline code.
#pragma once

#include <ratchet/ratchet.hpp>

#include <cstdint>
#include <string>

#ifndef RATCHET_TEST_STORE
#define RATCHET_TEST_STORE ratchet::mutex_store
#endif

using texts = RATCHET_TEST_STORE<std::uint64_t, std::string>;

#define EXPORTED extern "C" __attribute__((visibility("default")))

// Appends its letter to key 1 `times` times; adds up how often another caller came first.
EXPORTED std::uint64_t append_a(texts& store, unsigned times);
EXPORTED std::uint64_t append_b(texts& store, unsigned times);

// Reads key 2, replaces it so often that what is replaced is reclaimed, through the other object,
// and tells whether the value it holds stayed as it was.
using churn_function = void(texts& store);
EXPORTED bool keeps_a_view_a(texts& store, churn_function* other);
EXPORTED bool keeps_a_view_b(texts& store, churn_function* other);
EXPORTED void churn_a(texts& store);
EXPORTED void churn_b(texts& store);

// Where this object believes the process's own state to be (null where the store keeps none).
EXPORTED const void* process_state_a();
EXPORTED const void* process_state_b();

inline std::uint64_t append(texts& store, char letter, unsigned times) {
  std::uint64_t attempts = 0;
  for (unsigned i = 0; i < times; ++i) {
    const auto done = store.mutate(std::uint64_t{1}, [letter](const std::string* now) {
      return (now == nullptr ? std::string() : *now) + letter;
    });
    attempts += done.attempts;
  }
  return attempts - times;
}

inline void churn(texts& store) {
  for (unsigned i = 0; i < 3000; ++i)
    store.put(std::uint64_t{2}, "a value too long to lie in a string itself " + std::to_string(i));
  [](auto& any) {
    if constexpr (requires { any.reclaim(); }) any.reclaim();
  }(store);
}

inline bool keeps_a_view(texts& store, churn_function* other) {
  store.put(std::uint64_t{2}, "the value that is held, too long to lie in a string itself");
  const auto held = store.read(std::uint64_t{2});
  other(store);
  return held && *held == "the value that is held, too long to lie in a string itself";
}

// The calling thread's record in the hazard domain of the process; null where the store needs none.
inline const void* process_state() {
#if RATCHET_TEST_NATIVE
  return &ratchet::native::self();
#else
  return nullptr;
#endif
}
