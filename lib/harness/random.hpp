// Choices that one seed fixes, so that a run can be replayed.
#pragma once

#include <ratchet/base/config.hpp>

#include <cstdint>
#include <string_view>

namespace ratchet::inline RATCHET_ABI::harness {

// splitmix64 (Steele, Lea, Flood 2014): one word of state, so that each caller has its own.
class random_source {
 public:
  explicit constexpr random_source(std::uint64_t seed) noexcept : state_(seed) {}

  constexpr std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  // 0 to bound - 1; the bias of the remainder does not matter to a schedule.
  constexpr std::uint64_t below(std::uint64_t bound) noexcept { return next() % bound; }
  constexpr bool chance(double probability) noexcept {
    return static_cast<double>(next() >> 11) * 0x1.0p-53 < probability;
  }

 private:
  std::uint64_t state_;
};

// A seed of its own for each part of a run.
constexpr std::uint64_t derive(std::uint64_t seed, std::uint64_t part) noexcept {
  return random_source(seed ^ (part * 0xd6e8feb86659fd93 + 1)).next();
}
constexpr std::uint64_t derive(std::uint64_t seed, std::string_view part) noexcept {
  for (const char letter : part) seed = derive(seed, static_cast<unsigned char>(letter));
  return seed;
}

}  // namespace ratchet::inline RATCHET_ABI::harness
