#include "options.hpp"

#include <charconv>
#include <limits>
#include <random>
#include <sstream>

namespace ratchet_stress {
namespace {

namespace harness = ratchet::harness;

constexpr std::uint32_t callers_max = 100'000;
constexpr std::uint32_t number_max = 1'000'000'000;

std::string refused(const std::string& option, const std::string& found,
                    const std::string& accepted) {
  return option + " is " + (found.empty() ? "empty" : "'" + found + "'") +
         ", accepted: " + accepted;
}

template <class T>
bool read_number(const std::string& text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string take_count(const std::string& option, const std::string& text, std::uint32_t max,
                       std::uint32_t& value) {
  std::uint64_t wide = 0;
  if (!read_number(text, wide) || wide < 1 || wide > max)
    return refused(option, text, "a whole number from 1 to " + std::to_string(max));
  value = static_cast<std::uint32_t>(wide);
  return {};
}

std::string take_overlap(const std::string& text, double& value) {
  double wide = -1;
  if (!read_number(text, wide) || !(wide >= 0 && wide <= 1))
    return refused("--overlap", text, "a number from 0 to 1");
  value = wide;
  return {};
}

std::string take_store(const std::string& text, harness::store_kind& value) {
  if (text == "mutex") {
    value = harness::store_kind::mutex;
  } else if (text == "native" && harness::has_native_store) {
    value = harness::store_kind::native;
  } else {
    return refused("--store", text,
                   harness::has_native_store ? "native, mutex" : "mutex (native is not built in)");
  }
  return {};
}

std::string known_names() {
  std::string names;
  for (const auto& one : harness::all_scenarios())
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

std::string take_canary(const std::string& text, options& made) {
  made.canary = harness::find_scenario(text);
  return made.canary != nullptr ? "" : refused("--canary", text, known_names());
}

// An option that takes a value.
std::string take(const std::string& option, const std::string& text, options& made) {
  if (option == "--callers") return take_count(option, text, callers_max, made.run.callers);
  if (option == "--limit") return take_count(option, text, number_max, made.run.limit);
  if (option == "--rounds") return take_count(option, text, number_max, made.run.rounds);
  if (option == "--threads") return take_count(option, text, callers_max, made.run.threads);
  if (option == "--overlap") return take_overlap(text, made.run.overlap);
  if (option == "--store") return take_store(text, made.store);
  if (option == "--canary") return take_canary(text, made);
  if (option == "--seed") {
    if (!read_number(text, made.run.seed))
      return refused(option, text, "a whole number from 0 to 18446744073709551615");
    return {};
  }
  if (text.empty()) return refused(option, text, "the name of a file to write");
  made.json_file = text;
  return {};
}

bool takes_value(const std::string& option) {
  for (const char* one : {"--callers", "--limit", "--rounds", "--threads", "--overlap", "--store",
                          "--canary", "--seed", "--json"})
    if (option == one) return true;
  return false;
}

bool take_flag(const std::string& option, options& made) {
  if (option == "--no-record")
    made.run.records = false;
  else if (option == "--quiet")
    made.quiet = true;
  else if (option == "--help" || option == "-h")
    made.wanted = command::help;
  else if (option == "--version")
    made.wanted = command::version;
  else
    return false;
  return true;
}

std::string take_scenario(const std::string& name, options& made) {
  const auto* found = harness::find_scenario(name);
  if (found == nullptr) return refused("scenario", name, known_names());
  made.scenarios.push_back(found);
  return {};
}

std::string take_command(const std::string& word, options& made) {
  if (word == "run")
    made.wanted = command::run;
  else if (word == "list")
    made.wanted = command::list;
  else
    return refused("command", word, "run, list");
  return {};
}

}  // namespace

parsed parse(const std::vector<std::string>& arguments) {
  parsed made;
  made.value.run.seed = std::uint64_t{std::random_device()()} << 32 | std::random_device()();
  bool command_known = false;
  for (std::size_t i = 0; i < arguments.size() && made.error.empty(); ++i) {
    const std::string& word = arguments[i];
    if (!word.starts_with("-")) {
      made.error = !command_known                      ? take_command(word, made.value)
                   : made.value.wanted == command::run ? take_scenario(word, made.value)
                                                       : refused("list", word, "no arguments");
      command_known = true;
      continue;
    }
    const auto equals = word.find('=');
    const std::string option = word.substr(0, equals);
    if (takes_value(option)) {
      if (equals == std::string::npos && i + 1 == arguments.size())
        made.error = option + " has no value; see --help";
      else
        made.error =
            take(option, equals != std::string::npos ? word.substr(equals + 1) : arguments[++i],
                 made.value);
    } else if (equals != std::string::npos || !take_flag(option, made.value)) {
      made.error = "option '" + word + "' is not known; see --help";
    } else if (made.value.wanted == command::help || made.value.wanted == command::version) {
      if (option != "--no-record" && option != "--quiet") return made;
    }
  }
  if (made.error.empty() && !command_known) made.error = "no command given, accepted: run, list";
  if (made.value.scenarios.empty())
    for (const auto& one : harness::all_scenarios())
      if (one.by_default) made.value.scenarios.push_back(&one);
  return made;
}

std::string usage() {
  return "ratchet-stress: many callers on one key, every operation recorded and checked\n"
         "\n"
         "  ratchet-stress list                 the scenarios and the broken twins\n"
         "  ratchet-stress run [scenario...]    counter, rate-limiter and wallet by default\n"
         "\n"
         "  --callers N      callers that start together (1000)\n"
         "  --limit N        what the limiter grants (100), what the wallet holds (400)\n"
         "  --rounds N       rounds of each scenario (20)\n"
         "  --threads N      run the callers as tasks on N threads (one thread a caller)\n"
         "  --overlap P      0 to 1: how often a caller is held up between its read and its\n"
         "                   conditional write, so that callers meet (0.5)\n"
         "  --store S        native or mutex (" +
         std::string(harness::has_native_store ? "native" : "mutex; native is not built in") +
         ")\n"
         "  --seed N         of all choices (random; printed with the command that replays them)\n"
         "  --json FILE      also write the result there, at the end (until then: FILE.part)\n"
         "  --no-record      no history: counts are still checked\n"
         "  --canary NAME    the twin that must be found broken before anything is run\n"
         "  --quiet          no progress\n"
         "  --version, --help\n"
         "\n"
         "Each scenario is run twice, the second time without overlap made. With 100 callers or\n"
         "more a run in which they did not meet is void.\n"
         "\n"
         "Exit status: 0 all right; 1 a violation, or a run that could not be checked; 2 bad\n"
         "usage; 3 a void run; 130 interrupted.\n";
}

std::string replay_command(const std::string& program, const options& chosen) {
  std::ostringstream text;
  text << program << " run";
  for (const auto* scenario : chosen.scenarios) text << ' ' << scenario->name;
  text << " --store " << (chosen.store == harness::store_kind::native ? "native" : "mutex")
       << " --callers " << chosen.run.callers << " --rounds " << chosen.run.rounds;
  if (chosen.run.limit != 0) text << " --limit " << chosen.run.limit;
  if (chosen.run.threads != 0) text << " --threads " << chosen.run.threads;
  text << " --overlap " << chosen.run.overlap;
  if (!chosen.run.records) text << " --no-record";
  if (chosen.canary != nullptr) text << " --canary " << chosen.canary->name;
  text << " --seed " << chosen.run.seed;
  return text.str();
}

}  // namespace ratchet_stress
