// Calibration: an operation of 10 ms must read 10 ms, at any number of threads.
#include "cases.hpp"
#include "window.hpp"

#include <thread>

namespace ratchet_bench {

void add_sleeping(const options& wanted, cases& into) {
  for (const std::uint32_t threads : wanted.threads) {
    into.push_back({"sleep_10_ms", "calibration", 0, threads, [wanted, threads] {
                      const auto found = measure(threads, wanted, 1, [](std::uint32_t) {
                        return [](tally& to, std::uint32_t) {
                          std::this_thread::sleep_for(std::chrono::milliseconds(10));
                          ++to.operations;
                        };
                      });
                      return found.counters();
                    }});
  }
}

}  // namespace ratchet_bench
