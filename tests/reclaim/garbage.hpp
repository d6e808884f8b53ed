// What the tests of reclamation measure by: the store's own numbers, memory of the process, a
// watchdog.
#pragma once

#include <ratchet/native/store.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "unit/counted.hpp"
#include "unit/native.hpp"

namespace tests {

// The worst that was seen of a store's garbage. Any thread may look.
class garbage_watch {
 public:
  template <class Store>
  void look(const Store& store) {
    const ratchet::stats now = store.stats_now();
    looks_.fetch_add(1);
    raise(waiting_most_, now.waiting_objects);
    raise(bound_most_, now.waiting_objects_max);
    if (now.waiting_objects > now.waiting_objects_max) above_.fetch_add(1);
    const std::int64_t alive = counted::alive;
    raise(alive_most_, static_cast<std::uint64_t>(std::max<std::int64_t>(alive, 0)));
  }
  [[nodiscard]] std::uint64_t looks() const { return looks_; }
  [[nodiscard]] std::uint64_t above() const { return above_; }  // looks that saw M violated
  [[nodiscard]] std::uint64_t waiting_most() const { return waiting_most_; }
  [[nodiscard]] std::uint64_t bound_most() const { return bound_most_; }
  [[nodiscard]] std::uint64_t alive_most() const { return alive_most_; }

 private:
  static void raise(std::atomic<std::uint64_t>& most, std::uint64_t to) {
    std::uint64_t now = most;
    while (now < to && !most.compare_exchange_weak(now, to)) {
    }
  }

  std::atomic<std::uint64_t> looks_{0};
  std::atomic<std::uint64_t> above_{0};
  std::atomic<std::uint64_t> waiting_most_{0};
  std::atomic<std::uint64_t> bound_most_{0};
  std::atomic<std::uint64_t> alive_most_{0};
};

// Pages of the process in memory. 0 where a sanitizer's own memory would be counted.
inline std::uint64_t resident_bytes() {
#if RATCHET_TSAN || RATCHET_TESTS_ASAN
  return 0;
#else
  unsigned long pages = 0;
  unsigned long resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r"); file != nullptr) {
    if (std::fscanf(file, "%lu %lu", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return std::uint64_t{resident} * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
#endif
}

// Ends the process with a message when the scope has not ended in time: somebody waits for good.
class watchdog {
 public:
  watchdog(const char* what, std::chrono::seconds allowed)
      : guard_([this, what, allowed] {
          std::unique_lock lock(mutex_);
          if (ended_.wait_for(lock, allowed, [this] { return over_; })) return;
          std::fprintf(stderr, "watchdog: %s did not end\n", what);
          std::abort();
        }) {}
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;
  ~watchdog() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    ended_.notify_all();
    guard_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread guard_;
};

}  // namespace tests
