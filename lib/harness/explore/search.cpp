#include <harness/explore/search.hpp>

#include <bit>

namespace ratchet::inline RATCHET_ABI::explore {

search::search(execution& e, const options& o, std::optional<stop_point> stop)
    : execution_(e), options_(o), stop_(stop) {}

bool search::independent(transition a, transition b) const {
  if (a.thread == b.thread) {
    // A thread's view is the same before and after a drain of its own, and its next store goes to
    // the other end of its buffer. Only a membarrier can tell whether the buffer was empty in
    // between.
    const auto step = execution_.footprint_of(a.drain ? b : a).what;
    if (step == footprint::kind::barrier) return false;
    return step != footprint::kind::push || !execution_.barrier_pending();
  }
  // Under a bound the order of the steps is kept, and so is the number of pre-emptions.
  if (options_.preemptions_max && !a.drain && !b.drain) return false;
  return !dependent(execution_.footprint_of(a), execution_.footprint_of(b));
}

transition_set search::asleep_after(const node& n) const {
  if (!options_.reduce) return 0;
  transition_set stay = 0;
  for (transition_set rest = n.asleep | n.explored; rest != 0; rest &= rest - 1) {
    const auto t = transition::of(static_cast<unsigned>(std::countr_zero(rest)));
    if (independent(t, n.chosen)) stay |= bit(t);
  }
  return stay;
}

transition_set search::affordable(transition_set from) const {
  if (!options_.preemptions_max || preemptions_ < *options_.preemptions_max) return from;
  transition_set kept = 0;
  for (; from != 0; from &= from - 1) {
    const auto t = transition::of(static_cast<unsigned>(std::countr_zero(from)));
    if (t.drain || !execution_.preempts(t.thread)) kept |= bit(t);
  }
  return kept;
}

bool search::choose(node& n) {
  if (n.left == 0) return false;
  n.chosen = execution_.preferred(n.left);
  n.left &= ~bit(n.chosen);
  return true;
}

bool search::push_node() {
  const transition_set enabled = execution_.enabled();
  node n{enabled, affordable(enabled & ~asleep_), 0, asleep_, {}};
  if (!choose(n)) return false;
  nodes_.push_back(n);
  return true;
}

search::end search::run_one() {
  execution_.begin(stop_);
  preemptions_ = 0;
  bool cut = false;
  if (nodes_.empty()) asleep_ = 0;
  for (std::size_t depth = 0; !execution_.violated() && execution_.enabled() != 0; ++depth) {
    if (depth == nodes_.size()) {
      cut = !push_node();
      if (cut) break;
    }
    node& n = nodes_[depth];
    if (n.enabled != execution_.enabled()) {
      execution_.violate("the program does not behave the same when it is run again");
      break;
    }
    if (depth + 1 == nodes_.size()) asleep_ = asleep_after(n);
    if (!n.chosen.drain && execution_.preempts(n.chosen.thread)) ++preemptions_;
    execution_.take(n.chosen);
  }
  // The rest of an execution that was cut only serves to end its threads.
  while (cut && !execution_.violated() && execution_.enabled() != 0)
    execution_.take(execution_.preferred(execution_.enabled()));
  stopped_ = stopped_ || execution_.stopped();
  if (!cut && !execution_.violated()) execution_.finish();
  execution_.end();
  if (execution_.violated()) return end::violation;
  return cut ? end::cut : end::checked;
}

bool search::advance() {
  while (!nodes_.empty()) {
    node& n = nodes_.back();
    n.explored |= bit(n.chosen);
    if (n.left != 0) {
      n.chosen = transition::of(static_cast<unsigned>(std::countr_zero(n.left)));
      n.left &= ~bit(n.chosen);
      return true;
    }
    nodes_.pop_back();
  }
  return false;
}

}  // namespace ratchet::inline RATCHET_ABI::explore
