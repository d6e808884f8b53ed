#include <harness/progress.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

bool set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

progress_line::progress_line(bool quiet, std::uint32_t rounds)
    : shown_(!quiet && isatty(STDERR_FILENO) == 1), coloured_(!set("NO_COLOR")), rounds_(rounds) {}

void progress_line::show(std::string_view scenario, double overlap, std::uint32_t round) {
  if (!shown_) return;
  dirty_ = true;
  std::fprintf(stderr, "\r\033[K%s%.*s%s overlap %.2f round %u of %u", coloured_ ? "\033[36m" : "",
               static_cast<int>(scenario.size()), scenario.data(), coloured_ ? "\033[0m" : "",
               overlap, round + 1, rounds_);
  std::fflush(stderr);
}

void progress_line::clear() {
  if (dirty_) std::fputs("\r\033[K", stderr);
  dirty_ = false;
}

}  // namespace ratchet::inline RATCHET_ABI::harness
