// Growth, clean-up, dropping and re-creation, with the shortest tables: one chunk of two words and
// up. Whole where no two callers create at once, in both memory modes; else up to a bound.
#include "store_rows.hpp"

using namespace world;

namespace {

using enum verb;
using explore::memory;
using store = inlined::store;
using callers = std::vector<std::vector<call>>;

// Every schedule, sequential and with store buffers, in both fence modes.
void expect_whole(void (*before)(store&), const callers& threads) {
  row covered;
  for (const memory mode : {memory::sequential, memory::store_buffers})
    for (const bool asymmetric : {true, false})
      EXPECT_TRUE(covered.covers(inlined(before, threads), complete(mode, asymmetric)));
}

void expect_bounded(void (*before)(store&), const callers& threads, unsigned preemptions) {
  expect_all<inlined>(before, threads, bounded(memory::sequential, preemptions));
}

TEST(growth, a_reader_of_a_present_key_never_misses_it) {
  expect_whole(one_key<store>, {{{put_absent, 2}}, {{get, 1}}});
}

TEST(growth, a_conditional_put_commits_or_sees_what_won_while_the_table_moves) {
  expect_whole(one_key<store>, {{{put_absent, 2}}, {{put_match, 1}}});
}

TEST(growth, two_migrations_in_a_row_beside_a_reader) {
  expect_whole(one_key<store>, {{{put_absent, 2}, {put_absent, 3}}, {{get, 1}, {get, 3}}});
}

TEST(growth, two_creations_of_one_key_make_one_record) {
  expect_bounded(one_key<store>, {{{put_absent, 2}}, {{put_absent, 2}}}, 2);
}

TEST(growth, colliding_keys_fill_one_path_without_loss) {
  expect_bounded(one_key<store>, {{{put_absent, 2}, {put_absent, 3}}, {{put_absent, 4}, {get, 2}}},
                 1);
}

TEST(dropping, a_token_from_before_the_drop_never_matches) {
  expect_whole(one_key<store>, {{{erase, 1}, {put_absent, 2}, {put_absent, 1}}, {{put_match, 1}}});
}

TEST(dropping, a_handle_outlives_the_record) {
  expect_whole(one_key<store>,
               {{{erase, 1}, {put_absent, 2}}, {{put_absent, 1, true}, {get, 1, true}}});
}

TEST(dropping, a_reader_never_touches_a_dropped_record_after_it_was_freed) {
  expect_whole(one_tombstone<store>, {{{put_absent, 2}, {reclaim}}, {{get, 1}}});
}

TEST(dropping, old_tables_are_freed_under_no_reader) {
  expect_whole(one_key<store>, {{{put_absent, 2}, {reclaim}}, {{get, 1}}});
}

// The old table says `keep` for ever, while the record is dropped from the one after it.
TEST(dropping, a_reader_two_tables_behind_does_not_touch_what_was_dropped_since) {
  expect_whole(one_key<store>,
               {{{put_absent, 2}, {erase, 1}, {put_absent, 3}, {reclaim}}, {{get, 1}}});
}

TEST(dropping, an_erased_key_is_made_anew_above_every_version_it_had) {
  expect_bounded(one_tombstone<store>, {{{put_absent, 2}}, {{put_absent, 1}}}, 2);
}

TEST(dropping, an_eraser_beside_a_migration_beside_a_creation) {
  expect_bounded(one_key<store>, {{{erase, 1}, {put_absent, 2}}, {{put_absent, 1}, {get, 1}}}, 2);
}

// Pinned after the dropper saw no pin: only the pin keeps the record from the reclaimer.
TEST(dropping, a_handle_taken_while_its_record_is_dropped) {
  expect_bounded(one_tombstone<store>, {{{put_absent, 2}, {reclaim}}, {{get_by_new_handle, 1}}}, 2);
}

// Freed before the root has moved: only the dropped word shows it.
TEST(dropping, a_reader_beside_a_dropper_beside_a_reclaimer) {
  expect_bounded(one_tombstone<store>, {{{put_absent, 2}}, {{reclaim}}, {{get, 1}}}, 2);
}

TEST(stopped, a_creator_that_stops_for_good_holds_nobody_up) {
  auto options = bounded(memory::sequential, 1);
  options.stoppable = {0};
  expect_all<inlined>(one_key<store>, {{{put_absent, 2}}, {{put_absent, 3}, {get, 1}}}, options);
}

// Whoever it leaves a sealed record to goes on without it.
TEST(stopped, a_dropper_that_stops_for_good_holds_nobody_up) {
  auto options = bounded(memory::sequential, 0);
  options.stoppable = {0};
  expect_all<inlined>(one_tombstone<store>, {{{put_absent, 2}}, {{put_absent, 1}, {get, 1}}},
                      options);
}

TEST(stopped, an_eraser_that_stops_for_good_holds_nobody_up) {
  auto options = bounded(memory::sequential, 1);
  options.stoppable = {0};
  expect_all<inlined>(one_key<store>, {{{erase, 1}, {put_absent, 2}}, {{put_absent, 1}, {get, 1}}},
                      options);
}

// Whatever the one who stopped has done, the others' calls end, and no key is lost to them.
TEST(stopped, a_reader_or_a_writer_may_be_the_one) {
  auto options = complete(memory::sequential);
  options.stoppable = {0, 1};
  row covered;
  for (const verb by_key : {get, put_match, erase_match, get_by_new_handle})
    EXPECT_TRUE(covered.covers(
        inlined(one_key<store>, {{{by_key, 1}}, {{put_match, 1}, {erase, 1}}}), options));
}

}  // namespace
