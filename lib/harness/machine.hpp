// Where and from what a result was made.
#pragma once

#include <ratchet/base/config.hpp>

#include <string>

namespace ratchet::inline RATCHET_ABI::harness {

struct machine {
  std::string cpu;
  unsigned cores_online = 0;
  unsigned cores_allowed = 0;  // by this process's affinity mask
  std::string kernel;
  std::string compiler;
  std::string flags;
  std::string commit;  // empty: not built in a checkout
};

machine this_machine();
std::string library_version();

}  // namespace ratchet::inline RATCHET_ABI::harness
