// A benchmark, and the counters it reports.
#pragma once

#include "options.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ratchet_bench {

using counters = std::map<std::string, double>;

// One cell of the table. `run` measures one repetition, checks its counts, and may be called again.
struct bench_case {
  std::string operation;
  std::string subject;
  std::size_t keys;
  std::uint32_t threads;
  std::function<counters()> run;
};
using cases = std::vector<bench_case>;

// Adds one case for each subject, key count and thread count that the options name.
void add_handle_operations(const options&, cases&);
void add_integer_operations(const options&, cases&);
void add_string_operations(const options&, cases&);
void add_boxed_operations(const options&, cases&);
void add_hot_key(const options&, cases&);
void add_sleeping(const options&, cases&);
void add_create(const options&, cases&);
void add_churn(const options&, cases&);

// A count is not what it must be: says so and ends the process, since its figures mean nothing.
[[noreturn]] void broken(const std::string& cell, const std::string& what, std::uint64_t found,
                         std::uint64_t expected);
inline void check_count(const std::string& cell, const std::string& what, std::uint64_t found,
                        std::uint64_t expected) {
  if (found != expected) broken(cell, what, found, expected);
}

}  // namespace ratchet_bench
