// Small programs with and without a fault: found, explained, and found again by the schedule alone.
#include "toy.hpp"

#include <ratchet/base/word128.hpp>

#include <gtest/gtest.h>

using namespace toy;
using ratchet::base::atomic_word128;
using ratchet::base::word128;

namespace {

explore::program counter(std::function<void()> increment) {
  auto p = over_words({increment, increment});
  p.finish = [] { explore::require(now->x.load(relaxed) == 2, "an update was lost"); };
  return p;
}

void add_by_load_and_store() { now->x.store(now->x.load(relaxed) + 1, relaxed); }

void add_by_compare_exchange() {
  std::uint64_t seen = now->x.load(relaxed);
  while (!now->x.compare_exchange(seen, seen + 1, relaxed, relaxed)) explore::yield();
}

TEST(faults, a_counter_of_load_and_store_loses_an_update) {
  const auto report = explore::run(counter(add_by_load_and_store));
  ASSERT_TRUE(report.violation.has_value()) << report.text();
  EXPECT_EQ(report.violation->message, "an update was lost");
  EXPECT_NE(report.violation->trace.find("store x := 1"), std::string::npos) << report.text();
}

TEST(faults, one_preemption_is_enough_to_lose_an_update_and_none_is_not) {
  EXPECT_TRUE(explore::run(counter(add_by_load_and_store), {.preemptions_max = 0}).ok());
  EXPECT_FALSE(explore::run(counter(add_by_load_and_store), {.preemptions_max = 1}).ok());
}

TEST(faults, a_counter_of_compare_exchange_loses_none) {
  for (const auto& mode : {sequential(), buffered()}) {
    const auto report = explore::run(counter(add_by_compare_exchange), mode);
    EXPECT_TRUE(report.ok()) << report.text();
  }
}

TEST(faults, replay_repeats_the_violation_and_its_trace_word_for_word) {
  for (const auto& mode : {sequential(), buffered()}) {
    const auto program = counter(add_by_load_and_store);
    const auto report = explore::run(program, mode);
    ASSERT_TRUE(report.violation.has_value());
    for (int times = 0; times < 2; ++times) {
      const auto again = explore::replay(program, report.violation->schedule);
      ASSERT_TRUE(again.violation.has_value());
      EXPECT_EQ(again.violation->message, report.violation->message);
      EXPECT_EQ(again.violation->schedule, report.violation->schedule);
      EXPECT_EQ(again.violation->trace, report.violation->trace);
    }
  }
}

TEST(faults, a_schedule_that_does_not_fit_is_refused) {
  const auto report = explore::replay(counter(add_by_load_and_store), "sc 0*3");
  ASSERT_TRUE(report.violation.has_value());
  EXPECT_NE(report.violation->message.find("does not fit"), std::string::npos);
  EXPECT_THROW(explore::replay(counter(add_by_load_and_store), "sc 0x"), std::invalid_argument);
}

TEST(faults, a_program_that_changes_from_run_to_run_is_reported) {
  int runs = 0;
  auto program =
      over_words({[&] {
                    if (runs > 3) return;
                    now->x.fetch_add(1, relaxed);
                  },
                  [] { now->x.fetch_add(1, relaxed); }, [] { now->x.fetch_add(1, relaxed); }});
  program.teardown = [&] { ++runs; };
  const auto report = explore::run(program);
  ASSERT_TRUE(report.violation.has_value());
  EXPECT_NE(report.violation->message.find("does not behave the same"), std::string::npos);
}

TEST(faults, a_probe_sees_every_state_between_two_accesses) {
  auto program = over_words({[] {
                               now->x.store(1, seq_cst);
                               now->x.store(0, seq_cst);
                             },
                             [] { now->y.load(relaxed); }});
  program.probe = [] { explore::require(now->x.load(relaxed) == 0, "x is never 1"); };
  const auto report = explore::run(program);
  ASSERT_TRUE(report.violation.has_value());
  EXPECT_EQ(report.violation->message, "x is never 1");
}

TEST(faults, a_time_limit_ends_a_search_that_is_not_complete) {
  const auto many = [] {
    for (int i = 0; i < 40; ++i) now->x.fetch_add(1, relaxed);
  };
  const auto report =
      explore::run(over_words({many, many}), {.time_limit = std::chrono::milliseconds{50}});
  EXPECT_FALSE(report.ok());
  EXPECT_FALSE(report.complete);
  EXPECT_FALSE(report.violation.has_value());
}

// The slot's rule: one compare-exchange of value and version together.
std::optional<atomic_word128> slot;

TEST(wide, of_two_conditional_puts_from_the_same_version_exactly_one_wins) {
  bool won[2];
  word128 lost_to[2];
  const auto put = [&](std::size_t which) {
    return [&, which] {
      word128 seen = slot->load(acquire);
      if (seen.low != 1) return;  // somebody else's version already: a conflict
      won[which] = slot->compare_exchange(seen, {2, 10 + which}, acq_rel, acquire);
      lost_to[which] = seen;
    };
  };
  for (const auto& mode : {sequential(), buffered()}) {
    explore::program p;
    p.setup = [&] {
      slot.emplace(word128{1, 9});
      won[0] = won[1] = false;
      lost_to[0] = lost_to[1] = {};
    };
    p.threads = {put(0), put(1)};
    p.probe = [] {
      const word128 is = slot->load(acquire);
      explore::require(is == word128{1, 9} || is == word128{2, 10} || is == word128{2, 11},
                       "whole");
    };
    p.finish = [&] {
      explore::require(won[0] != won[1], "exactly one commits");
      const std::size_t winner = won[0] ? 0 : 1;
      const word128 shown = lost_to[1 - winner];
      explore::require(shown == word128{} || shown == word128{2, 10 + winner},
                       "the loser is shown it");
    };
    const auto report = explore::run(p, mode);
    EXPECT_TRUE(report.ok()) << report.text();
  }
}

TEST(wide, two_narrow_loads_of_a_pair_are_torn_and_one_wide_load_is_not) {
  static std::optional<atomic_word128> pair;
  const auto with = [](bool wide) {
    explore::program p;
    p.setup = [] { pair.emplace(word128{1, 1}); };
    p.threads = {[] {
                   word128 seen{1, 1};
                   pair->compare_exchange(seen, {2, 2}, acq_rel, acquire);
                 },
                 [wide] {
                   word128 seen;
                   if (wide) {
                     seen = pair->load(acquire);
                   } else {
                     const auto* const half = reinterpret_cast<const std::uint64_t*>(&*pair);
                     seen = {explore::load(half, 8, acquire), explore::load(half + 1, 8, acquire)};
                   }
                   explore::require(seen.low == seen.high, "torn");
                 }};
    return explore::run(p);
  };
  EXPECT_TRUE(with(true).ok());
  EXPECT_FALSE(with(false).ok());
}

}  // namespace
