// The shipped store where loads may return older values: what every acquire and release carries.
#include "store_world.hpp"

#include <gtest/gtest.h>

#include <iostream>

using namespace world;

namespace {

using enum verb;

template <class Program>
void expect_all(std::function<void(typename Program::store&)> before,
                std::vector<std::vector<call>> threads, unsigned preemptions, unsigned older_loads,
                bool asymmetric = true) {
  Program program(std::move(before), std::move(threads));
  auto options = bounded(explore::memory::older_values, preemptions, asymmetric);
  options.older_loads_max = older_loads;
  const auto report = explore::run(program.get(), options);
  EXPECT_TRUE(report.ok()) << report.text();
  std::cout << "  executions " << report.executions << ", transitions " << report.transitions
            << ", " << report.wall.count() << " s\n";
}

void nothing(auto&) {}
void one_key(inlined::store& s) { s.put(1, 5); }
void one_tombstone(inlined::store& s) {
  s.put(1, 5);
  (void)s.erase(1);
}
void one_value(boxed::store& s) { s.put(1, witness(5)); }

TEST(orders, of_a_boxed_value_that_is_replaced_and_reclaimed_beside_a_reader) {
  for (const bool asymmetric : {true, false})
    expect_all<boxed>(one_value, {{{put, 1, true}, {reclaim}}, {{get, 1, true}}}, 2, 2, asymmetric);
}

TEST(orders, of_a_creation_beside_a_reader) {
  expect_all<boxed>(nothing<boxed::store>, {{{put_absent, 1}}, {{get, 1}, {get, 1}}}, 2, 2);
}

TEST(orders, of_a_table_that_moves_beside_a_reader) {
  expect_all<inlined>(one_key, {{{put_absent, 2}}, {{get, 1}, {get, 2}}}, 1, 2);
}

TEST(orders, of_a_table_that_moves_beside_a_creation_of_the_same_key) {
  expect_all<inlined>(one_key, {{{put_absent, 2}}, {{put_absent, 2}}}, 1, 1);
}

TEST(orders, of_a_key_dropped_and_made_anew) {
  expect_all<inlined>(one_tombstone, {{{put_absent, 2}}, {{put_absent, 1}}}, 1, 1);
}

TEST(orders, of_a_record_dropped_and_reclaimed_beside_a_reader) {
  for (const bool asymmetric : {true, false})
    expect_all<inlined>(one_tombstone, {{{put_absent, 2}, {reclaim}}, {{get, 1}}}, 1, 1,
                        asymmetric);
}

TEST(orders, of_a_pin_taken_while_its_record_is_dropped) {
  expect_all<inlined>(one_tombstone, {{{put_absent, 2}, {reclaim}}, {{get_by_new_handle, 1}}}, 1,
                      1);
}

TEST(orders, of_two_migrations_in_a_row) {
  expect_all<inlined>(one_key, {{{put_absent, 2}, {put_absent, 3}}, {{get, 1}, {get, 3}}}, 1, 1);
}

}  // namespace
