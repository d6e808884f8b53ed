// What ratchet-bench is asked for.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace ratchet_bench {

enum class suite : std::uint8_t { operations, sleeping, create, churn };
enum class key_kind : std::uint8_t { integer, string20, string21 };

struct options {
  ratchet_bench::suite suite = suite::operations;
  std::vector<std::string> subjects = {"ratchet", "mutex", "sharded"};
  std::vector<std::size_t> keys = {1'000, 1'000'000};
  std::vector<std::uint32_t> threads = {1, 2};
  key_kind key = key_kind::string21;
  std::size_t cycles = 10'000'000;  // churn: creations and erases
  std::uint32_t rounds = 5;
  std::chrono::milliseconds warm_up{20};
  std::chrono::milliseconds window{150};
  std::uint64_t seed = 1;
  std::string json;  // a file, or none
  bool help = false;

  [[nodiscard]] bool wants(const std::string& subject) const;
};

// Empty: understood. Otherwise what was found and what is accepted.
std::string read_options(int argc, char** argv, options& into);
std::string usage();

}  // namespace ratchet_bench
