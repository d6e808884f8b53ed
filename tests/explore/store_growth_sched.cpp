// Growth, clean-up, dropping and re-creation, with the shortest tables: one chunk of two words and
// up.
#include "store_world.hpp"

#include <gtest/gtest.h>

#include <iostream>

using namespace world;

namespace {

using enum verb;
using explore::memory;

void expect_all(std::function<void(inlined::store&)> before, std::vector<std::vector<call>> threads,
                explore::options options) {
  inlined program(std::move(before), std::move(threads));
  const auto report = explore::run(program.get(), options);
  EXPECT_TRUE(report.ok()) << report.text();
  std::cout << "  executions " << report.executions << ", transitions " << report.transitions
            << ", " << report.wall.count() << " s\n";
}

// One word is used: the next creation has to leave the table.
void one_key(inlined::store& s) { s.put(1, 5); }
// The one used word leads to an erased key: the next creation drops it.
void one_tombstone(inlined::store& s) {
  s.put(1, 5);
  (void)s.erase(1);
}

TEST(growth, a_reader_of_a_present_key_never_misses_it) {
  expect_all(one_key, {{{put_absent, 2}}, {{get, 1}}}, bounded(memory::sequential, 2));
}

TEST(growth, a_conditional_put_commits_or_sees_what_won_while_the_table_moves) {
  expect_all(one_key, {{{put_absent, 2}}, {{put_match, 1}}}, bounded(memory::sequential, 2));
}

TEST(growth, two_creations_of_one_key_make_one_record) {
  expect_all(one_key, {{{put_absent, 2}}, {{put_absent, 2}}}, bounded(memory::sequential, 2));
}

TEST(growth, colliding_keys_fill_one_path_without_loss) {
  expect_all(one_key, {{{put_absent, 2}, {put_absent, 3}}, {{put_absent, 4}, {get, 2}}},
             bounded(memory::sequential, 1));
}

TEST(growth, two_migrations_in_a_row_beside_a_reader) {
  expect_all(one_key, {{{put_absent, 2}, {put_absent, 3}}, {{get, 1}, {get, 3}}},
             bounded(memory::sequential, 2));
}

TEST(dropping, an_erased_key_is_made_anew_above_every_version_it_had) {
  expect_all(one_tombstone, {{{put_absent, 2}}, {{put_absent, 1}}}, bounded(memory::sequential, 2));
}

TEST(dropping, an_eraser_beside_a_migration_beside_a_creation) {
  expect_all(one_key, {{{erase, 1}, {put_absent, 2}}, {{put_absent, 1}, {get, 1}}},
             bounded(memory::sequential, 2));
}

TEST(dropping, a_token_from_before_the_drop_never_matches) {
  expect_all(one_key, {{{erase, 1}, {put_absent, 2}, {put_absent, 1}}, {{put_match, 1}}},
             bounded(memory::sequential, 2));
}

TEST(dropping, a_handle_outlives_the_record) {
  expect_all(one_key, {{{erase, 1}, {put_absent, 2}}, {{put_absent, 1, true}, {get, 1, true}}},
             bounded(memory::sequential, 2));
}

// Pinned after the dropper saw no pin: only the pin keeps the record from the reclaimer.
TEST(dropping, a_handle_taken_while_its_record_is_dropped) {
  expect_all(one_tombstone, {{{put_absent, 2}, {reclaim}}, {{get_by_new_handle, 1}}},
             bounded(memory::sequential, 2));
}

TEST(dropping, a_reader_never_touches_a_dropped_record_after_it_was_freed) {
  expect_all(one_tombstone, {{{put_absent, 2}, {reclaim}}, {{get, 1}}},
             bounded(memory::store_buffers, 1));
}

// The old table says `keep` for ever, while the record is dropped from the one after it.
TEST(dropping, a_reader_two_tables_behind_does_not_touch_what_was_dropped_since) {
  expect_all(one_key, {{{put_absent, 2}, {erase, 1}, {put_absent, 3}, {reclaim}}, {{get, 1}}},
             bounded(memory::sequential, 2));
}

// Freed before the root has moved: only the dropped word shows it.
TEST(dropping, a_reader_beside_a_dropper_beside_a_reclaimer) {
  expect_all(one_tombstone, {{{put_absent, 2}}, {{reclaim}}, {{get, 1}}},
             bounded(memory::sequential, 2));
}

TEST(dropping, old_tables_are_freed_under_no_reader) {
  expect_all(one_key, {{{put_absent, 2}, {reclaim}}, {{get, 1}}},
             bounded(memory::store_buffers, 1));
}

TEST(dropping, the_symmetric_mode_protects_alike) {
  expect_all(one_tombstone, {{{put_absent, 2}, {reclaim}}, {{get, 1}}},
             bounded(memory::store_buffers, 1, false));
}

TEST(stopped, a_creator_that_stops_for_good_holds_nobody_up) {
  auto options = bounded(memory::sequential, 1);
  options.stoppable = {0};
  expect_all(one_key, {{{put_absent, 2}}, {{put_absent, 3}, {get, 1}}}, options);
}

TEST(stopped, an_eraser_that_stops_for_good_holds_nobody_up) {
  auto options = bounded(memory::sequential, 1);
  options.stoppable = {0};
  expect_all(one_key, {{{erase, 1}, {put_absent, 2}}, {{put_absent, 1}, {get, 1}}}, options);
}

}  // namespace
