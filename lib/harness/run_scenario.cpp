#include <harness/run_scenario.hpp>

namespace ratchet::inline RATCHET_ABI::harness {

void round_callers::sum_up(round_result& round) const {
  auto first = std::chrono::steady_clock::time_point::max();
  auto last_start = std::chrono::steady_clock::time_point::min();
  auto last = last_start;
  for (const caller& one : all) {
    round.operations += one.counts.operations;
    round.commits += one.counts.commits;
    round.conflicts += one.counts.conflicts;
    round.unanswered += one.counts.unanswered;
    round.peak_in_flight = std::max(round.peak_in_flight, one.counts.peak_standing);
    round.created_at = std::max(round.created_at, one.counts.created_at);
    first = std::min(first, one.first_call);
    last_start = std::max(last_start, one.first_call);
    last = std::max(last, one.last_answer);
  }
  round.spread_ns = std::chrono::duration<double, std::nano>(last_start - first).count();
  round.ms = std::chrono::duration<double, std::milli>(last - first).count();
}

std::vector<std::vector<operation>> round_callers::histories(std::uint32_t keys) const {
  std::vector<std::vector<operation>> by_key(keys);
  std::size_t operations = 0;
  for (const caller& one : all) operations += one.log.size();
  for (auto& history : by_key) history.reserve(operations / keys + operations / keys / 4);
  for (const caller& one : all)
    one.log.for_each(one.index, one.clock->widening(),
                     [&](const operation& op) { by_key.at(op.key).push_back(op); });
  return by_key;
}

}  // namespace ratchet::inline RATCHET_ABI::harness
