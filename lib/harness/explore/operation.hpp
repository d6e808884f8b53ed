// What a thread is about to do, and which two steps may not be swapped.
#pragma once

#include <ratchet/base/explore.hpp>

#include <cstddef>
#include <cstdint>

namespace ratchet::inline RATCHET_ABI::explore {

enum class action : std::uint8_t {
  none,
  load,
  store,           // to memory, at once
  buffered_store,  // into the thread's own buffer
  drain,           // the oldest entry of a thread's buffer reaches memory
  exchange,
  add,
  subtract,
  bit_or,
  compare_exchange,
  touch,    // an access that is not atomic
  release,  // of a block
  clock,
  barrier_begin,  // of a membarrier
  barrier_end,
  allocate,  // the last two are in traces only: they are no steps of their own
  yield,
};

struct operation {
  action what = action::none;
  const void* at = nullptr;
  std::size_t bytes = 0;
  word16 operand{};   // what is written
  word16 expected{};  // compare_exchange
};

// What an operation found and did.
struct effect {
  word16 value{};  // what was read; for a compare_exchange what it compared with
  bool wrote = false;
  bool forwarded = false;  // partly or wholly read from the own store buffer
};

// What one transition reads or writes, as far as other threads can tell.
struct footprint {
  enum class kind : std::uint8_t {
    none,
    read,
    write,
    drain,  // a write that also shortens a buffer
    push,   // into the own buffer: only a release of the target and barriers can tell
    touch,  // only a release can tell
    release,
    barrier,  // looks at which buffers are empty
  };
  kind what = kind::none;
  std::uintptr_t at = 0;
  std::size_t bytes = 0;
};

inline bool overlap(const footprint& a, const footprint& b) {
  return a.at < b.at + b.bytes && b.at < a.at + a.bytes;
}

// Whether two transitions of different threads may lead elsewhere, or stop each other, when
// swapped.
inline bool dependent(const footprint& a, const footprint& b) {
  using kind = footprint::kind;
  const auto either = [&](kind what) { return a.what == what || b.what == what; };
  if (either(kind::none)) return false;
  if (either(kind::barrier)) return either(kind::push) || either(kind::drain);
  if (!overlap(a, b)) return false;
  if (either(kind::release)) return true;
  if (either(kind::touch) || either(kind::push)) return false;
  return either(kind::write) || either(kind::drain);
}

// One step of a thread, or one drain of its buffer.
struct transition {
  std::uint8_t thread = 0;
  bool drain = false;

  unsigned index() const { return thread * 2u + (drain ? 1u : 0u); }
  static transition of(unsigned index) {
    return {static_cast<std::uint8_t>(index / 2), index % 2 == 1};
  }
  friend bool operator==(transition, transition) = default;
};

inline constexpr std::size_t threads_max = 32;

// A set of transitions: bit transition::index().
using transition_set = std::uint64_t;
inline transition_set bit(transition t) { return transition_set{1} << t.index(); }

}  // namespace ratchet::inline RATCHET_ABI::explore
