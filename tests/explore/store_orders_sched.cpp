// The shipped store where loads may return older values: what every acquire and release carries.
#include "store_rows.hpp"

using namespace world;

namespace {

using enum verb;

using explore::memory;

template <class Program>
void expect_all_orders(void (*before)(typename Program::store&),
                       const std::vector<std::vector<call>>& threads, unsigned preemptions,
                       unsigned older_loads) {
  row covered;
  for (const bool asymmetric : {true, false})
    EXPECT_TRUE(covered.covers(Program(before, threads), bounded(memory::older_values, preemptions,
                                                                 asymmetric, older_loads)));
}

TEST(orders, of_a_boxed_value_that_is_replaced_and_reclaimed_beside_a_reader) {
  expect_all_orders<boxed>(one_key<boxed::store>, {{{put, 1, true}, {reclaim}}, {{get, 1, true}}},
                           2, 2);
}

TEST(orders, of_a_cell_that_is_lent_again) {
  expect_all_orders<boxed>(one_key<boxed::store>,
                           {{{put, 1, true}, {reclaim}}, {{get, 1, true}, {get, 1, true}}}, 2, 1);
}

TEST(orders, of_a_creation_beside_a_reader) {
  expect_all_orders<boxed>(nothing<boxed::store>, {{{put_absent, 1}}, {{get, 1}, {get, 1}}}, 2, 2);
}

TEST(orders, of_a_table_that_moves_beside_a_reader) {
  expect_all_orders<inlined>(one_key<inlined::store>, {{{put_absent, 2}}, {{get, 1}, {get, 2}}}, 2,
                             2);
}

TEST(orders, of_a_table_that_moves_beside_a_creation_of_the_same_key) {
  expect_all_orders<inlined>(one_key<inlined::store>, {{{put_absent, 2}}, {{put_absent, 2}}}, 2, 1);
}

TEST(orders, of_a_key_dropped_and_made_anew) {
  expect_all_orders<inlined>(one_tombstone<inlined::store>, {{{put_absent, 2}}, {{put_absent, 1}}},
                             1, 1);
}

TEST(orders, of_a_record_dropped_and_reclaimed_beside_a_reader) {
  expect_all_orders<inlined>(one_tombstone<inlined::store>,
                             {{{put_absent, 2}, {reclaim}}, {{get, 1}}}, 2, 1);
}

TEST(orders, of_a_pin_taken_while_its_record_is_dropped) {
  expect_all_orders<inlined>(one_tombstone<inlined::store>,
                             {{{put_absent, 2}, {reclaim}}, {{get_by_new_handle, 1}}}, 2, 1);
}

TEST(orders, of_two_migrations_in_a_row) {
  expect_all_orders<inlined>(one_key<inlined::store>,
                             {{{put_absent, 2}, {put_absent, 3}}, {{get, 1}, {get, 3}}}, 2, 1);
}

}  // namespace
