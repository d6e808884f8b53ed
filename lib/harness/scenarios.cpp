#include <harness/scenario_runs.hpp>
#include <harness/scenarios.hpp>

#include <array>

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

using run_function = scenario_result (*)(const settings&);

#if RATCHET_HARNESS_NATIVE
#define RATCHET_ON_EITHER(scenario) on_either<runs::scenario##_on_mutex, runs::scenario##_on_native>
#else
#define RATCHET_ON_EITHER(scenario) on_either<runs::scenario##_on_mutex, runs::scenario##_on_mutex>
#endif

template <run_function Mutex, run_function Native>
scenario_result on_either(const settings& wanted, store_kind store) {
  return store == store_kind::native ? Native(wanted) : Mutex(wanted);
}

template <run_function Twin>
scenario_result on_twin(const settings& wanted, store_kind) {
  return Twin(wanted);
}

constexpr std::array scenarios{
    scenario_entry{"counter", "each caller adds 1, 100 times: no increment is lost",
                   RATCHET_ON_EITHER(counter), false, true},
    scenario_entry{"rate-limiter", "each caller asks for one unit: exactly the limit is granted",
                   RATCHET_ON_EITHER(limiter), false, true},
    scenario_entry{"wallet", "each caller takes 1: exactly the balance is paid out",
                   RATCHET_ON_EITHER(wallet), false, true},
    scenario_entry{"register", "every verb at random on 4 keys, erased and made again",
                   RATCHET_ON_EITHER(register)},
    scenario_entry{"register-boxed", "the same with values of 32 bytes",
                   RATCHET_ON_EITHER(boxed_register)},
    scenario_entry{"twin:lost-update", "broken: a store that checks, then stores",
                   on_twin<runs::lost_update>, true},
    scenario_entry{"twin:torn-read", "broken: version and value of two instants",
                   on_twin<runs::torn_read>, true},
    scenario_entry{"twin:stale-conflict", "broken: a conflict shows an older value",
                   on_twin<runs::stale_conflict>, true},
    scenario_entry{"twin:double-create", "broken: if_absent checks, then creates",
                   on_twin<runs::double_create>, true},
    scenario_entry{"twin:over-grant", "broken: a limiter that reads, then writes",
                   on_twin<runs::over_grant>, true},
    scenario_entry{"twin:contended-grant", "broken: a limiter that grants when it gave up",
                   on_twin<runs::contended_grant>, true},
    scenario_entry{"twin:writing-denial", "broken: a limiter whose denial writes",
                   on_twin<runs::writing_denial>, true},
    scenario_entry{"twin:overdraft", "broken: a wallet that looks once, outside its loop",
                   on_twin<runs::overdraft>, true},
    scenario_entry{"twin:version-reset", "broken: erase forgets the version",
                   on_twin<runs::version_reset>, true},
};

}  // namespace

std::span<const scenario_entry> all_scenarios() noexcept { return scenarios; }

const scenario_entry* find_scenario(std::string_view name) noexcept {
  for (const scenario_entry& one : scenarios)
    if (one.name == name) return &one;
  return nullptr;
}

std::string blindness(const settings& wanted, const scenario_entry& canary) {
  settings small = wanted;
  small.callers = 32;
  small.limit = 0;
  small.rounds = 1;
  small.threads = 0;
  small.progress = nullptr;
  const scenario_result run = canary.run(small, store_kind::mutex);
  if (run.verdict == verdict::violation || wanted.stopped()) return {};
  return "the harness is blind: it found nothing wrong with the canary " + std::string(canary.name);
}

}  // namespace ratchet::inline RATCHET_ABI::harness
