#include <harness/explore/priorities.hpp>
#include <harness/explore/search.hpp>
#include <harness/explore/text.hpp>

#include <algorithm>

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

using steady = std::chrono::steady_clock;

struct budget {
  const options& limits;
  steady::time_point began = steady::now();

  bool spent(const report& so_far) const {
    const std::uint64_t ran = so_far.executions + so_far.cut;
    if (limits.executions_max != 0 && ran >= limits.executions_max) return true;
    if (limits.time_limit.count() == 0 || ran % 64 != 0) return false;
    return steady::now() - began >= limits.time_limit;
  }
};

void keep_violation(report& into, execution& ran, std::optional<stop_point> stop) {
  const named_schedule schedule{into.memory, stop, ran.schedule()};
  into.violation = violation{ran.message(), to_text(schedule), {}, trace_text(ran)};
}

void count(report& into, const execution& ran) {
  into.transitions += ran.schedule().size();
  into.depth_max = std::max(into.depth_max, ran.schedule().size());
  for (std::size_t i = 0; i < into.accesses_max.size(); ++i)
    into.accesses_max[i] = std::max(into.accesses_max[i], ran.steps(i));
}

// Whether the search goes on after this stop point: it found no violation and had the time to end.
bool explore_with(report& into, execution& execution, const options& o, const budget& limit,
                  std::optional<stop_point> stop, bool& stopped) {
  search schedules(execution, o, stop);
  do {
    if (into.executions + into.cut != 0 && limit.spent(into)) return false;
    const auto end = schedules.run_one();
    count(into, execution);
    if (end == search::end::violation) {
      keep_violation(into, execution, stop);
      return false;
    }
    ++(end == search::end::cut ? into.cut : into.executions);
  } while (schedules.advance());
  stopped = schedules.stopped();
  return true;
}

report begin_report(const program& p, const options& o) {
  report r;
  r.memory = o.memory;
  r.preemptions_max = o.preemptions_max;
  r.reduced = search::reduction_of(o);
  r.accesses_max.resize(p.threads.size());
  return r;
}

bool explore_all(report& into, execution& execution, const options& o, const budget& limit) {
  bool stopped = false;
  if (!explore_with(into, execution, o, limit, std::nullopt, stopped)) return false;
  for (const std::size_t thread : o.stoppable) {
    // A stop commutes with everything the others do: so it is tried after each of the thread's own
    // steps, until there is no execution in which it makes so many.
    for (std::size_t steps = 0;; ++steps) {
      if (!explore_with(into, execution, o, limit, stop_point{thread, steps}, stopped))
        return false;
      if (!stopped) break;
      ++into.stops;
    }
  }
  return true;
}

}  // namespace

report run(const program& p, const options& o) {
  report r = begin_report(p, o);
  const budget limit{o};
  execution each(p, o);
  r.complete = explore_all(r, each, o, limit);
  r.wall = steady::now() - limit.began;
  return r;
}

namespace {

// How long an execution is, about: one in which each thread runs as long as it can.
std::size_t steps_of(execution& each) {
  each.begin(std::nullopt);
  while (!each.violated() && each.enabled() != 0) each.take(each.preferred(each.enabled()));
  each.end();
  return each.schedule().size();
}

void walk_once(report& into, execution& each, priorities next, std::optional<stop_point> stop) {
  each.begin(stop);
  while (!each.violated() && each.enabled() != 0) each.take(next.choose(each));
  if (!each.violated()) each.finish();
  if (each.stopped()) ++into.stops;
  each.end();
  count(into, each);
  ++into.executions;
  if (each.violated()) keep_violation(into, each, stop);
}

}  // namespace

report run_random(const program& p, const options& o, const random_walk& walk) {
  report r = begin_report(p, o);
  r.random = walk;
  r.reduced = reduction::none;
  const budget limit{o};
  execution each(p, o);
  const std::size_t steps = steps_of(each);
  for (std::uint64_t i = 0; i < walk.executions && !r.violation && !limit.spent(r); ++i) {
    const std::uint64_t seed = walk.seed + i;
    std::optional<stop_point> stop;
    if (!o.stoppable.empty()) stop = stop_point{o.stoppable.front(), seed % (steps + 1)};
    walk_once(r, each, priorities(o, walk, p.threads.size(), steps, seed), stop);
    if (r.violation) r.violation->seed = seed;
  }
  r.complete = r.executions == walk.executions;
  r.wall = steady::now() - limit.began;
  return r;
}

report replay(const program& p, std::string_view schedule, const options& o) {
  const named_schedule wanted = parse_schedule(schedule);
  options chosen = o;
  chosen.memory = wanted.memory;
  report r = begin_report(p, chosen);
  const auto began = steady::now();
  execution one(p, chosen);
  one.begin(wanted.stop);
  for (const transition t : wanted.transitions) {
    if (one.violated()) break;
    if ((one.enabled() & bit(t)) == 0) {
      one.violate("the schedule does not fit the program: no such step at place " +
                  std::to_string(one.schedule().size()));
      break;
    }
    one.take(t);
  }
  while (!one.violated() && one.enabled() != 0) one.take(one.preferred(one.enabled()));
  if (!one.violated()) one.finish();
  one.end();
  count(r, one);
  r.executions = 1;
  r.trace = trace_text(one);
  if (one.violated()) keep_violation(r, one, wanted.stop);
  r.wall = steady::now() - began;
  return r;
}

std::string report::text() const {
  std::string out = std::to_string(executions) + " executions";
  if (cut != 0) out += " (and " + std::to_string(cut) + " cut)";
  out += ", " + std::string(describe(memory));
  if (random)
    out += ", random priorities from seed " + std::to_string(random->seed) + ", " +
           std::to_string(random->changes) + " changes";
  else
    out += preemptions_max ? ", at most " + std::to_string(*preemptions_max) + " pre-emptions"
                           : ", all schedules";
  out += reduced == reduction::none ? ", plain" : ", reduced";
  if (stops != 0) out += ", " + std::to_string(stops) + " places to stop";
  out += complete ? ", complete" : ", not complete";
  out += ", " + std::to_string(transitions) + " transitions, at most " + std::to_string(depth_max) +
         " in one, accesses";
  for (const std::size_t n : accesses_max) out += " " + std::to_string(n);
  out += ", " + std::to_string(wall.count()) + " s\n";
  if (violation)
    out += "violation: " + violation->message +
           (violation->seed ? "\nseed: " + std::to_string(*violation->seed) : "") +
           "\nschedule: " + violation->schedule + "\n" + violation->trace;
  return out;
}

}  // namespace ratchet::inline RATCHET_ABI::explore
