// Hazard pointers with asymmetric fences (M. Michael, IEEE TPDS 15(6), 2004; membarrier as in P1202
// and folly). One domain per process, owned by the compiled library.
//
// Claim H (a protected object is not reclaimed). A reader publishes p in a cell, then re-checks
// that p is still linked. A reclaimer unlinks p, then runs its barrier, then reads the cells.
//   Case 1: the reader's store is visible to the reclaimer's read. The reclaimer keeps p.
//   Case 2: it is not. Then the barrier fell before the store became visible, so the reader's
//     re-check came after the barrier, hence after the unlink: it fails and p is not touched.
// Symmetric mode: the publishing exchange, the re-check, the unlinking compare-and-swap and the
//   reclaimer's read are all seq_cst: one order has them all, and one of the cases holds in it.
// Asymmetric mode: the reader's half is a compiler barrier; the reclaimer's membarrier() makes
//   every running thread of the process execute a full fence between the unlink and the read.
// The mode is chosen once, before the first cell is published, and never changes.
// Without the re-check or the barrier: use after free (tests/explore/reclaim_sched.cpp).
#pragma once

#include <ratchet/base/atomic.hpp>
#include <ratchet/base/limits.hpp>

#include <cstddef>
#include <vector>

namespace ratchet::inline RATCHET_ABI::native {

using base::acq_rel;
using base::acquire;
using base::relaxed;
using base::release;
using base::seq_cst;

// What one thread protects: null = free; `reserved_cell` = taken, protects nothing yet; else the
// object.
using hazard_cell = base::atomic<const void*>;

[[nodiscard]] inline const void* reserved_cell() noexcept {
  return reinterpret_cast<const void*>(std::uintptr_t{1});
}

struct hazard_block {
  static constexpr std::size_t cells_count = 4;
  hazard_cell cells[cells_count];
  base::atomic<hazard_block*> next;
};

// One per thread that ever called, reused when its thread has ended, never freed. Owner: the
// thread.
struct alignas(limits::padding_bytes) thread_record {
  static constexpr std::size_t frame_cells = 3;

  // Written by the owner at each operation, read by reclaimers.
  hazard_cell frame[frame_cells];
  hazard_block lent;  // cells of views and of nested operations; more blocks hang on it
  // The owner's alone.
  std::uint32_t depth = 0;  // 32 bits: a frame each on the thread's stack
  bool asymmetric = false;
  bool reclaiming = false;

  std::uint32_t number = 0;  // chooses a stripe by its low bits: two may be equal
  base::atomic<bool> owned;
  thread_record* next_record = nullptr;  // set before the record is linked
};

#if RATCHET_EXPLORE
void forget_threads();
[[nodiscard]] inline thread_record* this_thread_record() {
  return static_cast<thread_record*>(explore::thread_slot());
}
inline void set_this_thread_record(thread_record* mine) { explore::thread_slot() = mine; }
#else
// Initial-exec: one load relative to the thread's base, also from shared objects; constinit: no
// guard.
RATCHET_API extern constinit thread_local thread_record* this_thread
    __attribute__((tls_model("initial-exec")));
[[nodiscard]] inline thread_record* this_thread_record() noexcept { return this_thread; }
inline void set_this_thread_record(thread_record* mine) noexcept { this_thread = mine; }
#endif

// Finds or makes a record for the calling thread. Throws std::bad_alloc.
RATCHET_API thread_record& attach_thread();
// Gives the calling thread's record back. Called when a thread ends.
RATCHET_API void detach_thread() noexcept;

[[nodiscard]] inline thread_record& self() {
  thread_record* mine = this_thread_record();
  return mine != nullptr ? *mine : attach_thread();
}

// A reader's half of claim H. The caller re-checks with a seq_cst load.
inline void publish(const thread_record& mine, hazard_cell& cell,
                    const void* object) noexcept(!RATCHET_EXPLORE) {
  if (mine.asymmetric) {
    // release [hazard]: what was read under this cell's last object, to the reclaimer that frees it
    cell.store(object, release);
    base::compiler_barrier();
  } else {
    // seq_cst [hazard]: before the re-check in the one order of claim H
    cell.exchange(object, seq_cst);
  }
}

inline void clear(hazard_cell& cell) noexcept(!RATCHET_EXPLORE) {
  // release [hazard]: all reads of the object, to the reclaimer that then frees it
  cell.store(nullptr, release);
}

// Lends `count` neighbouring cells of the calling thread. Throws std::bad_alloc.
RATCHET_API hazard_cell* borrow_cells(thread_record& mine, std::size_t count);

// The three hazards of one operation: table, next table, record. Operations nest where user code (a
// hash, an equality) calls a store in turn.
class hazard_frame {
 public:
  explicit hazard_frame(thread_record& mine)
      : mine_(mine),
        cells_(mine.depth == 0 ? mine.frame : borrow_cells(mine, thread_record::frame_cells)) {
    ++mine_.depth;
  }
  hazard_frame(const hazard_frame&) = delete;
  hazard_frame& operator=(const hazard_frame&) = delete;
  ~hazard_frame() noexcept(!RATCHET_EXPLORE) {
    --mine_.depth;
    for (std::size_t i = 0; i < thread_record::frame_cells; ++i) clear(cells_[i]);
  }

  void publish_table(const void* table) { publish(mine_, cells_[0], table); }
  void publish_next(const void* table) { publish(mine_, cells_[1], table); }
  void publish_record(const void* record) { publish(mine_, cells_[2], record); }

 private:
  thread_record& mine_;
  hazard_cell* cells_;
};

// What the process knows about its threads.
struct domain_facts {
  std::uint64_t records;   // thread records made
  std::uint64_t hazards;   // cells, of all of them
  bool asymmetric;         // membarrier in use
  std::uint64_t barriers;  // membarrier calls
  std::uint64_t barriers_failed;
  std::uint32_t cpus;  // CPUs the process may use
};
[[nodiscard]] RATCHET_API domain_facts domain_now() noexcept;

// A reclaimer's half of claim H, run between unlink and read: the addresses protected by any
// thread, sorted. False: nothing may be freed now (the barrier failed, or no memory for the list).
[[nodiscard]] RATCHET_API bool read_hazards(std::vector<const void*>& protected_sorted) noexcept(
    !RATCHET_EXPLORE);

// One reclaimer at a time calls membarrier: it takes a kernel mutex and interrupts every CPU of the
// process.
class RATCHET_API reclaimer_turn {
 public:
  reclaimer_turn() noexcept(!RATCHET_EXPLORE);
  reclaimer_turn(const reclaimer_turn&) = delete;
  reclaimer_turn& operator=(const reclaimer_turn&) = delete;
  ~reclaimer_turn() noexcept(!RATCHET_EXPLORE);
  [[nodiscard]] bool taken() const noexcept { return taken_; }

 private:
  bool taken_;
};

}  // namespace ratchet::inline RATCHET_ABI::native
