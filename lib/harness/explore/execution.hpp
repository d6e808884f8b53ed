// One execution of a program, transition by transition. Which transition comes next is the search's
// business (search.hpp); what it does, and which ones there are, is decided here.
#pragma once

#include <harness/explore/blocks.hpp>
#include <harness/explore/fiber.hpp>
#include <harness/explore/messages.hpp>
#include <harness/explore/spin.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ratchet::inline RATCHET_ABI::explore {

struct stop_point {
  std::size_t thread;
  std::size_t steps;  // how many it makes before it stops
};

struct event {
  static constexpr std::uint8_t unscheduled = 0xff;
  std::uint8_t thread;
  operation op;
  effect did;
};

class execution {
 public:
  execution(const program&, const options&);

  // The execution that the seam's functions belong to; null when none runs.
  static execution* active();

  // Setup, and every thread up to its first shared access.
  void begin(std::optional<stop_point>);
  transition_set enabled() const { return enabled_; }
  footprint footprint_of(transition) const;
  bool barrier_pending() const { return barriers_pending_ != 0; }
  std::size_t threads_count() const { return threads_.size(); }
  // Whether the thread's next step waits for its own buffer, or for those a membarrier waits for.
  bool needs_empty_buffer(std::size_t thread) const;
  bool ends_barrier(std::size_t thread) const {
    return threads_[thread]->next.what == action::barrier_end;
  }
  // How many values the step may return (transition::age).
  unsigned ages(transition);
  void take(transition);
  // The finish check.
  void finish();
  // Lets a stopped thread end, then tears down. After a violation only what is safe.
  void end();

  bool violated() const { return !violation_.empty(); }
  const std::string& message() const { return violation_; }
  const std::vector<transition>& schedule() const { return schedule_; }
  const std::vector<event>& events() const { return events_; }
  block_registry& blocks() { return blocks_; }
  end_actions& at_end() { return at_end_; }
  std::size_t steps(std::size_t thread) const { return threads_[thread]->steps; }
  // Whether the stop point was reached before the thread's end.
  bool stopped() const;
  std::optional<std::size_t> stopped_thread() const;

  // Whether choosing this thread's step next takes the turn from a thread that could go on.
  bool preempts(std::size_t thread) const;
  transition preferred(transition_set) const;

  // The seam's side. Outside the fibers an operation takes effect at once.
  effect perform(operation);
  void membarrier();
  void allocated(const void* at, std::size_t bytes);
  void yield();
  void*& thread_slot() { return current_->slot; }  // in a fiber
  std::uint64_t now_ns();
  bool scheduled() const { return current_ != nullptr; }
  std::optional<std::size_t> current_thread() const;
  moment this_moment() const;  // in a fiber
  const options& chosen() const { return options_; }
  // Records the first violation. A fiber does not return from it.
  void violate(std::string message);
  [[noreturn]] void check_failed(std::string_view message);

 private:
  struct actor {
    execution* owner = nullptr;
    std::size_t index = 0;
    fiber::handle stack = fiber::take();
    operation next{};  // what it does when it is given its next step
    void* slot = nullptr;
    std::size_t steps = 0;
    unsigned age = 0;        // of what its next load returns
    bool held_back = false;  // it waits (spin.hpp)
    bool yielded = false;    // since its last step: to go on with another thread is no pre-emption
    std::uint32_t barrier_waits = 0;  // threads whose buffer its membarrier has not yet seen empty
    spin_watch spin;
  };

  static void run_body(void* argument);
  void unscheduled(const std::function<void()>& part, const char* what);
  void advance(actor&);
  effect execute(actor*, const operation&);
  void drain(std::size_t thread);
  void note_change(const void* at, std::size_t bytes, word16 before);
  void check_access(const actor*, const operation&);
  void check_order(const actor&, const operation&);
  void settle();
  bool wake_changed();
  void wake_all();
  void report_waiting();
  bool is_stopped(const actor&) const;
  bool can_step(const actor&) const;
  void find_enabled();
  void record(std::uint8_t thread, const operation&, const effect&);

  const program& program_;
  const options& options_;
  std::vector<std::unique_ptr<actor>> threads_;
  actor* current_ = nullptr;
  std::optional<std::size_t> last_;  // the thread that made the last step
  std::optional<stop_point> stop_;
  store_buffers buffers_;
  message_memory messages_;
  std::uint32_t barriers_pending_ = 0;  // threads inside membarrier
  block_registry blocks_;
  end_actions at_end_;
  std::vector<transition> schedule_;
  std::vector<event> events_;
  transition_set enabled_ = 0;
  std::uint64_t clock_ = 0;
  std::uint64_t changes_ = 0;  // of memory
  std::uint64_t changes_seen_ = 0;
  std::uint64_t changes_probed_ = 0;
  std::uint64_t changes_when_idle_ = 0;
  unsigned idle_rounds_ = 0;
  static constexpr std::uint64_t unscheduled_steps_max = 1'000'000;
  std::uint64_t unscheduled_steps_ = 0;
  bool in_probe_ = false;
  std::string violation_;
};

}  // namespace ratchet::inline RATCHET_ABI::explore
