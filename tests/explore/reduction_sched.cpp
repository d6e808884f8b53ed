// How many schedules there are, and that leaving out equivalent ones loses no ending and no state.
#include "toy.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace toy;

namespace {

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

std::function<void()> adds(word words::* which, int times) {
  return [=] {
    for (int i = 0; i < times; ++i) ((*now).*which).fetch_add(1, relaxed);
  };
}

explore::report count(bodies threads, bool reduce, std::optional<unsigned> preemptions_max = {}) {
  return explore::run(over_words(std::move(threads)),
                      {.preemptions_max = preemptions_max, .reduce = reduce});
}

TEST(schedules, plain_enumeration_runs_each_interleaving_once) {
  for (int a = 1; a <= 5; ++a) {
    for (int b = 1; b <= 5; ++b) {
      const auto report = count({adds(&words::x, a), adds(&words::y, b)}, false);
      EXPECT_TRUE(report.ok());
      EXPECT_EQ(report.executions,
                choose(static_cast<std::uint64_t>(a + b), static_cast<std::uint64_t>(a)));
    }
  }
  EXPECT_EQ(count({adds(&words::x, 2), adds(&words::x, 2), adds(&words::x, 2)}, false).executions,
            90u);
}

TEST(schedules, dependent_accesses_are_never_reduced_and_independent_ones_to_one) {
  EXPECT_EQ(count({adds(&words::x, 4), adds(&words::x, 4)}, true).executions, choose(8, 4));
  EXPECT_EQ(count({adds(&words::x, 4), adds(&words::y, 4)}, true).executions, 1u);
  const auto reads = [] {
    for (int i = 0; i < 4; ++i) now->x.load(relaxed);
  };
  EXPECT_EQ(count({reads, reads}, true).executions, 1u);
}

TEST(schedules, a_bound_on_preemptions_counts_them) {
  // Two threads of n steps: without a pre-emption one runs after the other; with one, the first is
  // cut at one of n - 1 places.
  const auto with = [](unsigned bound) {
    return count({adds(&words::x, 4), adds(&words::x, 4)}, false, bound).executions;
  };
  EXPECT_EQ(with(0), 2u);
  EXPECT_EQ(with(1), 2u + 2u * 3u);
  EXPECT_EQ(with(100), choose(8, 4));
}

TEST(schedules, to_leave_a_thread_that_only_waits_for_its_own_drains_is_a_preemption) {
  auto options = buffered();
  options.preemptions_max = 0;
  const auto found = ends_of({[] {
                                now->x.store(1, relaxed);
                                now->z.exchange(1, relaxed);
                              },
                              [] {
                                now->r[0] = now->z.load(relaxed);
                                now->r[1] = now->x.load(relaxed);
                              }},
                             two_registers, options);
  EXPECT_EQ(found.seen, (std::set<outcome>{{0, 0}, {1, 1}}));
}

// A random program: up to three threads with a few loads, stores, and locked accesses on three
// words.
struct random_step {
  int kind;
  int target;
  std::uint64_t value;
};

void run_step(const random_step& step, std::uint64_t& seen) {
  word& at = step.target == 0 ? now->x : step.target == 1 ? now->y : now->z;
  std::uint64_t expected = step.value % 2;
  switch (step.kind) {
    case 0:
      seen = seen * 7 + at.load(relaxed) + 1;
      break;
    case 1:
      at.store(step.value, relaxed);
      break;
    case 2:
      at.store(step.value, seq_cst);
      break;
    case 3:
      seen = seen * 7 + at.fetch_add(1, relaxed) + 1;
      break;
    case 4:
      at.compare_exchange(expected, step.value, relaxed, relaxed);
      seen = seen * 7 + expected + 1;
      break;
    case 5:
      explore::membarrier();
      break;
    default:  // waits, and gives up at last
      for (int i = 0; i < 4 && at.load(relaxed) == 0; ++i) explore::yield();
      seen = seen * 7 + at.load(relaxed) + 1;
      break;
  }
}

bodies random_program(std::mt19937& random, int kinds) {
  bodies threads;
  const int count = 2 + static_cast<int>(random() % 2);
  for (int i = 0; i < count; ++i) {
    std::vector<random_step> steps;
    const int length = count == 2 ? 3 + static_cast<int>(random() % 2) : 2;
    for (int s = 0; s < length; ++s)
      steps.push_back({static_cast<int>(random() % static_cast<unsigned>(kinds)),
                       static_cast<int>(random() % 3), 1 + random() % 3});
    threads.push_back([steps, i] {
      for (const auto& step : steps) run_step(step, now->r[i]);
    });
  }
  return threads;
}

outcome everything() {
  outcome all = registers();
  for (const word* at : {&now->x, &now->y, &now->z}) all.push_back(at->load(relaxed));
  return all;
}

void expect_same_endings(unsigned seed, explore::options options, int kinds) {
  std::mt19937 random(seed);
  const bodies threads = random_program(random, kinds);
  options.reduce = false;
  const auto plain = ends_of(threads, everything, options);
  options.reduce = true;
  const auto reduced = ends_of(threads, everything, options);
  ASSERT_TRUE(plain.report.ok() && reduced.report.ok());
  EXPECT_EQ(plain.seen, reduced.seen) << "seed " << seed;
  EXPECT_LE(reduced.report.executions, plain.report.executions);
}

TEST(reduction, finds_the_same_endings_as_plain_enumeration_when_sequential) {
  for (unsigned seed = 0; seed < 300; ++seed) expect_same_endings(seed, sequential(), 5);
}

TEST(reduction, finds_the_same_endings_as_plain_enumeration_with_store_buffers) {
  for (unsigned seed = 0; seed < 150; ++seed) expect_same_endings(seed, buffered(), 6);
}

TEST(reduction, finds_the_same_endings_under_a_bound_on_preemptions) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    for (unsigned bound = 0; bound <= 2; ++bound) {
      auto options = buffered();
      options.preemptions_max = bound;
      expect_same_endings(seed, options, 6);
    }
  }
}

TEST(reduction, finds_the_same_endings_of_threads_that_wait_for_each_other) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    for (auto options : {sequential(), buffered()}) {
      options.idle_rounds_max = 20;
      expect_same_endings(seed, options, 7);
    }
  }
}

TEST(reduction, finds_the_same_endings_when_a_thread_stops) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    auto options = buffered();
    options.stoppable = {0, 1};
    expect_same_endings(seed, options, 6);
  }
}

TEST(reduction, shows_the_probe_every_state) {
  const auto states = [](bool reduce) {
    std::set<outcome> seen;
    auto p = over_words({adds(&words::x, 3), adds(&words::y, 3), adds(&words::z, 2)});
    p.probe = [&] { seen.insert(everything()); };
    const auto report = explore::run(p, {.reduce = reduce});
    EXPECT_TRUE(report.ok());
    return seen;
  };
  EXPECT_EQ(states(true), states(false));
  EXPECT_EQ(states(true).size(), 4u * 4u * 3u - 1u);
}

TEST(reduction, runs_far_fewer_schedules) {
  const bodies threads{[] {
                         now->x.fetch_add(1, relaxed);
                         now->y.fetch_add(1, relaxed);
                       },
                       [] {
                         now->y.fetch_add(1, relaxed);
                         now->z.fetch_add(1, relaxed);
                       },
                       [] {
                         now->z.fetch_add(1, relaxed);
                         now->x.fetch_add(1, relaxed);
                       }};
  const auto plain = count(threads, false);
  const auto reduced = count(threads, true);
  EXPECT_EQ(plain.executions, 90u);
  EXPECT_EQ(reduced.executions, 7u);  // 2 x 2 x 2 orders of the three pairs; one of them is a cycle
}

}  // namespace
