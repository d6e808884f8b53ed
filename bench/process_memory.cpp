#include "process_memory.hpp"

#include <malloc.h>

#include <fstream>
#include <string>

namespace ratchet_bench {
namespace {

std::size_t status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field)) return std::stoull(line.substr(field.size())) * 1024;
  return 0;
}

}  // namespace

std::size_t resident_bytes() { return status_bytes("VmRSS:"); }
std::size_t resident_bytes_peak() { return status_bytes("VmHWM:"); }

bool reset_peak() {
  std::ofstream clear("/proc/self/clear_refs");
  return static_cast<bool>(clear << "5" << std::flush);
}

void give_back_unused() { ::malloc_trim(0); }

}  // namespace ratchet_bench
