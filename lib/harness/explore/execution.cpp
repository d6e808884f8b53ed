#include <harness/explore/execution.hpp>

#include <stdexcept>

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

execution* active_execution = nullptr;

// Thrown by a check that fails in unscheduled code; a fiber is abandoned instead.
struct failed_check {};

std::string text(std::size_t n) { return std::to_string(n); }

}  // namespace

execution* execution::active() { return active_execution; }

execution::execution(const program& p, const options& o) : program_(p), options_(o) {
  if (p.threads.size() > threads_max) throw std::invalid_argument("explore: at most 32 threads");
  for (std::size_t i = 0; i < p.threads.size(); ++i) {
    threads_.push_back(std::make_unique<actor>());
    threads_.back()->owner = this;
    threads_.back()->index = i;
  }
}

void execution::unscheduled(const std::function<void()>& part, const char* what) {
  if (!part) return;
  unscheduled_steps_ = 0;
  try {
    part();
  } catch (const failed_check&) {
    // Recorded where it was thrown.
  } catch (const std::exception& error) {
    violate(std::string(what) + " threw: " + error.what());
  } catch (...) {
    violate(std::string(what) + " threw");
  }
}

void execution::begin(std::optional<stop_point> stop) {
  active_execution = this;
  stop_ = stop;
  last_.reset();
  buffers_.reset(threads_.size());
  messages_.reset(threads_.size());
  barriers_pending_ = 0;
  blocks_.reset();
  schedule_.clear();
  events_.clear();
  clock_ = changes_ = changes_seen_ = changes_probed_ = changes_when_idle_ = 0;
  idle_rounds_ = 0;
  violation_.clear();
  unscheduled(program_.setup, "setup");
  for (auto& t : threads_) {
    if (violated()) break;
    t->next = {};
    t->slot = nullptr;
    t->steps = 0;
    t->held_back = t->yielded = false;
    t->barrier_waits = 0;
    t->spin.reset();
    t->stack->start(&execution::run_body, t.get());
    advance(*t);
  }
  settle();
}

void execution::finish() { unscheduled(program_.finish, "finish"); }

void execution::end() {
  if (!violated() && stopped()) {
    stop_.reset();
    changes_seen_ = ~changes_;  // what it waited for may have come while it was stopped
    for (settle(); enabled() != 0 && !violated();) take(preferred(enabled()));
  }
  if (!violated()) unscheduled(program_.teardown, "teardown");
  at_end_.run();
  active_execution = nullptr;
}

void execution::run_body(void* argument) {
  auto& self = *static_cast<actor*>(argument);
  execution& owner = *self.owner;
  std::string failure;
  try {
    owner.program_.threads[self.index]();
    if (owner.program_.thread_exit) owner.program_.thread_exit();
  } catch (const std::exception& error) {
    failure = std::string(" threw: ") + error.what();
  } catch (...) {
    failure = " threw";
  }
  if (!failure.empty() && !owner.violated())
    owner.violation_ = "thread " + text(self.index) + failure;
}

void execution::advance(actor& t) {
  current_ = &t;
  t.stack->resume();
  current_ = nullptr;
}

effect execution::perform(operation op) {
  if (current_ == nullptr) {
    if (++unscheduled_steps_ > unscheduled_steps_max && !violated())
      check_failed("endless loop in unscheduled code: it waits for a thread");
    return execute(nullptr, op);
  }
  actor& self = *current_;
  if (options_.memory != memory::store_buffers && op.what == action::buffered_store)
    op.what = action::store;
  self.next = op;
  self.stack->suspend();
  return execute(&self, op);
}

effect execution::execute(actor* self, const operation& op) {
  const bool older_values = self != nullptr && options_.memory == memory::older_values;
  if (older_values) messages_.step(self->index);
  check_access(self, op);
  if (older_values) check_order(*self, op);
  effect did;
  switch (op.what) {
    case action::load:
      if (older_values) {
        did = messages_.perform(self->index, op, self->age);
        break;
      }
      did = self != nullptr ? buffers_.load(self->index, op.at, op.bytes)
                            : effect{peek(op.at, op.bytes)};
      break;
    case action::buffered_store:
      if (self != nullptr) {
        buffers_.push(self->index, const_cast<void*>(op.at), op.bytes, op.operand.low);
        break;
      }
      [[fallthrough]];
    case action::store:
    case action::exchange:
    case action::add:
    case action::subtract:
    case action::bit_or:
    case action::compare_exchange:
      did = older_values ? messages_.perform(self->index, op, self->age) : apply(op);
      note_change(op.at, op.bytes, did.value);
      break;
    case action::release:
      if (self != nullptr) buffers_.outlive(self->index, op.at, op.bytes);
      if (!blocks_.release(op.at, op.bytes))
        violate(blocks_.describe(op.at) + " is released twice");
      break;
    case action::clock:
      did.value.low = ++clock_;
      break;
    case action::barrier_begin:
      if (older_values) messages_.membarrier();
      for (std::size_t i = 0; i < threads_.size(); ++i)
        if (!buffers_.empty(i)) self->barrier_waits |= 1u << i;
      if (self->barrier_waits != 0) barriers_pending_ |= 1u << self->index;
      break;
    default:
      break;
  }
  if (self != nullptr) {
    self->spin.note(op, did);
    record(static_cast<std::uint8_t>(self->index), op, did);
  }
  return did;
}

void execution::check_access(const actor* self, const operation& op) {
  if (in_probe_ || op.at == nullptr || op.what == action::release) return;
  const block* const given_up = blocks_.released_at(op.at, op.bytes);
  if (given_up == nullptr) return;
  if (self != nullptr) record(static_cast<std::uint8_t>(self->index), op, {});
  violate("access to " + blocks_.describe(op.at) + " after block " + text(given_up->number) +
          " was released" +
          (self != nullptr ? ", by thread " + text(self->index) : ", by unscheduled code"));
}

// What is not atomic has to be ordered by what is.
void execution::check_order(const actor& self, const operation& op) {
  if (op.at == nullptr) return;
  const block* const in = blocks_.find(op.at, op.bytes);
  if (in == nullptr) return;
  const auto wrong = op.what == action::release ? messages_.given_up(self.index, in->number)
                                                : messages_.used(self.index, in->number);
  if (!wrong) return;
  record(static_cast<std::uint8_t>(self.index), op, {});
  violate(*wrong);
}

void execution::drain(std::size_t owner) {
  const buffered_store& oldest = buffers_.of(owner).front();
  const operation op{action::drain, oldest.at, oldest.bytes, {oldest.value, 0}, {}};
  record(static_cast<std::uint8_t>(owner), op, {});
  if (!oldest.outlived) {
    if (const block* const given_up = blocks_.released_at(op.at, op.bytes)) {
      violate("a buffered store of thread " + text(owner) + " reaches " + blocks_.describe(op.at) +
              " after block " + text(given_up->number) + " was released");
      return;
    }
  }
  const word16 before = peek(op.at, op.bytes);
  buffers_.drain(owner);
  note_change(op.at, op.bytes, before);
  if (barriers_pending_ == 0 || !buffers_.empty(owner)) return;
  // A membarrier interrupts each thread at a time of its own: it needs each buffer empty once.
  for (auto& t : threads_) {
    t->barrier_waits &= ~(1u << owner);
    if (t->barrier_waits == 0) barriers_pending_ &= ~(1u << t->index);
  }
}

void execution::note_change(const void* at, std::size_t bytes, word16 before) {
  const word16 now = peek(at, bytes);
  if (now.low != before.low || now.high != before.high) ++changes_;
}

void execution::membarrier() {
  if (current_ == nullptr || options_.memory == memory::sequential) return;
  perform({action::barrier_begin, nullptr, 0, {}, {}});
  if (current_->barrier_waits != 0) perform({action::barrier_end, nullptr, 0, {}, {}});
}

void execution::allocated(const void* at, std::size_t bytes) {
  messages_.made(current_thread(), blocks_.allocate(at, bytes));
  const auto who =
      current_ != nullptr ? static_cast<std::uint8_t>(current_->index) : event::unscheduled;
  record(who, {action::allocate, at, bytes, {}, {}}, {});
}

void execution::yield() {
  if (current_ == nullptr) return;
  actor& self = *current_;
  self.yielded = true;
  if (!self.spin.yield() || !self.spin.stays_same(buffers_, self.index)) return;
  self.held_back = true;
  record(static_cast<std::uint8_t>(self.index), {action::yield, nullptr, 0, {}, {}}, {});
  self.stack->suspend();
}

// Readings are ordered among each other, as writes to one word would be.
std::uint64_t execution::now_ns() {
  return perform({action::clock, &clock_, sizeof(clock_), {}, {}}).value.low;
}

std::optional<std::size_t> execution::current_thread() const {
  if (current_ == nullptr) return std::nullopt;
  return current_->index;
}

moment execution::this_moment() const {
  const std::size_t me = current_->index;
  if (options_.memory != memory::older_values) return {me, events_.size(), {}};
  const auto& known = messages_.known(me);
  return {me, me < known.size() ? known[me] : 0, known};
}

void execution::violate(std::string message) {
  if (violation_.empty()) violation_ = std::move(message);
  if (current_ == nullptr) return;
  // What called the seam may be noexcept: the fiber is left where it is instead of being unwound.
  for (;;) current_->stack->suspend();
}

void execution::check_failed(std::string_view message) {
  violate(std::string(message));
  throw failed_check{};  // in unscheduled code
}

void execution::record(std::uint8_t who, const operation& op, const effect& did) {
  events_.push_back({who, op, did});
}

}  // namespace ratchet::inline RATCHET_ABI::explore
