// The explorations that take minutes.
#include "store_pairs.hpp"

using namespace world;

namespace {

using enum verb;
using explore::memory;
using store = inlined::store;

TEST(deep_pairs, two_by_handle_boxed) {
  every_pair_by_handle<boxed>(2, complete(memory::sequential));
}
TEST(deep_pairs, two_by_key_boxed) { every_pair_by_key<boxed>(2, complete(memory::sequential)); }
TEST(deep_pairs, two_by_handle_inlined_with_older_values) {
  every_pair_by_handle<inlined>(2, bounded(memory::older_values, 2, true, 1));
}
TEST(deep_pairs, three_by_handle_inlined) {
  every_pair_by_handle<inlined>(3, complete(memory::sequential));
}
TEST(deep_pairs, one_by_new_key_inlined) {
  every_pair_by_new_key<inlined>(bounded(memory::sequential, 3));
}

TEST(deep_slots, of_three_callers_four_calls_each_up_to_four_preemptions) {
  three_callers_of_a_slot(4, bounded(memory::sequential, 4));
}

TEST(deep_growth, two_creations_of_one_key_make_one_record) {
  expect_all<inlined>(one_key<store>, {{{put_absent, 2}}, {{put_absent, 2}}},
                      bounded(memory::sequential, 3));
}
TEST(deep_growth, two_creations_of_one_key_with_store_buffers) {
  expect_all<inlined>(one_key<store>, {{{put_absent, 2}}, {{put_absent, 2}}},
                      bounded(memory::store_buffers, 1));
}
TEST(deep_growth, colliding_keys_fill_one_path_without_loss) {
  expect_all<inlined>(one_key<store>,
                      {{{put_absent, 2}, {put_absent, 3}}, {{put_absent, 4}, {get, 2}}},
                      bounded(memory::sequential, 2));
}
TEST(deep_dropping, an_erased_key_is_made_anew_above_every_version_it_had) {
  expect_all<inlined>(one_tombstone<store>, {{{put_absent, 2}}, {{put_absent, 1}}},
                      bounded(memory::sequential, 3));
}
TEST(deep_dropping, a_reader_beside_a_dropper_beside_a_reclaimer) {
  expect_all<inlined>(one_tombstone<store>, {{{put_absent, 2}}, {{reclaim}}, {{get, 1}}},
                      complete(memory::sequential));
}
TEST(deep_stopped, a_reclaimer_that_stops_for_good_holds_nobody_up) {
  auto options = complete(memory::sequential);
  options.stoppable = {0};
  expect_all<boxed>(one_key<boxed::store>,
                    {{{put, 1, true}, {reclaim}}, {{put, 1, true}, {reclaim}, {get, 1, true}}},
                    options);
}
TEST(deep_orders, of_a_key_dropped_and_made_anew) {
  expect_all<inlined>(one_tombstone<store>, {{{put_absent, 2}}, {{put_absent, 1}}},
                      bounded(memory::older_values, 2, true, 2));
}

}  // namespace
