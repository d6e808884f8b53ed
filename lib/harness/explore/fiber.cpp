#include <harness/explore/fiber.hpp>

#include <cxxabi.h>
#include <sys/mman.h>

#include <cstring>
#include <new>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define RATCHET_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RATCHET_FIBER_ASAN 1
#endif
#endif
#ifndef RATCHET_FIBER_ASAN
#define RATCHET_FIBER_ASAN 0
#endif

#if RATCHET_FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

// void ratchet_explore_switch(void** save_stack_pointer, void* stack_pointer): the callee-saved
// registers go to the old stack and come from the new one. Floating-point modes are not changed.
asm(R"(
.text
.p2align 4
.type ratchet_explore_switch, @function
ratchet_explore_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size ratchet_explore_switch, .-ratchet_explore_switch
)");
extern "C" void ratchet_explore_switch(void** save_stack_pointer, void* stack_pointer);

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

constexpr std::size_t stack_bytes = std::size_t{512} * 1024;
constexpr std::size_t guard_bytes = 4096;
constexpr std::size_t saved_registers = 6;

fiber* running = nullptr;

// Both outlive every static object; fibers are kept, with their stacks, for the life of the
// process.
std::vector<fiber*>& idle_fibers() {
  static auto* const fibers = new std::vector<fiber*>;
  return *fibers;
}
std::vector<fiber*>& abandoned_fibers() {
  static auto* const fibers = new std::vector<fiber*>;
  return *fibers;
}

std::byte* map_stack() {
  void* const mapped = ::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  ::mprotect(mapped, guard_bytes, PROT_NONE);
  auto* const stack = static_cast<std::byte*>(mapped);
#if RATCHET_FIBER_ASAN
  __lsan_register_root_region(stack + guard_bytes, stack_bytes - guard_bytes);
#endif
  return stack;
}

}  // namespace

fiber::handle fiber::take() {
  auto& idle = idle_fibers();
  if (idle.empty()) return handle(new fiber);
  handle last(idle.back());
  idle.pop_back();
  return last;
}

void fiber::putting_back::operator()(fiber* f) const {
  (f->busy_ ? abandoned_fibers() : idle_fibers()).push_back(f);
}

fiber::fiber() : stack_(map_stack()) {
  // What the first switch to this stack pops: zeroed registers, and enter() to return to.
  void* const return_address = nullptr;
  void (*const first)() = &fiber::enter;
  std::byte* at = stack_ + stack_bytes - sizeof(void*);
  std::memcpy(at, &return_address, sizeof(return_address));
  at -= sizeof(void*);
  std::memcpy(at, &first, sizeof(first));
  stack_pointer_ = at - saved_registers * sizeof(void*);
}

void fiber::start(void (*entry)(void*), void* argument) {
  entry_ = entry;
  argument_ = argument;
  busy_ = true;
}

// Stays inside its loop between two entries, so that AddressSanitizer need not set up frames anew.
void fiber::enter() {
  fiber* const self = running;
#if RATCHET_FIBER_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &self->resumer_stack_, &self->resumer_bytes_);
#endif
  for (;;) {
    self->entry_(self->argument_);
    self->busy_ = false;
    self->suspend();
  }
}

void fiber::swap_exceptions(exception_state& out, const exception_state& in) {
  // libstdc++ and libc++abi agree on this part of the ABI: a pointer, then an unsigned int.
  auto* const globals = reinterpret_cast<std::byte*>(abi::__cxa_get_globals());
  std::memcpy(&out.handled, globals, sizeof(void*));
  std::memcpy(&out.uncaught, globals + sizeof(void*), sizeof(unsigned));
  std::memcpy(globals, &in.handled, sizeof(void*));
  std::memcpy(globals + sizeof(void*), &in.uncaught, sizeof(unsigned));
}

void fiber::resume() {
  running = this;
  exception_state resumers;
  swap_exceptions(resumers, exceptions_);
#if RATCHET_FIBER_ASAN
  __sanitizer_start_switch_fiber(&resumer_frames_, stack_ + guard_bytes, stack_bytes - guard_bytes);
#endif
  ratchet_explore_switch(&resumer_, stack_pointer_);
#if RATCHET_FIBER_ASAN
  __sanitizer_finish_switch_fiber(resumer_frames_, nullptr, nullptr);
#endif
  swap_exceptions(exceptions_, resumers);
  running = nullptr;
}

void fiber::suspend() {
#if RATCHET_FIBER_ASAN
  __sanitizer_start_switch_fiber(&own_frames_, resumer_stack_, resumer_bytes_);
#endif
  ratchet_explore_switch(&stack_pointer_, resumer_);
#if RATCHET_FIBER_ASAN
  __sanitizer_finish_switch_fiber(own_frames_, &resumer_stack_, &resumer_bytes_);
#endif
}

}  // namespace ratchet::inline RATCHET_ABI::explore
