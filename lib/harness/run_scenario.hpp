// Runs a scenario on a store: rounds of callers behind a gate, each recorded and checked.
#pragma once

#include <harness/crowd.hpp>
#include <harness/recorded_store.hpp>
#include <harness/run_result.hpp>
#include <harness/settings.hpp>
#include <harness/transition_check.hpp>

#include <algorithm>
#include <memory>

namespace ratchet::inline RATCHET_ABI::harness {

template <class Store>
class scenario_keys {
 public:
  static constexpr std::uint64_t first = 1;

  static key_state state_of(Store& store, std::uint64_t key) {
    const auto seen = store.read(key);
    return {seen.version().to_u64(), seen ? word_of(*seen) : 0, static_cast<bool>(seen)};
  }
};

// Everything the callers of one round share.
struct round_callers {
  explicit round_callers(const settings& wanted) : all(wanted.callers) {}

  void start(const settings& wanted, std::uint64_t seed, double overlap) {
    crossing = std::make_unique<harness::crossing>();
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      caller& one = all[i];
      one.clock = wanted.clock;
      one.crossing = crossing.get();
      one.index = i;
      one.records = wanted.records;
      one.overlap = overlap;
      one.choices = random_source(derive(seed, i));
      if (wanted.records) one.log.reserve(64);
      one.log.clear();
      one.counts = {};
      one.stop = wanted.stop;
    }
  }
  void sum_up(round_result&) const;
  // Each key's operations.
  [[nodiscard]] std::vector<std::vector<operation>> histories(std::uint32_t keys) const;

  std::unique_ptr<harness::crossing> crossing;
  std::vector<caller> all;
};

template <class Scenario>
void check_round(round_result& round, const Scenario& scenario, const round_callers& callers,
                 const std::vector<key_state>& initial, const std::vector<key_state>& final,
                 const tick_clock& clock) {
  const auto histories = callers.histories(Scenario::keys);
  for (std::uint32_t i = 0; i < Scenario::keys; ++i) {
    auto checked = check_history({i, initial[i], histories[i]}, clock.ticks_per_ns());
    if (checked.exact) round.operations_checked += checked.checked;
    round.found.merge(checked.found);
    check_transitions(
        i, checked.states,
        [&](const key_state& before, const key_state& after) {
          return scenario.broken_rule(before, after);
        },
        round.found);
    // An erased key's record may be gone, and its version with it.
    const key_state& last = checked.states.back();
    const bool forgotten = !last.present && !final[i].present && final[i].version == 0;
    if (checked.found.none() && !forgotten && !(last == final[i]))
      round.found.add("wrong-end",
                      "round " + std::to_string(round.round) + ": key " + std::to_string(i) +
                          " ends at version " + std::to_string(final[i].version) +
                          ", its last commit made version " + std::to_string(last.version));
  }
  if (round.operations_checked != round.operations)
    round.found.add("unchecked", "round " + std::to_string(round.round) + ": " +
                                     std::to_string(round.operations_checked) + " of " +
                                     std::to_string(round.operations) + " operations checked");
}

// False: the round was stopped on the way and is not to be judged.
template <class Store, class Scenario>
bool run_round(round_result& round, const settings& wanted, const Scenario& scenario,
               round_callers& callers) {
  using keys = scenario_keys<Store>;
  const auto store = std::make_unique<Store>();
  scenario.prepare(*store, keys::first, round.round);
  std::vector<key_state> initial;
  for (std::uint32_t i = 0; i < Scenario::keys; ++i)
    initial.push_back(keys::state_of(*store, keys::first + i));
  std::vector<answer_counts> answers(wanted.callers);
  run_crowd(wanted.callers, wanted.threads_used(), [&](std::uint32_t index) {
    caller& me = callers.all[index];
    recorded_store<Store> seen(*store, me, keys::first);
    me.first_call = std::chrono::steady_clock::now();
    if (!me.stopped()) scenario.call(seen, keys::first, me, answers[index]);
    me.last_answer = std::chrono::steady_clock::now();
  });
  if (wanted.stopped()) return false;
  std::vector<key_state> final;
  for (std::uint32_t i = 0; i < Scenario::keys; ++i)
    final.push_back(keys::state_of(*store, keys::first + i));
  for (const answer_counts& one : answers) round.answers.add(one);
  round.cold = Scenario::cold(round.round);
  round.expected = scenario.expected();
  round.initial = initial[0];
  round.final = final[0];
  callers.sum_up(round);
  // The history first: it names the fault, the counts only show that there is one.
  if (wanted.records) check_round(round, scenario, callers, initial, final, *wanted.clock);
  judge_counts(round);
  return true;
}

template <class Store, class Scenario>
pass_result run_pass(const settings& wanted, const Scenario& scenario, double overlap,
                     round_callers& callers) {
  pass_result pass;
  pass.overlap = overlap;
  const std::uint64_t seed = derive(derive(wanted.seed, Scenario::name), overlap > 0 ? 1 : 0);
  try {
    for (std::uint32_t i = 0; i < wanted.rounds && !pass.interrupted; ++i) {
      if (wanted.progress) wanted.progress(Scenario::name, overlap, i);
      round_result round;
      round.round = i;
      callers.start(wanted, derive(seed, i), overlap);
      pass.interrupted = !run_round<Store>(round, wanted, scenario, callers);
      if (pass.interrupted) break;
      pass.found.merge(round.found);
      pass.rounds.push_back(std::move(round));
    }
  } catch (const std::exception& error) {
    pass.error = error.what();
  }
  return pass;
}

template <class Store, class Scenario>
scenario_result run_scenario(const settings& wanted, std::string_view store_name) {
  Scenario scenario{wanted.callers, wanted.limit != 0 ? wanted.limit : Scenario::limit_default};
  scenario_result run;
  run.name = Scenario::name;
  run.store = store_name;
  run.callers = wanted.callers;
  run.threads = wanted.threads_used();
  run.limit = scenario.limit;
  run.recorded = wanted.records;
  round_callers callers(wanted);
  run.main = run_pass<Store>(wanted, scenario, wanted.overlap, callers);
  if (wanted.overlap > 0 && !run.main.interrupted && run.main.error.empty())
    run.plain = run_pass<Store>(wanted, scenario, 0.0, callers);
  judge_run(run);
  return run;
}

}  // namespace ratchet::inline RATCHET_ABI::harness
