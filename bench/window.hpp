// Measures what threads do between two readings of a steady clock.
//
// The threads are ours and Google Benchmark sees one: version 1.7.1 divides the time of a benchmark
// by its threads, so a time of 10 ms on two threads reads 5 ms.
#pragma once

#include "options.hpp"

#include <harness/crowd.hpp>

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ratchet_bench {

using steady_clock = std::chrono::steady_clock;

inline double seconds_between(steady_clock::time_point begin, steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

// What a thread did, warm-up included: checks need all of it.
struct tally {
  std::uint64_t operations = 0;
  std::uint64_t hits = 0;
  std::uint64_t commits = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t stale = 0;          // conditional puts that named an old version
  std::uint64_t stale_commits = 0;  // of those: must stay 0
  std::uint64_t torn = 0;           // values that no put wrote: must stay 0
  std::uint64_t sink = 0;           // keeps reads alive

  tally& operator+=(const tally& other) {
    operations += other.operations;
    hits += other.hits;
    commits += other.commits;
    conflicts += other.conflicts;
    stale += other.stale;
    stale_commits += other.stale_commits;
    torn += other.torn;
    sink ^= other.sink;
    return *this;
  }
};

struct measured {
  tally all;
  double operations_per_s = 0;  // of all threads together
  double ns_per_operation = 0;  // of one thread
  double seconds = 0;           // the longest thread's window
  double cpu_share = 0;         // of the windows' time: below 1, others ran or threads slept

  [[nodiscard]] std::map<std::string, double> counters() const {
    std::map<std::string, double> made{{"ops_per_s", operations_per_s},
                                       {"ns_per_op", ns_per_operation},
                                       {"seconds", seconds},
                                       {"cpu_share", cpu_share}};
    if (all.commits != 0) {
      made["conflicts_per_commit"] =
          static_cast<double>(all.conflicts) / static_cast<double>(all.commits);
    }
    return made;
  }
};

// What the calling thread has run so far, as the kernel counts it.
double cpu_seconds();

// Stays on the CPU that is the thread's own, if there are enough.
void pin_thread(std::uint32_t thread);

// `make_body(thread)` makes what a thread runs: body(tally&, operations) does that many. The clock
// is read between batches, so that it weighs little.
template <class MakeBody>
measured measure(std::uint32_t threads, const options& wanted, std::uint32_t batch,
                 MakeBody&& make_body) {
  struct span {
    tally all;
    std::uint64_t operations = 0;
    double seconds = 0;
    double cpu_seconds = 0;
  };
  std::vector<span> spans(threads);
  ratchet::harness::run_crowd(threads, threads, [&](std::uint32_t thread) {
    pin_thread(thread);
    auto body = make_body(thread);
    tally mine;
    const auto warm = steady_clock::now() + wanted.warm_up;
    do {
      body(mine, batch);
    } while (steady_clock::now() < warm);
    const std::uint64_t before = mine.operations;
    const double cpu_before = cpu_seconds();
    const auto begin = steady_clock::now();
    const auto wanted_end = begin + wanted.window;
    auto end = begin;
    do {
      body(mine, batch);
      end = steady_clock::now();
    } while (end < wanted_end);
    benchmark::DoNotOptimize(mine.sink);
    spans[thread] = {mine, mine.operations - before, seconds_between(begin, end),
                     cpu_seconds() - cpu_before};
  });
  measured result;
  for (const span& one : spans) {
    result.all += one.all;
    result.operations_per_s += static_cast<double>(one.operations) / one.seconds;
    result.seconds = std::max(result.seconds, one.seconds);
    result.cpu_share += one.cpu_seconds / one.seconds / threads;
  }
  result.ns_per_operation = 1e9 * threads / result.operations_per_s;
  return result;
}

}  // namespace ratchet_bench
