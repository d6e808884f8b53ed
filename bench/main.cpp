// ratchet-bench: runs a suite in interleaved rounds and reports counters of its own.
#include "cases.hpp"
#include "samples.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace ratchet_bench {

void broken(const std::string& cell, const std::string& what, std::uint64_t found,
            std::uint64_t expected) {
  std::fprintf(stderr, "ratchet-bench: %s: %s: found %llu, expected %llu\n", cell.c_str(),
               what.c_str(), static_cast<unsigned long long>(found),
               static_cast<unsigned long long>(expected));
  std::abort();
}

namespace {

cases cases_of(const options& wanted) {
  cases all;
  switch (wanted.suite) {
    case suite::operations:
      add_handle_operations(wanted, all);
      add_integer_operations(wanted, all);
      add_string_operations(wanted, all);
      add_boxed_operations(wanted, all);
      add_hot_key(wanted, all);
      break;
    case suite::sleeping:
      add_sleeping(wanted, all);
      break;
    case suite::create:
      add_create(wanted, all);
      break;
    case suite::churn:
      add_churn(wanted, all);
      break;
  }
  return all;
}

bool same_cell(const bench_case& a, const bench_case& b) {
  return a.operation == b.operation && a.keys == b.keys && a.threads == b.threads;
}

// Subjects of one cell stand side by side; who goes first changes with the round, so that nobody
// always runs in another's wake.
cases in_order_of(std::uint32_t round, cases all) {
  for (auto first = all.begin(); first != all.end();) {
    const auto last =
        std::find_if(first, all.end(), [&](const auto& one) { return !same_cell(one, *first); });
    std::rotate(first, first + round % (last - first), last);
    first = last;
  }
  return all;
}

// One iteration is one window, timed by us.
void register_case(const bench_case& one) {
  const std::string name = one.operation + "/" + one.subject + "/" + std::to_string(one.keys) +
                           "/" + std::to_string(one.threads);
  benchmark::RegisterBenchmark(name.c_str(),
                               [run = one.run](benchmark::State& state) {
                                 counters found;
                                 for (auto _ : state) {
                                   found = run();
                                   state.SetIterationTime(found["seconds"]);
                                 }
                                 for (const auto& [counter, value] : found)
                                   state.counters[counter] = value;
                               })
      ->Iterations(1)
      ->UseManualTime();
}

int run(const options& wanted) {
  const cases all = cases_of(wanted);
  sample_reporter reporter;
  for (std::uint32_t round = 0; round < wanted.rounds; ++round) {
    reporter.begin_round(round);
    benchmark::ClearRegisteredBenchmarks();
    for (const bench_case& one : in_order_of(round, all)) register_case(one);
    benchmark::RunSpecifiedBenchmarks(&reporter);
  }
  if (reporter.all().empty()) {
    std::fprintf(stderr, "ratchet-bench: the filter and the options leave nothing to run\n");
    return 2;
  }
  if (!wanted.json.empty()) write_json(wanted, reporter.all());
  return 0;
}

}  // namespace
}  // namespace ratchet_bench

int main(int argc, char** argv) {
  using namespace ratchet_bench;
  try {
    options wanted;
    benchmark::Initialize(&argc, argv, [] { std::fputs(usage().c_str(), stdout); });
    if (const std::string wrong = read_options(argc, argv, wanted); !wrong.empty()) {
      std::fprintf(stderr, "ratchet-bench: %s\n", wrong.c_str());
      return 2;
    }
    return run(wanted);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ratchet-bench: %s\n", error.what());
    return 1;
  }
}
