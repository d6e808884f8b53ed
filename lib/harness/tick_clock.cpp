#include <harness/tick_clock.hpp>

#include <cpuid.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <thread>

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

bool tsc_is_invariant() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d) == 0 || (d & (1u << 27)) == 0) return false;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
}

std::vector<int> allowed_cpus() {
  // More CPUs than cpu_set_t holds do not fit its mask; such machines get the shared counter.
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
  return cpus;
}

// The mask is a hint to some kernels and containers, so the result is looked at.
bool pin_to(int cpu) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(static_cast<unsigned>(cpu), &mask);
  return pthread_setaffinity_np(pthread_self(), sizeof mask, &mask) == 0 && sched_getcpu() == cpu;
}

std::uint64_t fenced_tsc() {
  unsigned cpu;
  const std::uint64_t now = __builtin_ia32_rdtscp(&cpu);
  __builtin_ia32_lfence();
  return now;
}

constexpr std::uint64_t rounds = 2'000;

struct ping_pong {
  alignas(limits::padding_bytes) base::atomic<std::uint64_t> ping{0};
  alignas(limits::padding_bytes) base::atomic<std::uint64_t> pong{0};
  std::uint64_t answered_at[rounds + 1] = {};
  base::atomic<bool> pinned{false};
  base::atomic<bool> failed{false};
};

// Never waits for ever: a peer that could not be pinned does not answer.
std::uint64_t wait_for(base::atomic<std::uint64_t>& word, std::uint64_t wanted,
                       base::atomic<bool>& failed) {
  // acquire [ping-pong]: the stamp written before the word moved.
  for (unsigned spins = 0; word.load(base::acquire) < wanted; ++spins) {
    if (failed.load(base::acquire)) return 0;
    if (spins > 1'000) base::thread_yield();
  }
  return wanted;
}

void answer(ping_pong& game, int cpu) {
  if (!pin_to(cpu)) {
    game.failed.store(true, base::release);  // release: ends the peer's wait
    return;
  }
  game.pinned.store(true, base::release);  // release: the pinning is done
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    if (wait_for(game.ping, round, game.failed) == 0) return;
    game.answered_at[round] = fenced_tsc();
    game.pong.store(round, base::release);  // release [ping-pong]: answered_at
  }
}

// The answer's stamp lies between the asker's two: offset = answered - asked is at most
// answered - sent and at least answered - received. The narrowest round counts.
bool measure_offset(int reference, int cpu, offset_bounds& bounds) {
  if (!pin_to(reference)) return false;
  ping_pong game;
  std::thread peer(answer, std::ref(game), cpu);
  while (!game.pinned.load(base::acquire) && !game.failed.load(base::acquire)) base::thread_yield();
  bounds = {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    const std::uint64_t sent = fenced_tsc();
    game.ping.store(round, base::release);  // release [ping-pong]: nothing but the turn
    if (wait_for(game.pong, round, game.failed) == 0) break;
    const std::uint64_t received = fenced_tsc();
    const std::uint64_t answered = game.answered_at[round];
    bounds.low = std::max(bounds.low, static_cast<std::int64_t>(answered - received));
    bounds.high = std::min(bounds.high, static_cast<std::int64_t>(answered - sent));
  }
  peer.join();
  return !game.failed.load(base::acquire) && bounds.low <= bounds.high;
}

bool measure_all(const std::vector<int>& cpus, std::vector<offset_bounds>& offsets) {
  cpu_set_t before;
  if (sched_getaffinity(0, sizeof before, &before) != 0) return false;
  bool measured = true;
  for (std::size_t i = 1; measured && i < cpus.size(); ++i) {
    offset_bounds bounds;
    measured = measure_offset(cpus[0], cpus[i], bounds);
    offsets.push_back(bounds);
  }
  sched_setaffinity(0, sizeof before, &before);
  return measured;
}

}  // namespace

tick_clock::tick_clock(source kind, std::uint64_t widening, double ticks_per_ns, std::string why)
    : source_(kind),
      widening_(widening),
      ticks_per_ns_(ticks_per_ns),
      // Some ticks before now: widened intervals still start above 0.
      origin_(kind == source::tsc ? __builtin_ia32_rdtsc() - 2 * widening_max : 0),
      why_(std::move(why)) {}

tick_clock tick_clock::shared_counter(std::string why) {
  return tick_clock(source::shared, 0, 0.0, std::move(why));
}

tick_clock tick_clock::choose(bool invariant, bool all_measured,
                              const std::vector<offset_bounds>& offsets, double ticks_per_ns) {
  if (!invariant) return shared_counter("shared counter: the time stamp counter is not invariant");
  if (!all_measured)
    return shared_counter("shared counter: the CPUs' time stamp counters could not be compared");
  std::uint64_t worst = 0;
  for (const offset_bounds& one : offsets)
    worst = std::max({worst, static_cast<std::uint64_t>(std::llabs(one.low)),
                      static_cast<std::uint64_t>(std::llabs(one.high))});
  if (worst > widening_max)
    return shared_counter("shared counter: time stamp counters differ by up to " +
                          std::to_string(worst) + " ticks, accepted are " +
                          std::to_string(widening_max));
  return tick_clock(source::tsc, worst, ticks_per_ns,
                    "time stamp counters, at most " + std::to_string(worst) + " ticks apart");
}

tick_clock tick_clock::measure() {
  const auto started = std::chrono::steady_clock::now();
  const std::uint64_t started_ticks = __builtin_ia32_rdtsc();
  std::vector<offset_bounds> offsets;
  const bool invariant = tsc_is_invariant();
  const std::vector<int> cpus = allowed_cpus();
  bool measured = false;
  // Pinning changes the calling thread's mask, so a thread of its own is asked.
  if (invariant && !cpus.empty())
    std::thread([&] { measured = measure_all(cpus, offsets); }).join();
  std::this_thread::sleep_until(started + std::chrono::milliseconds(20));
  const std::uint64_t ticks = __builtin_ia32_rdtsc() - started_ticks;
  const auto passed = std::chrono::steady_clock::now() - started;
  return choose(
      invariant, measured, offsets,
      static_cast<double>(ticks) / static_cast<double>(std::chrono::nanoseconds(passed).count()));
}

}  // namespace ratchet::inline RATCHET_ABI::harness
