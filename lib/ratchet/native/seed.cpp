#include <ratchet/native/seed.hpp>

#include <sys/random.h>

#include <chrono>

namespace ratchet::inline RATCHET_ABI::native {

std::uint64_t random_seed() noexcept {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, GRND_NONBLOCK) == sizeof seed) return seed;
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) ^
         reinterpret_cast<std::uint64_t>(&seed);
}

}  // namespace ratchet::inline RATCHET_ABI::native
