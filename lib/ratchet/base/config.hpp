// What this library needs of the compiler and the machine, and the name of its ABI.
#pragma once

#define RATCHET_VERSION_MAJOR 0
#define RATCHET_VERSION_MINOR 1
#define RATCHET_VERSION_PATCH 0

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "ratchet needs C++20: compile with -std=c++20 or newer"
#endif
#if !defined(__x86_64__) || !defined(__linux__) || defined(__ILP32__)
#error "ratchet runs on 64-bit x86-64 Linux: its slots need cmpxchg16b, which this target lacks"
#endif
#if !defined(__cpp_exceptions)
#error "ratchet needs exceptions (they report allocation failures): drop -fno-exceptions"
#endif

#if defined(__SANITIZE_THREAD__)
#define RATCHET_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RATCHET_TSAN 1
#endif
#endif
#ifndef RATCHET_TSAN
#define RATCHET_TSAN 0
#endif

// RATCHET_EXPLORE: every shared access goes to a scheduler (base/explore.hpp). Tests only.
#ifndef RATCHET_EXPLORE
#define RATCHET_EXPLORE 0
#endif

// RATCHET_SMALL_LIMITS: tables of two words and batches of four, so that rare paths are common.
// Tests only.
#ifndef RATCHET_SMALL_LIMITS
#define RATCHET_SMALL_LIMITS 0
#endif

// Builds that lay out or synchronise differently have inline namespaces of their own: mixing them
// in one program fails to link instead of failing at run time.
#if RATCHET_EXPLORE
#define RATCHET_ABI v0_explore
#elif RATCHET_SMALL_LIMITS && RATCHET_TSAN
#define RATCHET_ABI v0_small_tsan
#elif RATCHET_SMALL_LIMITS
#define RATCHET_ABI v0_small
#elif RATCHET_TSAN
#define RATCHET_ABI v0_tsan
#else
#define RATCHET_ABI v0
#endif

// What the compiled part of the library exports; everything else keeps the visibility of its user.
#define RATCHET_API __attribute__((visibility("default")))

namespace ratchet::inline RATCHET_ABI::base {
__extension__ typedef unsigned __int128 uint128;
}  // namespace ratchet::inline RATCHET_ABI::base
