// The clock takes the time stamp counters only where they can be trusted.
#include <harness/tick_clock.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace {

using ratchet::harness::offset_bounds;
using ratchet::harness::tick_clock;

TEST(tick_clock, widens_by_the_worst_offset) {
  const auto clock = tick_clock::choose(true, true, {{-300, 120}, {-10, 700}}, 2.0);
  EXPECT_EQ(clock.kind(), tick_clock::source::tsc);
  EXPECT_EQ(clock.widening(), 700u);
  EXPECT_EQ(tick_clock::choose(true, true, {{-900, 120}, {-10, 700}}, 2.0).widening(), 900u);
  EXPECT_EQ(tick_clock::choose(true, true, {}, 2.0).widening(), 0u);
}

TEST(tick_clock, falls_back_to_one_counter_and_says_why) {
  const std::int64_t far = tick_clock::widening_max + 1;
  const std::vector<offset_bounds> good{{-100, 100}};
  for (const auto& clock :
       {tick_clock::choose(false, true, good, 2.0), tick_clock::choose(true, false, good, 2.0),
        tick_clock::choose(true, true, {{-100, 100}, {0, far}}, 2.0),
        tick_clock::choose(true, true, {{-far, 0}}, 2.0)}) {
    EXPECT_EQ(clock.kind(), tick_clock::source::shared);
    EXPECT_EQ(clock.widening(), 0u);
    EXPECT_EQ(clock.ticks_per_ns(), 0.0);
    EXPECT_EQ(clock.why().find("shared counter: "), 0u) << clock.why();
  }
}

TEST(tick_clock, one_counter_never_gives_a_tick_twice) {
  const auto clock = tick_clock::shared_counter("test");
  std::vector<std::uint64_t> ticks[2];
  {
    std::vector<std::jthread> threads;
    for (auto& mine : ticks)
      threads.emplace_back([&] {
        for (int i = 0; i < 10'000; ++i) mine.push_back(i % 2 == 0 ? clock.begin() : clock.end());
      });
  }
  std::vector<bool> seen(20'002);
  for (const auto& mine : ticks)
    for (const std::uint64_t tick : mine) {
      ASSERT_LT(tick, seen.size());
      EXPECT_FALSE(seen[tick]);
      seen[tick] = true;
    }
}

TEST(tick_clock, measures_this_machine) {
  const auto clock = tick_clock::measure();
  const std::uint64_t begin = clock.begin();
  const std::uint64_t end = clock.end();
  EXPECT_LE(begin, end);
  EXPECT_GT(begin, clock.widening());
  std::printf("%s\n", clock.why().c_str());
}

}  // namespace
