// Results for people and for programs.
#pragma once

#include <harness/machine.hpp>
#include <harness/run_result.hpp>
#include <harness/settings.hpp>

#include <string>
#include <vector>

namespace ratchet::inline RATCHET_ABI::harness {

std::string_view name_of(verdict) noexcept;

// One line a pass, and below the violations and reasons.
std::string report_table(const std::vector<scenario_result>&);

struct run_facts {
  settings wanted;
  std::vector<std::string> arguments;
  std::string replay;  // the command that runs the same choices again
  std::string canary;  // the twin the harness proved its sight with
  bool interrupted = false;
  int exit_status = 0;
};

// Schema 1: a change that breaks readers counts it up.
std::string report_json(const run_facts&, const std::vector<scenario_result>&);

}  // namespace ratchet::inline RATCHET_ABI::harness
