// Of an execution: which transitions there are, what they may disturb, and who is waiting for whom.
#include <harness/explore/execution.hpp>

#include <bit>

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

footprint::kind kind_of(const operation& op) {
  using kind = footprint::kind;
  switch (op.what) {
    case action::load:
      return kind::read;
    case action::buffered_store:
      return kind::push;
    case action::touch:
      return kind::touch;
    case action::release:
      return kind::release;
    case action::barrier_begin:
      return kind::barrier;
    case action::compare_exchange:
      return would_write(op) ? kind::write : kind::read;
    case action::barrier_end:
    case action::none:
      return kind::none;
    default:
      return kind::write;
  }
}

}  // namespace

footprint execution::footprint_of(transition t) const {
  if (t.drain) {
    const buffered_store& oldest = buffers_.of(t.thread).front();
    return {footprint::kind::drain, reinterpret_cast<std::uintptr_t>(oldest.at), oldest.bytes};
  }
  const operation& op = threads_[t.thread]->next;
  return {kind_of(op), reinterpret_cast<std::uintptr_t>(op.at), op.bytes};
}

unsigned execution::ages(transition t) {
  if (t.drain || options_.memory != memory::older_values) return 1;
  return messages_.ages(t.thread, threads_[t.thread]->next);
}

bool execution::is_stopped(const actor& t) const {
  return stop_ && stop_->thread == t.index && t.steps >= stop_->steps && !t.stack->ended();
}

bool execution::stopped() const { return stop_ && is_stopped(*threads_[stop_->thread]); }

std::optional<std::size_t> execution::stopped_thread() const {
  if (!stopped()) return std::nullopt;
  return stop_->thread;
}

// A locked instruction drains the buffer first; so does the system call.
bool execution::needs_empty_buffer(std::size_t thread) const {
  switch (threads_[thread]->next.what) {
    case action::store:
    case action::exchange:
    case action::add:
    case action::subtract:
    case action::bit_or:
    case action::compare_exchange:
    case action::barrier_begin:
      return true;
    default:
      return false;
  }
}

bool execution::can_step(const actor& t) const {
  if (t.stack->ended() || t.held_back || is_stopped(t)) return false;
  if (needs_empty_buffer(t.index)) return buffers_.empty(t.index);
  if (t.next.what == action::buffered_store)
    return buffers_.of(t.index).size() < options_.buffer_entries_max;
  return t.next.what != action::barrier_end || t.barrier_waits == 0;
}

void execution::find_enabled() {
  enabled_ = 0;
  for (const auto& t : threads_) {
    const auto who = static_cast<std::uint8_t>(t->index);
    if (can_step(*t)) enabled_ |= bit({who, false});
    if (!buffers_.empty(who)) enabled_ |= bit({who, true});
  }
}

void execution::take(transition t) {
  schedule_.push_back(t);
  if (t.drain) {
    drain(t.thread);
  } else {
    actor& self = *threads_[t.thread];
    last_ = t.thread;
    self.age = t.age;
    self.yielded = false;
    ++self.steps;
    advance(self);
  }
  settle();
  if (!violated() && schedule_.size() > options_.steps_max)
    violate("endless loop: more than " + std::to_string(options_.steps_max) + " steps");
  if (violated() || !program_.probe) return;
  in_probe_ = true;
  unscheduled(program_.probe, "the probe");
  in_probe_ = false;
}

// Threads held back whose reason has gone run on to their next access here: this is no transition
// of its own, so that it makes no difference when exactly the reason went.
void execution::settle() {
  for (;;) {
    if (violated()) return;
    if (changes_ != changes_seen_ && wake_changed()) continue;
    find_enabled();
    if (enabled_ != 0) return;
    bool waiting = false;
    for (const auto& t : threads_) waiting = waiting || (t->held_back && !is_stopped(*t));
    if (!waiting) return;
    idle_rounds_ = changes_ == changes_when_idle_ ? idle_rounds_ + 1 : 1;
    changes_when_idle_ = changes_;
    if (idle_rounds_ > options_.idle_rounds_max) {
      report_waiting();
      return;
    }
    wake_all();  // a loop that gives up after some rounds is entitled to them
  }
}

bool execution::wake_changed() {
  changes_seen_ = changes_;
  bool any = false;
  for (auto& t : threads_) {
    if (!t->held_back || is_stopped(*t) || t->spin.stays_same(buffers_, t->index)) continue;
    t->held_back = false;
    advance(*t);
    any = true;
  }
  return any;
}

void execution::wake_all() {
  for (auto& t : threads_) {
    if (!t->held_back || is_stopped(*t)) continue;
    t->held_back = false;
    advance(*t);
  }
}

void execution::report_waiting() {
  std::string who;
  for (const auto& t : threads_)
    if (t->held_back && !is_stopped(*t))
      who += (who.empty() ? "" : ", ") + std::to_string(t->index);
  if (const auto stopped = stopped_thread())
    violate("thread " + who + " waits for a stopped thread, " + std::to_string(*stopped));
  else
    violate("livelock: thread " + who + " yields for ever, and nobody changes anything");
}

// Depends on the order of the steps only, not on the drains between them (options::reduce).
bool execution::preempts(std::size_t next) const {
  if (!last_ || *last_ == next) return false;
  const actor& last = *threads_[*last_];
  return !last.stack->ended() && !last.yielded && !is_stopped(last);
}

// Goes on with the same thread, and drains late: the first executions are those with the fewest
// switches and the longest buffers.
transition execution::preferred(transition_set from) const {
  if (last_) {
    const transition same{static_cast<std::uint8_t>(*last_), false};
    if ((from & bit(same)) != 0) return same;
  }
  const transition_set steps = from & steps_only;
  return transition::of(static_cast<unsigned>(std::countr_zero(steps != 0 ? steps : from)));
}

}  // namespace ratchet::inline RATCHET_ABI::explore
