#include <ratchet/base/cpu.hpp>
#include <ratchet/native/hazard.hpp>

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace ratchet::inline RATCHET_ABI::native {
namespace {

enum class fence_mode : std::uint8_t { undecided, symmetric, asymmetric };

// Constant-initialised and trivially destroyed: usable before main and after it.
struct domain {
  base::atomic<thread_record*> newest;
  base::atomic<std::uint32_t> records;
  base::atomic<std::uint64_t> blocks;  // hazard blocks beyond each record's own
  base::atomic<fence_mode> mode;
  base::atomic<bool> reclaimer;
  base::atomic<std::uint64_t> barriers;
  base::atomic<std::uint64_t> barriers_failed;
  base::atomic<std::uint32_t> cpus;
};
constinit domain process;

#if RATCHET_EXPLORE

fence_mode decide_mode() {
  return explore::asymmetric() ? fence_mode::asymmetric : fence_mode::symmetric;
}
bool heavy_barrier(bool asymmetric) {
  if (asymmetric) explore::membarrier();
  return true;
}
void detach_at_thread_end() {}

#else

long membarrier(int command) noexcept { return ::syscall(SYS_membarrier, command, 0, 0); }

bool register_membarrier() noexcept {
  const long supported = membarrier(MEMBARRIER_CMD_QUERY);
  return supported > 0 && (supported & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0 &&
         membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
}

fence_mode probe_mode() noexcept {
#if RATCHET_TSAN
  return fence_mode::symmetric;  // the race detector does not know membarrier
#else
  // For containers that kill a process for asking: RATCHET_FENCE=symmetric asks nothing.
  const char* wanted = std::getenv("RATCHET_FENCE");
  if (wanted != nullptr && std::strcmp(wanted, "symmetric") == 0) return fence_mode::symmetric;
  return register_membarrier() ? fence_mode::asymmetric : fence_mode::symmetric;
#endif
}

fence_mode decide_mode() noexcept {
  // acquire [mode]: the registration that went with the decision, from whoever decided
  fence_mode now = process.mode.load(acquire);
  if (now != fence_mode::undecided) return now;
  const fence_mode found = probe_mode();
  // acq_rel [mode]: the first decision stands for the whole process, acquire for a loser, who takes
  // it over: a reader that took the other mode would be unprotected
  return process.mode.compare_exchange(now, found, acq_rel, acquire) ? found : now;
}

bool heavy_barrier(bool asymmetric) noexcept {
  // relaxed: counters for stats
  if (!asymmetric) return true;
  process.barriers.fetch_add(1, relaxed);
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0) return true;
  // A forked child of a kernel that forgot the registration: register again, then try once more.
  if (errno == EPERM && register_membarrier() && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0)
    return true;
  process.barriers_failed.fetch_add(1, relaxed);  // relaxed: a counter
  return false;
}

// A pthread key, since its destructors run after all C++ thread-local ones, which may still use a
// store.
void detach_at_thread_end() {
  struct key {
    pthread_key_t number;
    key() {
      if (::pthread_key_create(&number, [](void*) { detach_thread(); }) != 0)
        throw std::bad_alloc();
    }
  };
  static const key made;
  if (::pthread_setspecific(made.number, this_thread) != 0) throw std::bad_alloc();
}

// The mode is decided when the library is loaded: with one thread registering takes microseconds,
// with more it waits for all CPUs, milliseconds.
[[gnu::constructor(102)]] void decide_at_load() noexcept { (void)decide_mode(); }

#endif

std::uint32_t count_cpus() noexcept {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&allowed)));
  return static_cast<std::uint32_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

thread_record* reuse_record() {
  // acquire [record-list]: a record's fields, from the thread that linked it
  for (auto* record = process.newest.load(acquire); record != nullptr;
       record = record->next_record) {
    bool owned = record->owned.load(relaxed);  // relaxed: only a hint, the exchange below decides
    // acquire [record-owner]: the last owner's cells and fields, as it left them
    if (!owned && !record->owned.exchange(true, acquire)) return record;
  }
  return nullptr;
}

thread_record* make_record() {
  auto* record = new thread_record;
  record->owned.store(true, relaxed);  // relaxed: linked by the release below
  // relaxed: a number nobody else has, nothing travels with it
  record->number = process.records.fetch_add(1, relaxed);
  record->next_record = process.newest.load(relaxed);  // relaxed: the compare-exchange checks it
  // seq_cst [record-list]: before this thread's first re-check in the one order of claim H;
  // releases the record's fields. relaxed for a loser, who reads only the pointer it compares with
  while (!process.newest.compare_exchange(record->next_record, record, seq_cst, relaxed)) {
  }
  return record;
}

}  // namespace

#if RATCHET_EXPLORE
// Every execution starts in the same process.
void forget_threads() {
  auto* record = process.newest.load(relaxed);  // relaxed, here and below: nobody runs meanwhile
  while (record != nullptr) {
    auto* block = record->lent.next.load(relaxed);  // relaxed: as above
    while (block != nullptr) {
      auto* next = block->next.load(relaxed);  // relaxed: as above
      delete std::exchange(block, next);
    }
    delete std::exchange(record, record->next_record);
  }
  process.newest.store(nullptr, relaxed);              // relaxed: as above
  process.records.store(0, relaxed);                   // relaxed: as above
  process.blocks.store(0, relaxed);                    // relaxed: as above
  process.mode.store(fence_mode::undecided, relaxed);  // relaxed: as above
  process.reclaimer.store(false, relaxed);             // relaxed: as above
}
#else
constinit thread_local thread_record* this_thread = nullptr;
#endif

thread_record& attach_thread() {
  base::require_cmpxchg16b();
  const fence_mode mode = decide_mode();
  thread_record* record = reuse_record();
  if (record == nullptr) record = make_record();
  record->asymmetric = mode == fence_mode::asymmetric;
  set_this_thread_record(record);
  detach_at_thread_end();
  return *record;
}

void detach_thread() noexcept {
  thread_record* mine = this_thread_record();
  set_this_thread_record(nullptr);
  // release [record-owner]: cells and fields as they are, to the next owner
  if (mine != nullptr) mine->owned.store(false, release);
}

hazard_cell* borrow_cells(thread_record& mine, std::size_t count) {
  hazard_block* block = &mine.lent;
  for (;;) {
    for (std::size_t first = 0; first + count <= hazard_block::cells_count; ++first) {
      std::size_t free_cells = 0;
      // acquire [hazard]: a view may have been let go on another thread; its reads are over
      while (free_cells < count && block->cells[first + free_cells].load(acquire) == nullptr)
        ++free_cells;
      if (free_cells < count) continue;
      // release [hazard]: what was read under this cell's last object, to a reclaimer that sees
      // only this store; it protects nothing yet
      for (std::size_t i = 0; i < count; ++i)
        block->cells[first + i].store(reserved_cell(), release);
      return &block->cells[first];
    }
    hazard_block* next = block->next.load(relaxed);  // relaxed: only the owner links blocks
    if (next == nullptr) {
      next = new hazard_block;
      process.blocks.fetch_add(1, relaxed);  // relaxed: a count
      // seq_cst [hazard-block]: before this thread's re-check in the one order of claim H; releases
      // the block
      block->next.store(next, seq_cst);
    }
    block = next;
  }
}

domain_facts domain_now() noexcept {
  // relaxed: numbers for people and for sizing, nothing is read through them
  std::uint32_t cpus = process.cpus.load(relaxed);
  if (cpus == 0) process.cpus.store(cpus = RATCHET_EXPLORE ? 1 : count_cpus(), relaxed);
  const std::uint32_t records = process.records.load(relaxed);
  const std::uint64_t own = thread_record::frame_cells + hazard_block::cells_count;
  const std::uint64_t lent = process.blocks.load(relaxed) * hazard_block::cells_count;
  return {records,
          records * own + lent,
          process.mode.load(relaxed) == fence_mode::asymmetric,
          process.barriers.load(relaxed),
          process.barriers_failed.load(relaxed),
          cpus};
}

bool read_hazards(std::vector<const void*>& protected_sorted) noexcept(!RATCHET_EXPLORE) {
  if (!heavy_barrier(decide_mode() == fence_mode::asymmetric)) return false;
  const auto note = [&](const hazard_cell& cell) {
    // seq_cst [hazard]: after the unlink in the one order of claim H; also acquires the last
    // reader's reads
    const void* object = cell.load(seq_cst);
    if (object != nullptr && object != reserved_cell()) protected_sorted.push_back(object);
  };
  try {
    protected_sorted.clear();
    // seq_cst [record-list]: a thread that attached before our barrier is seen, or its re-checks
    // come after
    for (auto* record = process.newest.load(seq_cst); record != nullptr;
         record = record->next_record) {
      for (const auto& cell : record->frame) note(cell);
      // seq_cst [hazard-block]: after the unlink in the one order of claim H; acquires the block
      for (const auto* block = &record->lent; block != nullptr; block = block->next.load(seq_cst))
        for (const auto& cell : block->cells) note(cell);
    }
    std::sort(protected_sorted.begin(), protected_sorted.end());
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

reclaimer_turn::reclaimer_turn() noexcept(!RATCHET_EXPLORE)
    // acquire [turn]: pairs with the end of the last turn; relaxed look first, to leave the line
    // alone
    : taken_(!process.reclaimer.load(relaxed) && !process.reclaimer.exchange(true, acquire)) {}

reclaimer_turn::~reclaimer_turn() noexcept(!RATCHET_EXPLORE) {
  if (taken_) process.reclaimer.store(false, release);  // release [turn]: to the next reclaimer
}

}  // namespace ratchet::inline RATCHET_ABI::native
