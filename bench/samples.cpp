#include "samples.hpp"

#include <harness/machine.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ratchet_bench {
namespace {

// operation/subject/keys/threads, as main.cpp names a benchmark.
sample named(const std::string& name) {
  std::istringstream parts(name);
  sample made{};
  std::string keys;
  std::string threads;
  std::getline(parts, made.operation, '/');
  std::getline(parts, made.subject, '/');
  std::getline(parts, keys, '/');
  std::getline(parts, threads, '/');
  made.keys = std::stoull(keys);
  made.threads = static_cast<std::uint32_t>(std::stoul(threads));
  return made;
}

void print(const sample& one) {
  std::printf("%-16s %-12s keys %9llu  threads %u  round %u ", one.operation.c_str(),
              one.subject.c_str(), static_cast<unsigned long long>(one.keys), one.threads,
              one.round);
  for (const auto& [name, value] : one.counters) std::printf(" %s %.6g", name.c_str(), value);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

void sample_reporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration) continue;
    sample made = named(run.run_name.function_name);
    made.round = round_;
    for (const auto& [name, counter] : run.counters) made.counters[name] = counter.value;
    print(made);
    samples_.push_back(std::move(made));
  }
}

void write_json(const options& wanted, const std::vector<sample>& all) {
  using nlohmann::ordered_json;
  const auto here = ratchet::harness::this_machine();
  ordered_json samples = ordered_json::array();
  for (const sample& one : all)
    samples.push_back({{"operation", one.operation},
                       {"subject", one.subject},
                       {"keys", one.keys},
                       {"threads", one.threads},
                       {"round", one.round},
                       {"counters", one.counters}});
  const ordered_json whole{{"schema", "ratchet-bench-samples/1"},
                           {"library", ratchet::harness::library_version()},
                           {"compiler", here.compiler},
                           {"flags", here.flags},
                           {"commit_built", here.commit},
                           {"cpu", here.cpu},
                           {"kernel", here.kernel},
                           {"cores_allowed", here.cores_allowed},
                           {"seed", wanted.seed},
                           {"rounds", wanted.rounds},
                           {"warm_up_ms", wanted.warm_up.count()},
                           {"window_ms", wanted.window.count()},
                           {"samples", samples}};
  std::ofstream file(wanted.json);
  if (!(file << whole.dump(1) << '\n' << std::flush))
    throw std::runtime_error("ratchet-bench: " + wanted.json + " cannot be written");
}

}  // namespace ratchet_bench
