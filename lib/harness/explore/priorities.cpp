#include <harness/explore/priorities.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

namespace ratchet::inline RATCHET_ABI::explore {

priorities::priorities(const options& o, const random_walk& walk, std::size_t threads,
                       std::size_t steps, std::uint64_t seed)
    : options_(o), random_(seed), order_(2 * threads), lowest_(walk.changes) {
  std::iota(order_.begin(), order_.end(), lowest_ + 1);
  std::shuffle(order_.begin(), order_.end(), random_);
  for (unsigned i = 0; i < walk.changes; ++i) changes_.push_back(random_() % (steps + 1));
}

transition priorities::first_of(transition_set from) const {
  transition first = transition::of(static_cast<unsigned>(std::countr_zero(from)));
  for (from &= from - 1; from != 0; from &= from - 1) {
    const auto t = transition::of(static_cast<unsigned>(std::countr_zero(from)));
    if (order_[t.index()] > order_[first.index()]) first = t;
  }
  return first;
}

transition priorities::choose(execution& running) {
  transition next = first_of(running.enabled());
  if (std::count(changes_.begin(), changes_.end(), steps_++) != 0 && lowest_ != 0) {
    order_[next.index()] = lowest_--;
    next = first_of(running.enabled());
  }
  if (older_loads_ < options_.older_loads_max) {
    const unsigned ages = running.ages(next);
    if (ages > 1 && random_() % 4 == 0) next.age = static_cast<unsigned>(random_() % ages);
    if (next.age != 0) ++older_loads_;
  }
  return next;
}

}  // namespace ratchet::inline RATCHET_ABI::explore
