// The lists below the store, and the list of threads: each member has one holder.
// Of: native/record_pool.hpp
#include <harness/explore/execution_memory.hpp>
#include <harness/explore/explorer.hpp>
#include <ratchet/native/record_pool.hpp>

#include <gtest/gtest.h>

#include <array>
#include <iostream>

namespace {

namespace explore = ratchet::explore;
namespace native = ratchet::native;
using explore::require;
using native::retired;
using native::retired_kind;
using native::retired_ref;

// Three members and who took them.
template <class List>
struct members {
  std::array<retired, 3> all;
  std::array<int, 3> taken{};
  List list;

  void take(const retired* one) {
    for (std::size_t i = 0; i < all.size(); ++i)
      if (one == &all[i]) require(++taken[i] == 1, "a member of a list was taken twice");
  }
  void give_back(retired* one) {
    for (std::size_t i = 0; i < all.size(); ++i)
      if (one == &all[i]) --taken[i];
    list.push(one, one);
  }
  void take_chain(retired_ref first) {
    for (; first; first = first.get()->next()) take(first.get());
  }
  void push(std::size_t i) { list.push(retired_ref(&all[i], retired_kind::box), 64); }
  void require_all_taken() const {
    for (const int times : taken) require(times == 1, "a member of a list was lost");
  }
};

void expect_all(const explore::program& program) {
  for (const auto memory : {explore::memory::sequential, explore::memory::older_values}) {
    explore::options options;
    options.memory = memory;
    const auto report = explore::run(program, options);
    EXPECT_TRUE(report.ok()) << report.text();
    std::cout << "  executions " << report.executions << ", " << report.wall.count() << " s\n";
  }
}

TEST(waiting_lists, each_member_is_taken_once_and_counted) {
  explore::shared_state<members<native::waiting_list>> m;
  explore::program p;
  p.setup = [&] { m.emplace(); };
  p.threads = {[&] {
                 m->push(0);
                 m->take_chain(m->list.take_all());
               },
               [&] {
                 m->push(1);
                 m->push(2);
                 m->take_chain(m->list.take_all());
               }};
  p.finish = [&] {
    std::uint32_t waits = 0;
    for (const int times : m->taken) waits += times == 0;
    require(m->list.amount().objects == waits, "the amount is not what waits");
    m->take_chain(m->list.take_all());
    m->require_all_taken();
  };
  p.teardown = [&] { m.destroy(); };
  expect_all(p);
}

// The first member comes back between another's look at it and its swap.
TEST(free_stacks, each_member_has_one_holder) {
  explore::shared_state<members<native::free_stack>> m;
  explore::program p;
  p.setup = [&] {
    m.emplace();
    for (auto& one : m->all) m->list.push(&one, &one);
  };
  p.threads = {[&] { m->take(m->list.pop()); },
               [&] {
                 retired* const first = m->list.pop();
                 m->take(first);
                 m->take(m->list.pop());
                 m->give_back(first);
               }};
  p.finish = [&] {
    while (const retired* one = m->list.pop()) m->take(one);
    m->require_all_taken();
  };
  p.teardown = [&] { m.destroy(); };
  expect_all(p);
}

TEST(thread_records, one_that_was_given_back_has_one_next_owner) {
  std::array<native::thread_record*, 2> mine{};
  explore::program p;
  p.setup = [&] {
    native::forget_threads();
    native::set_this_thread_record(nullptr);
    (void)native::attach_thread();
    native::detach_thread();
  };
  for (std::size_t t = 0; t < mine.size(); ++t)
    p.threads.push_back([&mine, t] {
      native::set_this_thread_record(nullptr);
      mine[t] = &native::attach_thread();
    });
  p.finish = [&] { require(mine[0] != mine[1], "two threads own one record"); };
  expect_all(p);
}

}  // namespace
