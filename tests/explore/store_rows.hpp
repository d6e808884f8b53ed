// What a test of the explored store prints: one row of the table in docs/testing.md.
#pragma once

#include "store_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <set>

namespace world {

// Everything a test explored, over all its programs. Cut by its time limit it is red.
class row {
 public:
  row() = default;
  row(const row&) = delete;
  row& operator=(const row&) = delete;
  ~row() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string bound = "all";
    if (bound_) bound = std::to_string(*bound_);
    std::printf("explored | %s.%s | %zu | %s | %s | %llu | %zu | %zu | %.1f\n",
                test->test_suite_name(), test->name(), programs_, modes().c_str(), bound.c_str(),
                static_cast<unsigned long long>(executions_), accesses_, stops_, seconds_);
  }

  // False: a violation, or not all of it was run.
  template <class Program>
  [[nodiscard]] bool covers(Program&& program, const explore::options& options) {
    const auto report = explore::run(program.get(), options);
    EXPECT_TRUE(report.ok()) << report.text();
    ++programs_;
    modes_.insert(report.memory);
    bound_ = report.preemptions_max;
    executions_ += report.executions;
    stops_ += report.stops;
    seconds_ += report.wall.count();
    for (const std::size_t n : report.accesses_max) accesses_ = std::max(accesses_, n);
    return report.ok();
  }

 private:
  std::string modes() const {
    std::string all;
    for (const explore::memory one : modes_)
      all += (all.empty() ? "" : ", ") + std::string(explore::describe(one));
    return all;
  }

  std::size_t programs_ = 0;
  std::set<explore::memory> modes_;
  std::optional<unsigned> bound_;
  std::uint64_t executions_ = 0;
  std::size_t accesses_ = 0;  // of one thread in one execution
  std::size_t stops_ = 0;
  double seconds_ = 0;
};

// Every schedule, up to equivalence.
inline explore::options complete(explore::memory memory, bool asymmetric = true) {
  explore::options o;
  o.memory = memory;
  o.asymmetric = asymmetric;
  o.reduce = explore::reduction::races;
  o.buffer_entries_max = 2;
  o.time_limit = std::chrono::minutes(4);
  return o;
}

// Every schedule with at most so many pre-emptions; RATCHET_EXPLORE_DEEPER=n adds n to each bound.
// With older values also at most so many older loads.
inline explore::options bounded(explore::memory memory, unsigned preemptions,
                                bool asymmetric = true, unsigned older_loads = 2) {
  const char* deeper = std::getenv("RATCHET_EXPLORE_DEEPER");
  explore::options o = complete(memory, asymmetric);
  o.preemptions_max =
      preemptions + (deeper != nullptr ? static_cast<unsigned>(std::stoul(deeper)) : 0);
  o.older_loads_max = older_loads;
  o.time_limit = std::chrono::minutes(deeper != nullptr ? 0 : 4);
  return o;
}

// Starts of the store, before its callers. One word is used: the next creation leaves the table.
inline void nothing(auto&) {}
inline void one_key(auto& s) { s.put(1, typename std::decay_t<decltype(s)>::value_type(5)); }
// The one used word leads to an erased key: the next creation drops it.
inline void one_tombstone(auto& s) {
  one_key(s);
  (void)s.erase(1);
}

// One program, whole.
template <class Program>
void expect_all(void (*before)(typename Program::store&), std::vector<std::vector<call>> threads,
                const explore::options& options) {
  row covered;
  EXPECT_TRUE(covered.covers(Program(before, std::move(threads)), options));
}

// What stays in the slot: an erase goes on to the index.
inline std::vector<std::vector<call>> four_calls_each(std::mt19937_64& random,
                                                      std::size_t callers) {
  using enum verb;
  static constexpr verb verbs[] = {get, put, put_match, put_absent};
  std::vector<std::vector<call>> calls(callers);
  for (auto& mine : calls)
    for (int i = 0; i < 4; ++i) mine.push_back({verbs[random() % std::size(verbs)], 1, true});
  return calls;
}

// Programs of three callers with four calls each; the same ones in every run.
inline void three_callers_of_a_slot(std::size_t programs, const explore::options& options) {
  std::mt19937_64 random(20'251);
  row covered;
  for (std::size_t i = 0; i < programs; ++i)
    ASSERT_TRUE(
        covered.covers(inlined(one_key<inlined::store>, four_calls_each(random, 3)), options));
}

}  // namespace world
