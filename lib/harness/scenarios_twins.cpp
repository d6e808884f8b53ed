#include <harness/run_scenario.hpp>
#include <harness/scenario_runs.hpp>
#include <harness/twin_patterns.hpp>
#include <harness/twin_stores.hpp>
#include <harness/workload_counter.hpp>
#include <harness/workload_register.hpp>

namespace ratchet::inline RATCHET_ABI::harness::runs {
namespace {

// A twin shows its fault only with enough callers at once, more of them than the limit, and under
// a record.
template <class Store, class Scenario>
scenario_result run_twin(settings wanted, std::string_view name) {
  wanted.callers = std::max(wanted.callers, 16u);
  wanted.threads = 0;
  wanted.records = true;
  const std::uint32_t limit = wanted.limit != 0 ? wanted.limit : Scenario::limit_default;
  wanted.limit = std::min(limit, wanted.callers / 2);
  if (const auto progress = wanted.progress)
    wanted.progress = [=](std::string_view, double overlap, std::uint32_t round) {
      progress(name, overlap, round);
    };
  auto run = run_scenario<Store, Scenario>(wanted, "twin");
  run.name = name;
  return run;
}

}  // namespace

scenario_result lost_update(const settings& wanted) {
  return run_twin<twins::lost_update_store, counter_scenario>(wanted, "twin:lost-update");
}
scenario_result torn_read(const settings& wanted) {
  return run_twin<twins::torn_read_store, counter_scenario>(wanted, "twin:torn-read");
}
scenario_result stale_conflict(const settings& wanted) {
  return run_twin<twins::stale_conflict_store, counter_scenario>(wanted, "twin:stale-conflict");
}
scenario_result double_create(const settings& wanted) {
  return run_twin<twins::double_create_store, twins::cold_limiter>(wanted, "twin:double-create");
}
scenario_result over_grant(const settings& wanted) {
  return run_twin<twins::honest_store, twins::over_grant_limiter>(wanted, "twin:over-grant");
}
scenario_result contended_grant(const settings& wanted) {
  return run_twin<twins::honest_store, twins::contended_grant_limiter>(wanted,
                                                                       "twin:contended-grant");
}
scenario_result writing_denial(const settings& wanted) {
  return run_twin<twins::honest_store, twins::writing_denial_limiter>(wanted,
                                                                      "twin:writing-denial");
}
scenario_result overdraft(const settings& wanted) {
  return run_twin<twins::honest_store, twins::overdraft_wallet>(wanted, "twin:overdraft");
}
scenario_result version_reset(const settings& wanted) {
  return run_twin<twins::version_reset_store, register_scenario>(wanted, "twin:version-reset");
}

}  // namespace ratchet::inline RATCHET_ABI::harness::runs
