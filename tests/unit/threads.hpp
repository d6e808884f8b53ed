// Threads that start at once, sizes that fit the build, and a seed that can be given.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "native.hpp"

namespace tests {

// Full size where the code runs at its own speed, a part of it where it is slowed down.
constexpr std::uint32_t scaled(std::uint32_t size) {
#if RATCHET_TSAN || RATCHET_TESTS_ASAN
  return size / 10;
#elif !defined(NDEBUG)
  return size / 4;
#else
  return size;
#endif
}

// Runs f(index) on `count` threads that start together, and waits for them.
template <class F>
void run_threads(std::uint32_t count, F&& f) {
  std::latch start(static_cast<std::ptrdiff_t>(count));
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      f(i);
    });
  for (auto& thread : threads) thread.join();
}

// Between a read and its write, now and then: waits until somebody else is there too, or for a
// while. So callers meet on any number of CPUs, and do not only hope to.
inline void let_others_in(std::uint32_t turn) {
  static std::atomic<std::uint64_t> arrivals{0};
  if (turn % 16 != 0) return;
  const std::uint64_t mine = ++arrivals;
  for (int n = 0; n < 100 && arrivals == mine; ++n) std::this_thread::yield();
}

// Drawn once a process, or given by RATCHET_SEED; printed for replays.
inline std::uint64_t run_seed() {
  static const std::uint64_t seed = [] {
    const char* given = std::getenv("RATCHET_SEED");
    const std::uint64_t drawn = given != nullptr ? std::strtoull(given, nullptr, 10)
                                                 : std::uint64_t{std::random_device{}()};
    std::printf("seed: RATCHET_SEED=%llu\n", static_cast<unsigned long long>(drawn));
    return drawn;
  }();
  return seed;
}
inline std::mt19937_64 random_numbers(std::uint64_t stream) {
  std::seed_seq parts{run_seed(), run_seed() >> 32, stream};
  return std::mt19937_64(parts);
}

}  // namespace tests
