// How many schedules there are, and that leaving out equivalent ones loses no ending and no state.
#include "toy.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <tuple>

using namespace toy;

namespace {

using explore::reduction;

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

explore::report count(bodies threads, explore::reduction reduce,
                      std::optional<unsigned> preemptions_max = {}) {
  return explore::run(over_words(std::move(threads)),
                      {.preemptions_max = preemptions_max, .reduce = reduce});
}

TEST(schedules, plain_enumeration_runs_each_interleaving_once) {
  for (int a = 1; a <= 5; ++a) {
    for (int b = 1; b <= 5; ++b) {
      const auto report = count({adds(&words::x, a), adds(&words::y, b)}, reduction::none);
      EXPECT_TRUE(report.ok());
      EXPECT_EQ(report.executions,
                choose(static_cast<std::uint64_t>(a + b), static_cast<std::uint64_t>(a)));
    }
  }
  EXPECT_EQ(count({adds(&words::x, 2), adds(&words::x, 2), adds(&words::x, 2)}, reduction::none)
                .executions,
            90u);
}

TEST(schedules, dependent_accesses_are_never_reduced_and_independent_ones_to_one) {
  EXPECT_EQ(count({adds(&words::x, 4), adds(&words::x, 4)}, reduction::sleep_sets).executions,
            choose(8, 4));
  EXPECT_EQ(count({adds(&words::x, 4), adds(&words::y, 4)}, reduction::sleep_sets).executions, 1u);
  const auto reads = [] {
    for (int i = 0; i < 4; ++i) now->x.load(relaxed);
  };
  EXPECT_EQ(count({reads, reads}, reduction::sleep_sets).executions, 1u);
}

TEST(schedules, a_bound_on_preemptions_counts_them) {
  // Two threads of n steps: without a pre-emption one runs after the other; with one, the first is
  // cut at one of n - 1 places.
  const auto with = [](unsigned bound) {
    return count({adds(&words::x, 4), adds(&words::x, 4)}, reduction::none, bound).executions;
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

// What happened at each word, as far as swapping independent steps leaves it: reads between two
// writes have no order.
class happening {
 public:
  void note(const word& at, int thread, int step, bool writes) {
    auto& there = by_word_[&at];
    if (writes || there.empty() || there.back().writes) there.push_back({writes, {}});
    there.back().steps.insert({thread, step});
  }
  friend bool operator<(const happening& a, const happening& b) { return a.by_word_ < b.by_word_; }

 private:
  struct group {
    bool writes;
    std::set<std::pair<int, int>> steps;
    friend bool operator<(const group& a, const group& b) {
      return std::tie(a.writes, a.steps) < std::tie(b.writes, b.steps);
    }
  };
  std::map<const word*, std::vector<group>> by_word_;
};

std::optional<happening> happened;

// A random program: up to three threads with a few loads, stores, and locked accesses on three
// words.
struct random_step {
  int kind;
  int target;
  std::uint64_t value;
};

void run_step(const random_step& step, std::uint64_t& seen, int thread, int number) {
  word& at = step.target == 0 ? now->x : step.target == 1 ? now->y : now->z;
  std::uint64_t expected = step.value % 2;
  switch (step.kind) {
    case 0:
      seen = seen * 7 + at.load(relaxed) + 1;
      happened->note(at, thread, number, false);
      break;
    case 1:
      at.store(step.value, relaxed);
      happened->note(at, thread, number, true);
      break;
    case 2:
      at.store(step.value, seq_cst);
      happened->note(at, thread, number, true);
      break;
    case 3:
      seen = seen * 7 + at.fetch_add(1, relaxed) + 1;
      happened->note(at, thread, number, true);
      break;
    case 4: {
      const bool wrote = at.compare_exchange(expected, step.value, relaxed, relaxed);
      happened->note(at, thread, number, wrote);
      seen = seen * 7 + expected + 1;
      break;
    }
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
      int number = 0;
      for (const auto& step : steps) run_step(step, now->r[i], i, ++number);
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
  happened.emplace();
  const auto with = [&](reduction reduce) {
    options.reduce = reduce;
    return ends_of(threads, everything, options);
  };
  const auto plain = with(reduction::none);
  const auto asleep = with(reduction::sleep_sets);
  const auto races = with(reduction::races);
  ASSERT_TRUE(plain.report.ok() && asleep.report.ok() && races.report.ok());
  EXPECT_EQ(plain.seen, asleep.seen) << "seed " << seed;
  EXPECT_EQ(plain.seen, races.seen) << "seed " << seed;
  EXPECT_LE(asleep.report.executions, plain.report.executions);
  // Both run each equivalence class once; races give up fewer half-way.
  EXPECT_EQ(races.report.executions, asleep.report.executions) << "seed " << seed;
  EXPECT_LE(races.report.cut, asleep.report.cut) << "seed " << seed;
}

// The words stay where they are, so that their addresses name them in every execution.
explore::report classes_of(const bodies& threads, reduction reduce, std::set<happening>& classes) {
  auto p = over_words(threads);
  p.setup = [] {
    begin();
    happened.emplace();
  };
  p.finish = [&] { classes.insert(*happened); };
  return explore::run(p, {.reduce = reduce});
}

TEST(reduction, runs_each_class_of_equivalent_schedules_once) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const bodies threads = random_program(random, 5);
    std::set<happening> all, found;
    EXPECT_TRUE(classes_of(threads, reduction::none, all).ok());
    const auto report = classes_of(threads, reduction::races, found);
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.executions, all.size()) << "seed " << seed;
    EXPECT_EQ(found.size(), all.size()) << "seed " << seed;
  }
}

TEST(reduction, finds_races_in_memory_that_moves_from_execution_to_execution) {
  static std::vector<std::unique_ptr<words>> moved;  // all kept: no address comes back
  auto p = over_words({[] {
                         moved.back()->x.fetch_add(1, relaxed);
                         moved.back()->x.fetch_add(1, relaxed);
                       },
                       [] {
                         moved.back()->x.fetch_add(1, relaxed);
                         moved.back()->x.fetch_add(1, relaxed);
                       }});
  p.setup = [] { moved.push_back(std::make_unique<words>()); };
  const auto report = explore::run(p, {.reduce = reduction::races});
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.executions, choose(4, 2));
  moved.clear();
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
  const auto states = [](explore::reduction reduce) {
    std::set<outcome> seen;
    auto p = over_words({adds(&words::x, 3), adds(&words::y, 3), adds(&words::z, 2)});
    p.probe = [&] { seen.insert(everything()); };
    const auto report = explore::run(p, {.reduce = reduce});
    EXPECT_TRUE(report.ok());
    return seen;
  };
  EXPECT_EQ(states(reduction::sleep_sets), states(reduction::none));
  EXPECT_EQ(states(reduction::sleep_sets).size(), 4u * 4u * 3u - 1u);
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
  const auto plain = count(threads, reduction::none);
  const auto reduced = count(threads, reduction::sleep_sets);
  EXPECT_EQ(plain.executions, 90u);
  EXPECT_EQ(reduced.executions, 7u);  // 2 x 2 x 2 orders of the three pairs; one of them is a cycle
}

}  // namespace
