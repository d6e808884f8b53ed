// A stack of its own and a switch to and from it, in user space only.
#pragma once

#include <ratchet/base/config.hpp>

#include <cstddef>
#include <memory>

namespace ratchet::inline RATCHET_ABI::explore {

class fiber {
 public:
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  // Used again later if its last entry has returned. If not, it will never run on: what its stack
  // owns stays allocated, and counts as reachable for LeakSanitizer.
  struct putting_back {
    void operator()(fiber*) const;
  };
  using handle = std::unique_ptr<fiber, putting_back>;
  static handle take();

  // The next resume() calls entry(argument), which must not throw. The entry before has returned.
  void start(void (*entry)(void*), void* argument);
  // Runs the fiber until it suspends or its entry returns. Called outside all fibers.
  void resume();
  // Called by the running fiber: back to the resume() that runs it.
  void suspend();

  bool ended() const { return !busy_; }

 private:
  // The exceptions being thrown and handled are kept per OS thread: each fiber needs its own.
  struct exception_state {
    void* handled = nullptr;
    unsigned uncaught = 0;
  };

  fiber();
  static void enter();
  static void swap_exceptions(exception_state& out, const exception_state& in);

  std::byte* stack_;
  void* stack_pointer_;
  void* resumer_ = nullptr;
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
  exception_state exceptions_;
  bool busy_ = false;

  // For AddressSanitizer, which has to know which stack it is on.
  [[maybe_unused]] void* own_frames_ = nullptr;
  [[maybe_unused]] void* resumer_frames_ = nullptr;
  [[maybe_unused]] const void* resumer_stack_ = nullptr;
  [[maybe_unused]] std::size_t resumer_bytes_ = 0;
};

}  // namespace ratchet::inline RATCHET_ABI::explore
