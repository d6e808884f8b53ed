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
  std::memory_order order = std::memory_order_seq_cst;
  std::memory_order failure = std::memory_order_seq_cst;  // compare_exchange that writes nothing
};

inline bool same(word16 a, word16 b) { return a.low == b.low && a.high == b.high; }

// What an operation found and did.
struct effect {
  word16 value{};  // what was read; for a compare_exchange what it compared with
  bool wrote = false;
  bool forwarded = false;  // partly or wholly read from the own store buffer
  unsigned age = 0;        // how many writes the value read lies back
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
  unsigned age = 0;  // of the value that a load returns (messages.hpp)

  unsigned index() const { return thread * 2u + (drain ? 1u : 0u); }
  static transition of(unsigned index) {
    return {static_cast<std::uint8_t>(index / 2), index % 2 == 1};
  }
  friend bool operator==(transition, transition) = default;
};

inline constexpr std::size_t threads_max = 32;

// Whether two transitions may not be swapped where they stand side by side.
inline bool disturb(transition a, const footprint& of_a, transition b, const footprint& of_b,
                    bool barrier_pending) {
  if (a.thread != b.thread) return dependent(of_a, of_b);
  if (a.drain == b.drain) return true;
  // A thread's view is the same before and after a drain of its own, and its next store goes to the
  // other end of its buffer. Only a membarrier can tell whether the buffer was empty in between.
  const auto step = (a.drain ? of_b : of_a).what;
  return step == footprint::kind::barrier || (step == footprint::kind::push && barrier_pending);
}

// A set of transitions: bit transition::index().
using transition_set = std::uint64_t;
inline transition_set bit(transition t) { return transition_set{1} << t.index(); }
inline constexpr transition_set steps_only = 0x5555'5555'5555'5555u;  // no drains

}  // namespace ratchet::inline RATCHET_ABI::explore
