// One function a scenario and store; the definitions are spread over files, since each of them
// compiles a store and the patterns anew.
#pragma once

#include <harness/run_result.hpp>
#include <harness/settings.hpp>

namespace ratchet::inline RATCHET_ABI::harness::runs {

scenario_result counter_on_mutex(const settings&);
scenario_result limiter_on_mutex(const settings&);
scenario_result wallet_on_mutex(const settings&);
scenario_result register_on_mutex(const settings&);
scenario_result boxed_register_on_mutex(const settings&);

scenario_result counter_on_native(const settings&);
scenario_result limiter_on_native(const settings&);
scenario_result wallet_on_native(const settings&);
scenario_result register_on_native(const settings&);
scenario_result boxed_register_on_native(const settings&);

scenario_result lost_update(const settings&);
scenario_result torn_read(const settings&);
scenario_result stale_conflict(const settings&);
scenario_result double_create(const settings&);
scenario_result over_grant(const settings&);
scenario_result contended_grant(const settings&);
scenario_result writing_denial(const settings&);
scenario_result overdraft(const settings&);
scenario_result version_reset(const settings&);

}  // namespace ratchet::inline RATCHET_ABI::harness::runs
