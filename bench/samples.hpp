// What was measured, as it came: one sample a cell and round.
#pragma once

#include "options.hpp"

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace ratchet_bench {

struct sample {
  std::string operation;
  std::string subject;
  std::uint64_t keys;
  std::uint32_t threads;
  std::uint32_t round;
  std::map<std::string, double> counters;
};

// Takes our counters from Google Benchmark, and prints them: its own times are left out.
class sample_reporter final : public benchmark::BenchmarkReporter {
 public:
  void begin_round(std::uint32_t round) { round_ = round; }
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override;

  [[nodiscard]] const std::vector<sample>& all() const noexcept { return samples_; }

 private:
  std::uint32_t round_ = 0;
  std::vector<sample> samples_;
};

// Throws std::runtime_error when the file cannot be written.
void write_json(const options& wanted, const std::vector<sample>& all);

}  // namespace ratchet_bench
