#include <harness/run_scenario.hpp>
#include <harness/scenario_runs.hpp>

#include <harness/workload_counter.hpp>
#include <harness/workload_limiter.hpp>
#include <harness/workload_register.hpp>
#include <harness/workload_wallet.hpp>

#include <ratchet/native/mutex_store.hpp>

namespace ratchet::inline RATCHET_ABI::harness::runs {
namespace {

using small_store = mutex_store<std::uint64_t, std::int64_t>;
using boxed_store = mutex_store<std::uint64_t, big_value>;
constexpr std::string_view store_name = "mutex";

}  // namespace

scenario_result counter_on_mutex(const settings& wanted) {
  return run_scenario<small_store, counter_scenario>(wanted, store_name);
}
scenario_result limiter_on_mutex(const settings& wanted) {
  return run_scenario<small_store, limiter_scenario>(wanted, store_name);
}
scenario_result wallet_on_mutex(const settings& wanted) {
  return run_scenario<small_store, wallet_scenario>(wanted, store_name);
}
scenario_result register_on_mutex(const settings& wanted) {
  return run_scenario<small_store, register_scenario>(wanted, store_name);
}
scenario_result boxed_register_on_mutex(const settings& wanted) {
  return run_scenario<boxed_store, boxed_register_scenario>(wanted, store_name);
}

}  // namespace ratchet::inline RATCHET_ABI::harness::runs
