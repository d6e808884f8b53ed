// The command line of ratchet-stress.
#pragma once

#include <harness/scenarios.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ratchet_stress {

enum class command { run, list, help, version };

struct options {
  command wanted = command::help;
  ratchet::harness::settings run;
  std::vector<const ratchet::harness::scenario_entry*> scenarios;
  ratchet::harness::store_kind store = ratchet::harness::store_default;
  const ratchet::harness::scenario_entry* canary = nullptr;  // null: chosen by what is recorded
  std::optional<std::string> json_file;
  bool quiet = false;
};

struct parsed {
  options value;
  std::string error;  // not empty: what was found where, and what would be accepted
};

parsed parse(const std::vector<std::string>& arguments);

std::string usage();

// The command line that makes the same choices again, whatever was left to chance or default.
std::string replay_command(const std::string& program, const options&);

}  // namespace ratchet_stress
