#include <harness/machine.hpp>

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#ifndef RATCHET_BUILD_COMMIT
#define RATCHET_BUILD_COMMIT ""
#endif
#ifndef RATCHET_BUILD_FLAGS
#define RATCHET_BUILD_FLAGS ""
#endif

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(": ");
    return colon == std::string::npos ? line : line.substr(colon + 2);
  }
  return "unknown";
}

unsigned cores_allowed() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  return sched_getaffinity(0, sizeof mask, &mask) == 0 ? static_cast<unsigned>(CPU_COUNT(&mask))
                                                       : 0;
}

}  // namespace

machine this_machine() {
  machine here;
  here.cpu = cpu_model();
  here.cores_online = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
  here.cores_allowed = cores_allowed();
  utsname system{};
  if (uname(&system) == 0) here.kernel = std::string(system.sysname) + " " + system.release;
#if defined(__clang__)
  here.compiler = "clang " __clang_version__;
#else
  here.compiler = "gcc " __VERSION__;
#endif
  here.flags = RATCHET_BUILD_FLAGS;
  here.commit = RATCHET_BUILD_COMMIT;
  return here;
}

std::string library_version() {
  return std::to_string(RATCHET_VERSION_MAJOR) + "." + std::to_string(RATCHET_VERSION_MINOR) + "." +
         std::to_string(RATCHET_VERSION_PATCH);
}

}  // namespace ratchet::inline RATCHET_ABI::harness
