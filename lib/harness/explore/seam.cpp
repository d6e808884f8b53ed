// The functions of base/explore.hpp. Without an execution they act on memory at once.
#include <harness/explore/execution.hpp>

#include <stdexcept>

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

effect perform(const operation& op) {
  if (execution* const running = execution::active()) return running->perform(op);
  if (op.what == action::load) return {peek(op.at, op.bytes)};
  return apply(op);
}

action action_of(rmw what) {
  switch (what) {
    case rmw::add:
      return action::add;
    case rmw::subtract:
      return action::subtract;
    case rmw::bit_or:
      return action::bit_or;
    case rmw::exchange:
      break;
  }
  return action::exchange;
}

void* main_slot = nullptr;

}  // namespace

std::uint64_t load(const void* at, std::size_t bytes, std::memory_order order) {
  return perform({action::load, at, bytes, {}, {}, order}).value.low;
}

void store(void* at, std::size_t bytes, std::uint64_t value, std::memory_order order) {
  // x86: only a seq_cst store is a locked instruction.
  const action what = order == std::memory_order_seq_cst ? action::store : action::buffered_store;
  perform({what, at, bytes, {value, 0}, {}, order});
}

std::uint64_t read_modify_write(void* at, std::size_t bytes, rmw what, std::uint64_t operand,
                                std::memory_order order) {
  return perform({action_of(what), at, bytes, {operand, 0}, {}, order}).value.low;
}

bool compare_exchange(void* at, std::size_t bytes, std::uint64_t& expected, std::uint64_t desired,
                      std::memory_order success, std::memory_order failure) {
  const effect did =
      perform({action::compare_exchange, at, bytes, {desired, 0}, {expected, 0}, success, failure});
  if (!did.wrote) expected = did.value.low;
  return did.wrote;
}

word16 load16(const void* at, std::memory_order order) {
  return perform({action::load, at, sizeof(word16), {}, {}, order}).value;
}

bool compare_exchange16(void* at, word16& expected, word16 desired, std::memory_order success,
                        std::memory_order failure) {
  const effect did =
      perform({action::compare_exchange, at, sizeof(word16), desired, expected, success, failure});
  if (!did.wrote) expected = did.value;
  return did.wrote;
}

void allocated(const void* block, std::size_t bytes) {
  if (execution* const running = execution::active()) running->allocated(block, bytes);
}

void released(const void* block, std::size_t bytes) {
  if (execution* const running = execution::active())
    running->perform({action::release, block, bytes, {}, {}});
}

void touched(const void* at, std::size_t bytes) {
  if (execution* const running = execution::active())
    running->perform({action::touch, at, bytes, {}, {}});
}

void yield() {
  if (execution* const running = execution::active()) running->yield();
}

void membarrier() {
  if (execution* const running = execution::active()) running->membarrier();
}

bool asymmetric() {
  const execution* const running = execution::active();
  return running == nullptr || running->chosen().asymmetric;
}

std::uint64_t now_ns() {
  static std::uint64_t unscheduled_clock = 0;
  execution* const running = execution::active();
  return running != nullptr ? running->now_ns() : ++unscheduled_clock;
}

void*& thread_slot() {
  execution* const running = execution::active();
  return running != nullptr && running->scheduled() ? running->thread_slot() : main_slot;
}

void require(bool holds, std::string_view message) {
  if (holds) return;
  if (execution* const running = execution::active()) running->check_failed(message);
  throw std::logic_error(std::string(message));
}

std::optional<std::size_t> stopped_thread() {
  const execution* const running = execution::active();
  return running != nullptr ? running->stopped_thread() : std::nullopt;
}

bool executing() { return execution::active() != nullptr; }

memory memory_mode() { return execution::active()->chosen().memory; }

std::optional<std::size_t> this_thread() {
  const execution* const running = execution::active();
  return running != nullptr ? running->current_thread() : std::nullopt;
}

moment this_moment() { return execution::active()->this_moment(); }

bool before(const moment& earlier, const moment& later) {
  if (later.known.empty()) return earlier.step <= later.step;
  return earlier.thread < later.known.size() && earlier.step <= later.known[earlier.thread];
}

void name(const void* at, std::size_t bytes, const char* what) {
  if (execution* const running = execution::active()) running->blocks().name(at, bytes, what);
}

void at_execution_end(std::function<void()> action) {
  if (execution* const running = execution::active())
    running->at_end().add(std::move(action));
  else
    action();
}

void quarantine(void* block, std::size_t bytes, void (*give_back)(void*, std::size_t)) {
  if (execution* const running = execution::active())
    running->at_end().add(block, bytes, give_back);
  else
    give_back(block, bytes);
}

block_count live_blocks() {
  execution* const running = execution::active();
  return running != nullptr ? running->blocks().live() : block_count{};
}

}  // namespace ratchet::inline RATCHET_ABI::explore
