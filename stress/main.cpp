// ratchet-stress: runs scenarios and says whether the store kept its word.
#include "options.hpp"
#include "report_file.hpp"

#include <harness/machine.hpp>
#include <harness/progress.hpp>
#include <harness/report.hpp>

#include <csignal>
#include <cstdio>
#include <memory>

namespace {

namespace harness = ratchet::harness;
using namespace ratchet_stress;

enum exit_status { all_right = 0, found_wrong = 1, bad_usage = 2, void_run = 3, interrupted = 130 };

constinit ratchet::base::atomic<bool> stop{false};

extern "C" void on_interrupt(int) {
  stop.store(true, ratchet::base::relaxed);  // relaxed: nothing else travels
  std::signal(SIGINT, SIG_DFL);              // a second one ends at once
}

void print_list() {
  for (const auto& one : harness::all_scenarios())
    std::printf("%-22.*s%.*s\n", static_cast<int>(one.name.size()), one.name.data(),
                static_cast<int>(one.about.size()), one.about.data());
}

int status_of(const std::vector<harness::scenario_result>& results) {
  int status = stop.load(ratchet::base::relaxed) ? interrupted : all_right;  // relaxed: as above
  if (status == interrupted) return status;
  for (const auto& one : results) {
    if (one.verdict == harness::verdict::violation || one.verdict == harness::verdict::unchecked)
      return found_wrong;
    if (one.verdict == harness::verdict::void_run) status = void_run;
  }
  return results.empty() ? found_wrong : status;
}

// With a record the canary is one that only a record shows.
const harness::scenario_entry& canary_of(const options& chosen) {
  if (chosen.canary != nullptr) return *chosen.canary;
  return *harness::find_scenario(chosen.run.records ? "twin:stale-conflict" : "twin:lost-update");
}

int complain(const std::string& what) {
  std::fprintf(stderr, "ratchet-stress: %s\n", what.c_str());
  return found_wrong;
}

int run(const std::string& program, const std::vector<std::string>& arguments, options chosen) {
  std::signal(SIGINT, on_interrupt);
  const std::string replay = replay_command(program, chosen);
  std::printf("seed %llu, replay: %s\n", static_cast<unsigned long long>(chosen.run.seed),
              replay.c_str());
  std::fflush(stdout);
  report_file report(chosen.json_file.value_or(""));
  if (!report.open()) return complain(report.problem());
  if (!report.note().empty()) complain(report.note());
  const harness::tick_clock clock = harness::tick_clock::measure();
  chosen.run.clock = &clock;
  chosen.run.stop = &stop;
  const auto& canary = canary_of(chosen);
  if (const std::string blind = harness::blindness(chosen.run, canary); !blind.empty())
    return complain(blind);
  std::printf("canary %.*s: found, as it must be; clock: %s\n",
              static_cast<int>(canary.name.size()), canary.name.data(), clock.why().c_str());
  harness::progress_line progress(chosen.quiet, chosen.run.rounds);
  chosen.run.progress = [&](std::string_view scenario, double overlap, std::uint32_t round) {
    progress.show(scenario, overlap, round);
  };
  std::vector<harness::scenario_result> results;
  for (const auto* scenario : chosen.scenarios) {
    if (chosen.run.stopped()) break;
    results.push_back(scenario->run(chosen.run, chosen.store));
  }
  progress.clear();
  std::fputs(harness::report_table(results).c_str(), stdout);
  int status = status_of(results);
  if (status == interrupted) std::puts("interrupted: the rounds above were run to their end");
  if (chosen.json_file) {
    const harness::run_facts facts{
        chosen.run, arguments, replay, std::string(canary.name), status == interrupted, status};
    if (!report.write(harness::report_json(facts, results))) {
      complain(report.problem());
      if (status == all_right) status = found_wrong;
    }
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  auto [chosen, error] = parse(arguments);
  if (!error.empty()) {
    std::fprintf(stderr, "ratchet-stress: %s\n", error.c_str());
    return bad_usage;
  }
  switch (chosen.wanted) {
    case command::help:
      std::fputs(usage().c_str(), stdout);
      return all_right;
    case command::version:
      std::printf("ratchet-stress %s\n", harness::library_version().c_str());
      return all_right;
    case command::list:
      print_list();
      return all_right;
    case command::run:
      break;
  }
  try {
    return run(argv[0], arguments, std::move(chosen));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "ratchet-stress: not checked to the end: %s\n", failure.what());
    return found_wrong;
  }
}
