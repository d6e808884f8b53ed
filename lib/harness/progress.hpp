// One line on a terminal that says how far a run is.
#pragma once

#include <ratchet/base/config.hpp>

#include <cstdint>
#include <string_view>

namespace ratchet::inline RATCHET_ABI::harness {

// Writes to stderr, and only where that is a terminal. NO_COLOR (no-color.org) drops the colour.
class progress_line {
 public:
  progress_line(bool quiet, std::uint32_t rounds);
  ~progress_line() { clear(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  void show(std::string_view scenario, double overlap, std::uint32_t round);
  void clear();

 private:
  bool shown_;
  bool coloured_;
  bool dirty_ = false;
  std::uint32_t rounds_;
};

}  // namespace ratchet::inline RATCHET_ABI::harness
