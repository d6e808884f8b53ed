// Recognises a thread that waits: one that yields again and again and finds the same each time.
//
// A thread is held back only after two rounds from yield to yield that did and saw exactly the
// same, and only as long as what it read stays as it is: another round would be one more of the
// same. Unlike "no turn until somebody else has written" this lets a caller that lost a
// compare-exchange and yields go on at once. What is lost: a loop that counts its idle rounds gives
// up only when all others wait or have ended (options::idle_rounds_max), not while they still work.
#pragma once

#include <harness/explore/buffers.hpp>

#include <cstdint>
#include <vector>

namespace ratchet::inline RATCHET_ABI::explore {

class spin_watch {
 public:
  void reset();
  void note(const operation&, const effect&);

  // The thread yields. True when it may be held back while stays_same().
  bool yield();
  bool stays_same(const store_buffers&, std::size_t thread) const;

 private:
  struct read {
    const void* at;
    std::size_t bytes;
    word16 value;
  };
  static constexpr std::size_t reads_max = 256;            // a longer round is never held back
  static constexpr unsigned yields_without_access = 1000;  // a back-off may yield often in a row

  std::vector<read> reads_;    // of the round that began with the last yield
  std::vector<read> watched_;  // of the round that ended with it
  std::uint64_t round_ = 0;
  std::uint64_t round_before_ = 0;
  std::size_t operations_ = 0;
  std::size_t operations_before_ = 0;
  unsigned empty_yields_ = 0;
};

}  // namespace ratchet::inline RATCHET_ABI::explore
