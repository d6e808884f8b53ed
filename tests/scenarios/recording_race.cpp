// What recording costs, and that checking keeps up with it: times are compared within one run only.
// RATCHET_RECORDED: operations of the checked run (default a million).
#include <harness/crowd.hpp>
#include <harness/history_check.hpp>
#include <harness/recorded_store.hpp>
#include <harness/run_scenario.hpp>
#include <ratchet/native/store.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace {

using namespace ratchet::harness;
using store_type = ratchet::store<std::uint64_t, std::uint64_t>;

constexpr std::uint32_t threads = 2;
constexpr std::uint64_t first_key = 1;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

const tick_clock& the_clock() {
  static const tick_clock clock = tick_clock::measure();
  return clock;
}

struct workload {
  const char* name;
  std::uint64_t keys;
  std::uint64_t pairs;  // of a get and a put, a thread
};

void fill(store_type& store, const workload& what) {
  for (std::uint64_t key = 0; key < what.keys; ++key) store.put(first_key + key, key);
}

template <class Store>
void get_and_put(Store& store, const workload& what, std::uint32_t me) {
  random_source choices(derive(1, me));
  for (std::uint64_t n = 0; n < what.pairs; ++n) {
    const std::uint64_t key = first_key + choices.below(what.keys);
    const auto seen = store.read(key);
    store.put(key, *seen + 1);
  }
}

settings wanted(bool records) {
  settings made;
  made.callers = threads;
  made.clock = &the_clock();
  made.records = records;
  return made;
}

double bare_seconds(const workload& what) {
  store_type store;
  fill(store, what);
  const auto start = std::chrono::steady_clock::now();
  run_crowd(threads, threads, [&](std::uint32_t me) { get_and_put(store, what, me); });
  return seconds_since(start);
}

// Through the harness; the logs, if any, are in `callers` afterwards.
double harness_seconds(const workload& what, bool records, round_callers& callers) {
  store_type store;
  fill(store, what);
  callers.start(wanted(records), 1, 0.0);
  const auto start = std::chrono::steady_clock::now();
  run_crowd(threads, threads, [&](std::uint32_t me) {
    recorded_store<store_type> seen(store, callers.all[me], first_key);
    get_and_put(seen, what, me);
  });
  return seconds_since(start);
}

double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}

// The same calls bare, through the harness without a record, and with one. The harness' own part is
// two fenced time stamps and a count of who meets: more than a call of 30 ns. That is told, and
// nothing is asked of it.
void expect_cheap(const workload& what) {
  constexpr int repetitions = 9;
  std::vector<double> bare;
  std::vector<double> unrecorded;
  std::vector<double> recorded;
  round_callers callers(wanted(true));
  (void)harness_seconds(what, true, callers);  // from here on the logs have their memory
  for (int i = 0; i < repetitions; ++i) {
    bare.push_back(bare_seconds(what));
    unrecorded.push_back(harness_seconds(what, false, callers));
    recorded.push_back(harness_seconds(what, true, callers));
  }
  std::uint64_t bytes = 0;
  for (const caller& one : callers.all) bytes += one.log.bytes();
  const std::uint64_t operations = 2 * what.pairs * threads;
  EXPECT_EQ(bytes, 24 * operations);
  const auto ns = [&](const std::vector<double>& seconds) {
    return median(seconds) * 1e9 / static_cast<double>(operations);
  };
  const double ratio = median(recorded) / median(unrecorded);
  std::printf(
      "%s, 2 threads, ns an operation: bare %.1f; in the harness %.1f unrecorded, %.1f "
      "recorded: %.2f times (%.2f times bare)\n",
      what.name, ns(bare), ns(unrecorded), ns(recorded), ratio, median(recorded) / median(bare));
  EXPECT_LE(ratio, 2.0);
}

TEST(recording, at_most_doubles_the_time_of_calls_on_many_keys) {
  expect_cheap({"4096 keys", 4'096, 100'000});
}
TEST(recording, at_most_doubles_the_time_of_calls_on_one_key) {
  expect_cheap({"one key", 1, 100'000});
}

TEST(recording, checking_takes_less_time_than_running) {
  const char* given = std::getenv("RATCHET_RECORDED");
  const std::uint64_t operations = given != nullptr ? std::strtoull(given, nullptr, 10) : 1'000'000;
  const workload what{"16 keys", 16, operations / (2 * threads)};
  round_callers callers(wanted(true));
  const double run = harness_seconds(what, true, callers);
  const auto start = std::chrono::steady_clock::now();
  const auto histories = callers.histories(static_cast<std::uint32_t>(what.keys));
  const double sorting = seconds_since(start);
  std::uint64_t checked = 0;
  for (std::uint64_t key = 0; key < what.keys; ++key) {
    const auto verdict = check_history({key, {1, key, true}, histories[key]});
    checked += verdict.checked;
    EXPECT_TRUE(verdict.found.none()) << verdict.found.kept()[0].message;
  }
  const double checking = seconds_since(start);
  std::printf("%llu operations: run in %.3f s, checked in %.3f s (sorted by key in %.3f)\n",
              static_cast<unsigned long long>(checked), run, checking, sorting);
  EXPECT_EQ(checked, 2 * what.pairs * threads);
  EXPECT_LT(checking, run);
}

}  // namespace
