#include <harness/explore/search.hpp>

#include <bit>

namespace ratchet::inline RATCHET_ABI::explore {

search::search(execution& e, const options& o, std::optional<stop_point> stop)
    : execution_(e), options_(o), stop_(stop), reduce_(reduction_of(o)), races_(e, o) {}

reduction search::reduction_of(const options& o) {
  if (o.memory == memory::older_values) return reduction::none;
  if (o.preemptions_max && o.reduce == reduction::races) return reduction::sleep_sets;
  return o.reduce;
}

bool search::independent(transition a, transition b) const {
  // Under a bound the order of the steps is kept, and so is the number of pre-emptions.
  if (options_.preemptions_max && a.thread != b.thread && !a.drain && !b.drain) return false;
  return !disturb(a, execution_.footprint_of(a), b, execution_.footprint_of(b),
                  execution_.barrier_pending());
}

transition_set search::asleep_after(const node& n) const {
  if (reduce_ == reduction::none) return 0;
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

void search::choose(node& n) {
  n.chosen = execution_.preferred(n.left);
  n.left &= ~bit(n.chosen);
  n.ages = ages(n.chosen);
}

unsigned search::ages(transition t) {
  return older_loads_ < options_.older_loads_max ? execution_.ages(t) : 1;
}

bool search::push_node() {
  const transition_set enabled = execution_.enabled();
  node n{enabled, affordable(enabled & ~asleep_), 0, asleep_, {}, 1};
  if (n.left == 0) return false;
  if (reduce_ == reduction::races) n.left = bit(execution_.preferred(n.left));
  choose(n);
  nodes_.push_back(n);
  return true;
}

// False: what is left from here is equivalent to what was explored.
bool search::proceed() {
  for (std::size_t depth = 0; !execution_.violated() && execution_.enabled() != 0; ++depth) {
    if (depth == nodes_.size() && !push_node()) return false;
    node& n = nodes_[depth];
    if (n.enabled != execution_.enabled()) {
      execution_.violate("the program does not behave the same when it is run again");
      break;
    }
    if (n.ages == 0) n.ages = ages(n.chosen);
    if (depth + 1 == nodes_.size()) asleep_ = asleep_after(n);
    if (!n.chosen.drain && execution_.preempts(n.chosen.thread)) ++preemptions_;
    if (n.chosen.age != 0) ++older_loads_;
    if (reduce_ == reduction::races) races_.note(depth, n.chosen);
    execution_.take(n.chosen);
  }
  return true;
}

void search::follow_races() {
  for (const race& found : races_.found()) {
    node& n = nodes_[found.at];
    const transition_set known = n.left | n.explored | n.asleep | bit(n.chosen);
    if ((known & found.initials) != 0) continue;
    const transition_set first = found.initials & n.enabled;
    // What runs first in the reversed order was not enabled here: it waited.
    n.left |= first != 0 ? first & ~(first - 1) : n.enabled & ~known;
  }
}

search::end search::run_one() {
  execution_.begin(stop_);
  preemptions_ = older_loads_ = 0;
  if (nodes_.empty()) asleep_ = 0;
  const bool cut = !proceed();
  if (reduce_ == reduction::races) follow_races();
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
    if (n.chosen.age + 1 < n.ages) {
      ++n.chosen.age;
      return true;
    }
    n.explored |= bit(n.chosen);
    if (n.left != 0) {
      n.chosen = transition::of(static_cast<unsigned>(std::countr_zero(n.left)));
      n.left &= ~bit(n.chosen);
      n.ages = 0;  // asked when the execution is there
      return true;
    }
    nodes_.pop_back();
  }
  return false;
}

}  // namespace ratchet::inline RATCHET_ABI::explore
