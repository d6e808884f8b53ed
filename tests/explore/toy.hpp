// What the tests of the explorer share: programs over three words, and the ways they can end.
#pragma once

#include <harness/explore/explorer.hpp>
#include <ratchet/base/atomic.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace toy {

namespace explore = ratchet::explore;
using ratchet::base::acq_rel;
using ratchet::base::acquire;
using ratchet::base::relaxed;
using ratchet::base::release;
using ratchet::base::seq_cst;
using word = ratchet::base::atomic<std::uint64_t>;
using outcome = std::vector<std::uint64_t>;

// The state of one execution, made anew by every setup. Words are x, y, z; what threads saw is in
// r.
struct words {
  word x, y, z;
  std::uint64_t r[6] = {};
};

inline std::optional<words> now;

inline void begin() {
  now.emplace();
  explore::name(&now->x, sizeof(word), "x");
  explore::name(&now->y, sizeof(word), "y");
  explore::name(&now->z, sizeof(word), "z");
}

using bodies = std::vector<std::function<void()>>;

inline explore::program over_words(bodies threads) {
  explore::program p;
  p.setup = begin;
  p.threads = std::move(threads);
  return p;
}

struct endings {
  std::set<outcome> seen;
  explore::report report;

  bool has(const outcome& o) const { return seen.contains(o); }
};

// All ways to end, as told by `read`.
inline endings ends_of(bodies threads, std::function<outcome()> read,
                       explore::options options = {}) {
  endings found;
  explore::program p = over_words(std::move(threads));
  p.finish = [&] { found.seen.insert(read()); };
  found.report = explore::run(p, options);
  return found;
}

inline outcome registers() { return {now->r, now->r + 6}; }
inline outcome two_registers() { return {now->r[0], now->r[1]}; }

inline explore::options sequential() { return {}; }
inline explore::options buffered() { return {.memory = explore::memory::store_buffers}; }

}  // namespace toy
