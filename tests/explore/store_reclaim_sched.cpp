// Boxed values: replaced under readers, reclaimed under readers, in both fence modes and with store
// buffers. All schedules.
#include "store_rows.hpp"

using namespace world;

namespace {

using enum verb;
using explore::memory;
using store = boxed::store;
using callers = std::vector<std::vector<call>>;

void expect_whole(const callers& threads, std::vector<std::size_t> stoppable = {}) {
  row covered;
  for (const memory mode : {memory::sequential, memory::store_buffers})
    for (const bool asymmetric : {true, false}) {
      auto options = complete(mode, asymmetric);
      options.stoppable = stoppable;
      EXPECT_TRUE(covered.covers(boxed(one_key<store>, threads), options));
    }
}

TEST(boxes, a_reader_by_handle_beside_replace_and_reclaim) {
  expect_whole({{{put, 1, true}, {reclaim}}, {{get, 1, true}}});
}

TEST(boxes, a_reader_by_key_beside_replace_and_reclaim) {
  expect_whole({{{put, 1, true}, {reclaim}}, {{get, 1}}});
}

TEST(boxes, a_loser_is_shown_a_value_that_lives) {
  expect_whole({{{put, 1, true}, {reclaim}}, {{put_match, 1, true}}});
}

TEST(boxes, erase_hands_out_what_it_removed) {
  expect_whole({{{erase, 1, true}, {reclaim}}, {{get, 1, true}}});
}

TEST(boxes, two_erasers_and_two_reclaimers_at_once) {
  expect_all<boxed>(one_key<store>, {{{erase, 1, true}, {reclaim}}, {{erase, 1, true}, {reclaim}}},
                    complete(memory::sequential));
}

TEST(boxes, two_reclaimers_at_once) {
  expect_whole({{{put, 1, true}, {reclaim}}, {{put, 1, true}, {reclaim}}});
}

TEST(boxes, a_reader_that_stops_for_good_keeps_what_it_reads) {
  expect_whole({{{put, 1, true}, {reclaim}, {reclaim}}, {{get, 1, true}}}, {1});
}

TEST(boxes, a_reclaimer_that_stops_for_good_holds_nobody_up) {
  auto options = bounded(memory::sequential, 1);
  options.stoppable = {0};
  expect_all<boxed>(one_key<store>,
                    {{{put, 1, true}, {reclaim}}, {{put, 1, true}, {reclaim}, {get, 1, true}}},
                    options);
}

}  // namespace
