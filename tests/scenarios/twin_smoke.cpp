// Each broken twin is found, every time, with whatever overlap the run makes; and a harness that
// does not find its canary says so.
#include <harness/scenarios.hpp>

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace ratchet::harness;

const tick_clock& the_clock() {
  static const tick_clock clock = tick_clock::measure();
  return clock;
}

settings small(double overlap) {
  settings wanted;
  wanted.callers = 32;
  wanted.rounds = 1;
  wanted.overlap = overlap;
  wanted.seed = std::uint64_t{std::random_device()()};
  wanted.clock = &the_clock();
  return wanted;
}

struct expected_fault {
  const char* twin;
  std::vector<std::string_view> names;  // one of these at least
};

class twin : public ::testing::TestWithParam<expected_fault> {};

TEST_P(twin, is_caught_20_times_of_20) {
  const auto* entry = find_scenario(GetParam().twin);
  ASSERT_NE(entry, nullptr);
  for (int time = 0; time < 20; ++time) {
    const auto run = entry->run(small(time % 2 == 0 ? 0.5 : 0.0), store_default);
    ASSERT_EQ(run.verdict, verdict::violation) << "time " << time;
    bool named = false;
    for (const std::string_view name : GetParam().names) named |= run.main.found.names(name);
    ASSERT_TRUE(named) << "found instead: " << run.main.found.kept()[0].name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    all, twin,
    ::testing::Values(
        expected_fault{"twin:lost-update", {"wrong-increment"}},
        expected_fault{"twin:torn-read", {"value-mismatch"}},
        expected_fault{"twin:stale-conflict", {"stale-conflict", "conflict-without-cause"}},
        expected_fault{"twin:double-create", {"double-create"}},
        expected_fault{"twin:over-grant", {"forbidden-transition"}},
        expected_fault{"twin:contended-grant", {"wrong-count"}},
        expected_fault{"twin:writing-denial", {"forbidden-transition"}},
        expected_fault{"twin:overdraft", {"forbidden-transition"}},
        expected_fault{"twin:version-reset", {"duplicate-version", "version-went-back"}}),
    [](const auto& one) {
      std::string name = one.param.twin + 5;
      for (char& letter : name)
        if (letter == '-') letter = '_';
      return name;
    });

TEST(twin_list, has_every_twin_in_the_test_above) {
  int twins = 0;
  for (const auto& one : all_scenarios()) twins += one.is_twin ? 1 : 0;
  EXPECT_EQ(twins, 9);
}

TEST(canary, each_twin_serves_as_one) {
  for (const auto& one : all_scenarios()) {
    if (one.is_twin) {
      EXPECT_EQ(blindness(small(0.5), one), "");
    }
  }
}

TEST(canary, a_harness_that_finds_nothing_is_blind) {
  EXPECT_NE(blindness(small(0.5), *find_scenario("counter")).find("blind"), std::string::npos);
}

}  // namespace
