// Runs a small concurrent program under every schedule: the driver of the explored build.
//
// A program is run again from scratch for each schedule, in one OS thread, with a fiber per thread.
// The bodies may share memory through the seam only (base/explore.hpp): what they share behind its
// back, a common log for instance, takes no part in the scheduling. A log that needs real-time
// order takes its times from now_ns(): readings of the clock are scheduled like writes to one word.
//
// Setup has to put everything the bodies use back into the same state: a program that does not
// behave the same under the same schedule is reported as a violation.
//
// After a violation the threads are left where they are and are not unwound: what they share should
// live in execution_memory.hpp's memory.
#pragma once

#include <ratchet/base/explore.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ratchet::inline RATCHET_ABI::explore {

enum class memory : std::uint8_t {
  sequential,     // every access takes effect at once
  store_buffers,  // x86: stores weaker than seq_cst wait in a FIFO per thread, drained at any time
  older_values,   // C++: a load may return any older value that its order permits (messages.hpp)
};

// Which schedules are left out as equivalent to an explored one.
enum class reduction : std::uint8_t {
  none,
  sleep_sets,  // those that differ in the order of independent steps; every state is still reached
  races,       // as well those that no race in an explored one leads to: every equivalence class is
               // still run once, but not every state in between is reached
};

struct program {
  // Unscheduled: accesses take effect at once.
  std::function<void()> setup;
  std::vector<std::function<void()>> threads;  // at most 32
  // At the end of each body, scheduled, in its thread.
  std::function<void()> thread_exit;
  // Unscheduled, after every transition. Sees memory, not what is still in buffers.
  std::function<void()> probe;
  // Unscheduled, when every thread ended or was stopped and the buffers are empty.
  std::function<void()> finish;
  // Unscheduled, when every thread ended. Not after a violation.
  std::function<void()> teardown;
};

struct options {
  explore::memory memory = explore::memory::sequential;
  bool asymmetric = true;  // what asymmetric() answers
  // Switches away from a thread that could go on. Yields, ends and drains of buffers are free.
  std::optional<unsigned> preemptions_max = std::nullopt;
  // Under a bound on pre-emptions only the drains of buffers count as reordered, which keeps the
  // count of each schedule; with older values nothing does: no reduction is argued for there.
  reduction reduce = reduction::sleep_sets;
  // Each of these threads in turn also stops for good, after each of its steps; the others must
  // finish.
  std::vector<std::size_t> stoppable = {};
  // Loads of an execution that return an older value than the newest; the others return that.
  unsigned older_loads_max = 2;
  std::size_t buffer_entries_max = 64;  // a store waits while its thread's buffer is this full
  std::size_t steps_max = 20'000;       // in one execution; more is reported as an endless loop
  unsigned idle_rounds_max = 2;         // how often all may go round their loops without any change
  std::uint64_t executions_max = 0;     // 0: no limit
  std::chrono::milliseconds time_limit{0};  // 0: no limit
};

std::string_view describe(memory);

// Random schedules (priorities.hpp). Execution i depends on nothing but the program and seed + i.
struct random_walk {
  std::uint64_t seed = 0;
  std::uint64_t executions = 1000;
  unsigned changes = 3;  // of priorities, in each
};

struct violation {
  std::string message;
  std::string schedule;               // for replay()
  std::optional<std::uint64_t> seed;  // of the one execution of a random walk
  std::string trace;
};

struct report {
  std::uint64_t executions = 0;   // run to their end and checked
  std::uint64_t cut = 0;          // given up as equivalent to a checked one
  std::uint64_t transitions = 0;  // steps of threads and drains of buffers
  std::size_t depth_max = 0;
  std::vector<std::size_t> accesses_max;  // per thread, in one execution
  std::chrono::duration<double> wall{};
  bool complete = false;  // every schedule within the bound was covered
  explore::memory memory = explore::memory::sequential;
  std::optional<unsigned> preemptions_max;
  reduction reduced = reduction::none;
  std::optional<random_walk> random;
  std::size_t stops = 0;  // places at which a thread was stopped for good
  std::optional<explore::violation> violation;
  std::string trace;  // replay() only

  bool ok() const { return complete && !violation; }
  std::string text() const;
};

report run(const program&, const options& = {});

// Of the options: memory, fence mode, older_loads_max and the limits; the first stoppable thread
// stops for good after a random number of its steps. The report is complete when all executions
// ran.
report run_random(const program&, const options&, const random_walk&);

// One execution. The schedule names its memory mode and the stopped thread; all else is as in
// `options`.
report replay(const program&, std::string_view schedule, const options& = {});

// A check, for bodies, probes and finish. A body whose check fails does not return from it.
void require(bool holds, std::string_view message);

// The thread that was stopped for good in this execution; for finish.
std::optional<std::size_t> stopped_thread();

// Whether an execution is going on, scheduled or not; and how its memory behaves.
bool executing();
memory memory_mode();

// The calling fiber's index; none in unscheduled code.
std::optional<std::size_t> this_thread();

// A place between two steps of the calling thread. Of two of them one was before the other: in
// time, or with older values, where there is no time, when it happened before.
struct moment {
  std::size_t thread = 0;
  std::uint64_t step = 0;
  std::vector<std::uint32_t> known;  // older values: steps of each thread that happened before
};
moment this_moment();
bool before(const moment& earlier, const moment& later);

// What the traces call these bytes; until the end of the execution. `what` must outlive the run.
void name(const void* at, std::size_t bytes, const char* what);

// Runs at the end of the execution, after teardown and after a violation too; at once when none
// runs. For memory that must not be used again before every thread has ended.
void at_execution_end(std::function<void()> action);
void quarantine(void* block, std::size_t bytes, void (*give_back)(void* block, std::size_t bytes));

// Blocks of this execution that were allocated() and not released(), and their bytes.
struct block_count {
  std::size_t blocks = 0;
  std::size_t bytes = 0;
};
block_count live_blocks();

}  // namespace ratchet::inline RATCHET_ABI::explore
