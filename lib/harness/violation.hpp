// What a check found wrong: a name to grep for, and a sentence with keys, versions and callers.
#pragma once

#include <ratchet/base/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ratchet::inline RATCHET_ABI::harness {

struct violation {
  std::string_view name;  // a literal
  std::string message;
};

// All are counted, the first few of each name are kept.
class violations {
 public:
  static constexpr std::ptrdiff_t kept_max = 3;

  void add(std::string_view name, std::string message) {
    ++total_;
    if (keeps(name)) kept_.push_back({name, std::move(message)});
  }
  // One that needs no message because none of its name is kept any more.
  void count() noexcept { ++total_; }
  [[nodiscard]] bool keeps(std::string_view name) const noexcept {
    return std::count_if(kept_.begin(), kept_.end(),
                         [&](const violation& one) { return one.name == name; }) < kept_max;
  }
  void merge(const violations& other) {
    total_ += other.total_;
    for (const violation& one : other.kept_)
      if (keeps(one.name)) kept_.push_back(one);
  }

  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  [[nodiscard]] bool none() const noexcept { return total_ == 0; }
  [[nodiscard]] const std::vector<violation>& kept() const noexcept { return kept_; }
  [[nodiscard]] bool names(std::string_view name) const noexcept {
    for (const violation& one : kept_)
      if (one.name == name) return true;
    return false;
  }

 private:
  std::uint64_t total_ = 0;
  std::vector<violation> kept_;
};

}  // namespace ratchet::inline RATCHET_ABI::harness
