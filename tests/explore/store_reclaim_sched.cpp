// Boxed values: replaced under readers, reclaimed under readers, in both fence modes.
#include "store_world.hpp"

#include <gtest/gtest.h>

#include <iostream>

using namespace world;

namespace {

using enum verb;
using explore::memory;

void one_value(boxed::store& s) { s.put(1, witness(5)); }

void expect_all(std::vector<std::vector<call>> threads, explore::options options) {
  boxed program(one_value, std::move(threads));
  const auto report = explore::run(program.get(), options);
  EXPECT_TRUE(report.ok()) << report.text();
  std::cout << "  executions " << report.executions << ", transitions " << report.transitions
            << ", " << report.wall.count() << " s\n";
}

TEST(boxes, a_reader_by_handle_beside_replace_and_reclaim) {
  expect_all({{{put, 1, true}, {reclaim}}, {{get, 1, true}}}, bounded(memory::store_buffers, 2));
}

TEST(boxes, a_reader_by_key_beside_replace_and_reclaim) {
  expect_all({{{put, 1, true}, {reclaim}}, {{get, 1}}}, bounded(memory::store_buffers, 2));
}

TEST(boxes, the_symmetric_mode_protects_alike) {
  expect_all({{{put, 1, true}, {reclaim}}, {{get, 1, true}}},
             bounded(memory::store_buffers, 2, false));
}

TEST(boxes, a_loser_is_shown_a_value_that_lives) {
  expect_all({{{put, 1, true}, {reclaim}}, {{put_match, 1, true}}},
             bounded(memory::store_buffers, 2));
}

TEST(boxes, erase_hands_out_what_it_removed) {
  expect_all({{{erase, 1, true}, {reclaim}}, {{erase, 1, true}, {reclaim}}},
             bounded(memory::sequential, 2));
}

TEST(boxes, two_reclaimers_at_once) {
  expect_all({{{put, 1, true}, {reclaim}}, {{put, 1, true}, {reclaim}}},
             bounded(memory::sequential, 2));
}

TEST(boxes, a_reclaimer_that_stops_for_good_holds_nobody_up) {
  auto options = bounded(memory::sequential, 1);
  options.stoppable = {0};
  expect_all({{{put, 1, true}, {reclaim}}, {{put, 1, true}, {reclaim}, {get, 1, true}}}, options);
}

}  // namespace
