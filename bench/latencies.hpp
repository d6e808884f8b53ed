// How long single operations took: a histogram of time stamp counter ticks, exact to 2 %.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace ratchet_bench {

class latencies {
 public:
  void add(std::uint64_t ticks) {
    ++counts_[place_of(ticks)];
    longest_ = std::max(longest_, ticks);
  }
  latencies& operator+=(const latencies& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    longest_ = std::max(longest_, other.longest_);
    return *this;
  }
  // What `share` of all operations did not exceed, but for the width of a place.
  [[nodiscard]] std::uint64_t at(double share) const {
    std::uint64_t all = 0;
    for (const std::uint64_t count : counts_) all += count;
    auto left = static_cast<std::uint64_t>(share * static_cast<double>(all));
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] > left) return std::min(top_of(i), longest_);
      left -= counts_[i];
    }
    return longest_;
  }
  [[nodiscard]] std::uint64_t longest() const noexcept { return longest_; }

 private:
  // 64 places for each doubling.
  static constexpr std::size_t bits = 6;

  static std::size_t place_of(std::uint64_t ticks) noexcept {
    const auto width = static_cast<std::size_t>(std::bit_width(ticks));
    const std::size_t shift = width > bits + 1 ? width - bits - 1 : 0;
    return (shift << bits) + static_cast<std::size_t>(ticks >> shift);
  }
  static std::uint64_t top_of(std::size_t place) noexcept {
    const std::size_t half = std::size_t{1} << bits;
    if (place < 2 * half) return place;
    const std::size_t shift = (place >> bits) - 1;
    return ((place - (shift << bits) + 1) << shift) - 1;
  }

  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(std::size_t{66} << bits);
  std::uint64_t longest_ = 0;
};

}  // namespace ratchet_bench
