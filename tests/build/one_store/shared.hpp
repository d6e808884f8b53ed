// One store, used by the executable and by two shared objects. Everything but these two functions is hidden,
// so each of the three has its own copy of the store's inline code.
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

// The calling thread's record in the hazard domain of the process; null where the store needs none.
inline const void* process_state() {
#if RATCHET_TEST_NATIVE
  return &ratchet::native::self();
#else
  return nullptr;
#endif
}
