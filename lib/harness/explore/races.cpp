#include <harness/explore/races.hpp>

#include <algorithm>
#include <utility>

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

void join(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], from[i]);
}

}  // namespace

void race_finder::note(std::size_t depth, transition t) {
  if (depth < steps_.size() && steps_[depth].what == t) {
    // The same step as in the execution before, perhaps at another address.
    steps_[depth].touched = execution_.footprint_of(t);
    return;
  }
  steps_.resize(depth);
  step next{t, execution_.footprint_of(t), execution_.barrier_pending(), 0, {}};
  next.knows = enabled_by(next);
  next.number = ++next.knows[t.index()];
  steps_.push_back(std::move(next));
  find_races(depth);
}

// What had to come before it whatever the schedule.
race_finder::clock race_finder::enabled_by(const step& next) const {
  const transition me = next.what;
  clock knows(2 * execution_.threads_count());
  for (const step& s : steps_)
    if (s.what == me) join(knows, s.knows);
  if (me.drain) {
    join_nth(knows, footprint::kind::push, me.thread, count(footprint::kind::drain, me.thread));
  } else if (next.touched.what == footprint::kind::push) {
    const std::size_t pushes = count(footprint::kind::push, me.thread);
    if (pushes >= options_.buffer_entries_max)  // this drain made room
      join_nth(knows, footprint::kind::drain, me.thread, pushes - options_.buffer_entries_max);
  } else if (execution_.needs_empty_buffer(me.thread)) {
    join_nth(knows, footprint::kind::drain, me.thread,
             count(footprint::kind::drain, me.thread) - 1);
  } else if (execution_.ends_barrier(me.thread)) {
    join_barrier(knows, me.thread);
  }
  return knows;
}

std::size_t race_finder::count(footprint::kind what, std::size_t thread) const {
  return static_cast<std::size_t>(std::count_if(steps_.begin(), steps_.end(), [&](const step& s) {
    return s.what.thread == thread && s.touched.what == what;
  }));
}

void race_finder::join_nth(clock& knows, footprint::kind what, std::size_t thread,
                           std::size_t n) const {
  for (const step& s : steps_)
    if (s.what.thread == thread && s.touched.what == what && n-- == 0) join(knows, s.knows);
}

// The drains that first emptied each buffer after the barrier began.
void race_finder::join_barrier(clock& knows, std::size_t thread) const {
  std::size_t began = steps_.size();
  while (steps_[began - 1].what != transition{static_cast<std::uint8_t>(thread)}) --began;
  std::vector<std::size_t> buffered(execution_.threads_count());
  std::vector<bool> awaited(execution_.threads_count());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const step& s = steps_[i];
    if (i == began)
      for (std::size_t t = 0; t < buffered.size(); ++t) awaited[t] = buffered[t] != 0;
    if (s.touched.what == footprint::kind::push) ++buffered[s.what.thread];
    if (s.touched.what != footprint::kind::drain) continue;
    if (--buffered[s.what.thread] != 0 || !awaited[s.what.thread]) continue;
    awaited[s.what.thread] = false;
    join(knows, s.knows);
  }
}

void race_finder::find_races(std::size_t last) {
  clock& knows = steps_[last].knows;
  const step& later = steps_[last];
  for (std::size_t i = last; i-- > 0;) {
    const step& earlier = steps_[i];
    if (ordered(earlier, knows)) continue;
    const bool pending = earlier.barrier_pending || later.barrier_pending;
    if (!disturb(earlier.what, earlier.touched, later.what, later.touched, pending)) continue;
    found_.push_back({i, initials(i, last)});
    join(knows, earlier.knows);
  }
}

// Of the steps after `earlier` that do not need it, and `later`: those that need none of the
// others.
transition_set race_finder::initials(std::size_t earlier, std::size_t later) const {
  transition_set firsts = 0;
  std::vector<const step*> kept;
  for (std::size_t i = earlier + 1; i <= later; ++i) {
    const step& s = steps_[i];
    if (i != later && ordered(steps_[earlier], s.knows)) continue;
    const bool first =
        std::none_of(kept.begin(), kept.end(), [&](const step* k) { return ordered(*k, s.knows); });
    if (first) firsts |= bit(s.what);
    kept.push_back(&s);
  }
  return firsts;
}

std::vector<race> race_finder::found() { return std::exchange(found_, {}); }

}  // namespace ratchet::inline RATCHET_ABI::explore
