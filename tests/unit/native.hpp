// Which stores the lists of tests have. RATCHET_TESTS_NATIVE=0 leaves the reference alone, for
// tests of the tests; RATCHET_TESTS_REFERENCE=0 leaves it out, where it would only cost time.
#pragma once

#include <ratchet/native/mutex_store.hpp>

#ifndef RATCHET_TESTS_NATIVE
#if __has_include(<ratchet/native/store.hpp>)
#define RATCHET_TESTS_NATIVE 1
#else
#define RATCHET_TESTS_NATIVE 0
#endif
#endif

#ifndef RATCHET_TESTS_REFERENCE
#define RATCHET_TESTS_REFERENCE 1
#endif

#if RATCHET_TESTS_NATIVE
#include <ratchet/native/store.hpp>
#endif

// AddressSanitizer holds freed memory back, so that nothing is used again soon.
#if defined(__SANITIZE_ADDRESS__)
#define RATCHET_TESTS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RATCHET_TESTS_ASAN 1
#endif
#endif
#ifndef RATCHET_TESTS_ASAN
#define RATCHET_TESTS_ASAN 0
#endif
