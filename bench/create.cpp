// Creates keys from empty, each once: how fast, how evenly, and how much memory they take.
#include "latencies.hpp"
#include "process_memory.hpp"
#include "subjects.hpp"
#include "window.hpp"
#include "world.hpp"

namespace ratchet_bench {
namespace {

constexpr double megabytes = 1.0 / (1 << 20);

// One thread's part, on lines of its own.
struct alignas(ratchet::limits::padding_bytes) creator {
  latencies times;
  std::uint64_t commits = 0;
  steady_clock::time_point begin;
  steady_clock::time_point end;
};

double ticks_per_us() {
  static const double measured_once = [] {
    const auto begin = steady_clock::now();
    const std::uint64_t ticks = __builtin_ia32_rdtsc();
    while (steady_clock::now() - begin < std::chrono::milliseconds(20)) {
    }
    const std::uint64_t passed = __builtin_ia32_rdtsc() - ticks;
    return static_cast<double>(passed) / (seconds_between(begin, steady_clock::now()) * 1e6);
  }();
  return measured_once;
}

// What the machine does to a loop that only reads the clock: no operation can be better.
std::uint64_t longest_pause(std::uint32_t threads, std::chrono::milliseconds length) {
  std::vector<std::uint64_t> longest(threads);
  ratchet::harness::run_crowd(threads, threads, [&](std::uint32_t thread) {
    pin_thread(thread);
    const auto end =
        __builtin_ia32_rdtsc() +
        static_cast<std::uint64_t>(ticks_per_us() * 1000 * static_cast<double>(length.count()));
    std::uint64_t last = __builtin_ia32_rdtsc();
    while (last < end) {
      const std::uint64_t now = __builtin_ia32_rdtsc();
      longest[thread] = std::max(longest[thread], now - last);
      last = now;
    }
  });
  return *std::max_element(longest.begin(), longest.end());
}

// An operation lasts from the end of the one before to its own end: nothing falls in between.
template <class Subject, class Form>
void create_slice(Subject& store, const Form* first, const Form* last, creator& mine) {
  mine.begin = steady_clock::now();
  std::uint64_t before = __builtin_ia32_rdtsc();
  for (const Form* key = first; key != last; ++key) {
    mine.commits += static_cast<bool>(
        store.put(as_asked(*key), static_cast<std::uint64_t>(key - first), ratchet::if_absent));
    const std::uint64_t now = __builtin_ia32_rdtsc();
    mine.times.add(now - before);
    before = now;
  }
  mine.end = steady_clock::now();
}

template <class Subject, class Form>
std::vector<creator> create_all(Subject& store, const std::vector<Form>& keys,
                                std::vector<creator> crew) {
  const auto threads = static_cast<std::uint32_t>(crew.size());
  const auto border = [&](std::size_t i) { return keys.data() + keys.size() * i / threads; };
  ratchet::harness::run_crowd(threads, threads, [&](std::uint32_t thread) {
    pin_thread(thread);
    create_slice(store, border(thread), border(thread + 1), crew[thread]);
  });
  return crew;
}

template <class Subject, class Form>
void check_created(Subject& store, const std::vector<Form>& keys, std::uint32_t threads,
                   const std::string& cell) {
  std::uint64_t right = 0;
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    const std::size_t first = keys.size() * thread / threads;
    for (std::size_t i = first; i < keys.size() * (thread + 1) / threads; ++i) {
      const auto seen = store.get(as_asked(keys[i]));
      right += seen && *seen == i - first && seen.version().to_u64() == 1;
    }
  }
  check_count(cell, "keys with their value at version 1", right, keys.size());
  check_count(cell, "size", store.size(), keys.size());
}

counters times_of(const std::vector<creator>& crew, std::size_t keys) {
  creator all = crew.front();
  for (std::size_t i = 1; i < crew.size(); ++i) {
    all.times += crew[i].times;
    all.begin = std::min(all.begin, crew[i].begin);
    all.end = std::max(all.end, crew[i].end);
  }
  const double seconds = seconds_between(all.begin, all.end);
  const auto us = [&](std::uint64_t ticks) { return static_cast<double>(ticks) / ticks_per_us(); };
  return {{"seconds", seconds},
          {"mops", static_cast<double>(keys) / seconds / 1e6},
          {"p50_us", us(all.times.at(0.5))},
          {"p99_us", us(all.times.at(0.99))},
          {"p99_9_us", us(all.times.at(0.999))},
          {"p99_99_us", us(all.times.at(0.9999))},
          {"longest_us", us(all.times.longest())}};
}

// What the library says of itself.
template <class Subject>
void add_stats(Subject& store, std::size_t keys, counters& into) {
  if constexpr (requires { store.stats_now(); }) {
    const auto now = store.stats_now();
    into["index_bytes_per_entry"] =
        static_cast<double>(now.index_bytes) / static_cast<double>(keys);
    into["record_bytes_per_entry"] =
        static_cast<double>(now.record_bytes) / static_cast<double>(keys);
    into["migrations"] = static_cast<double>(now.migrations);
    into["waiting_objects"] = static_cast<double>(now.waiting_objects);
  }
}

template <class Subject, class Key>
counters create_once(std::size_t count, std::uint32_t threads, std::size_t key_bytes,
                     const std::string& cell) {
  std::vector<typename key_form<Key>::type> keys;
  keys.reserve(count);
  for (std::size_t i = 0; i < count; ++i) keys.push_back(key_form<Key>::make(i, key_bytes));
  const auto pause_length =
      std::chrono::milliseconds(std::clamp<std::size_t>(count / 10'000, 1, 400));
  std::uint64_t pause = longest_pause(threads, pause_length);
  std::vector<creator> crew(threads);
  give_back_unused();
  const bool peak_is_ours = reset_peak();
  const double before = static_cast<double>(resident_bytes());
  Subject store;
  crew = create_all(store, keys, std::move(crew));
  if constexpr (requires { store.reclaim(); }) store.reclaim();
  const double settled = static_cast<double>(resident_bytes()) - before;
  const double peak = static_cast<double>(resident_bytes_peak()) - before;
  pause = std::max(pause, longest_pause(threads, pause_length));
  std::uint64_t commits = 0;
  for (const creator& one : crew) commits += one.commits;
  check_count(cell, "commits", commits, count);
  check_created(store, keys, threads, cell);
  counters made = times_of(crew, count);
  made["machine_pause_us"] = static_cast<double>(pause) / ticks_per_us();
  made["settled_mb"] = settled * megabytes;
  made["bytes_per_entry"] = settled / static_cast<double>(count);
  if (peak_is_ours) made["peak_bytes_per_entry"] = peak / static_cast<double>(count);
  add_stats(store, count, made);
  return made;
}

template <class Key>
void add_create_of(const options& wanted, const std::string& operation, std::size_t key_bytes,
                   cases& into) {
  add_cases<Key, std::uint64_t>(
      wanted, operation, into,
      [key_bytes]<class S>(std::size_t keys, std::uint32_t threads, const std::string& cell) {
        return create_once<S, Key>(keys, threads, key_bytes, cell);
      });
}

}  // namespace

void add_create(const options& wanted, cases& into) {
  switch (wanted.key) {
    case key_kind::integer:
      add_create_of<std::uint64_t>(wanted, "create_integer", 8, into);
      break;
    case key_kind::string20:
      add_create_of<std::string>(wanted, "create_string20", 20, into);
      break;
    case key_kind::string21:
      add_create_of<std::string>(wanted, "create_string21", 21, into);
      break;
  }
}

}  // namespace ratchet_bench
