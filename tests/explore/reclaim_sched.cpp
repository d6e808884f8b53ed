// The life of blocks, and a toy hazard pointer: what a missing or misplaced fence does is found.
#include "toy.hpp"

#include <harness/explore/execution_memory.hpp>

#include <gtest/gtest.h>

#include <vector>

using namespace toy;

namespace {

struct node {
  std::uint64_t value = 42;
};

node* make_node() {
  node* const made =
      new (explore::memory_of_execution().allocate(sizeof(node), alignof(node))) node;
  explore::allocated(made, sizeof(node));
  return made;
}

void give_back(node* old) {
  explore::released(old, sizeof(node));
  explore::memory_of_execution().deallocate(old, sizeof(node), alignof(node));
}

struct hazard_world {
  ratchet::base::atomic<node*> head;
  ratchet::base::atomic<node*> hazard;
};

std::optional<hazard_world> hazards;

void begin_hazards() {
  hazards.emplace();
  explore::name(&hazards->head, 8, "head");
  explore::name(&hazards->hazard, 8, "hazard");
  hazards->head.store(make_node(), seq_cst);
}

enum class reader_fence { none, locked };
enum class barrier { none, before_unlink, between_unlink_and_scan, after_scan };

void read_once(reader_fence fence, bool checks_again) {
  for (;;) {
    node* const seen = hazards->head.load(acquire);
    if (fence == reader_fence::locked)
      hazards->hazard.exchange(seen, seq_cst);
    else
      hazards->hazard.store(seen, release);
    if (checks_again && hazards->head.load(acquire) != seen) continue;
    explore::touched(&seen->value, sizeof(seen->value));
    explore::require(seen->value == 42, "the value is whole");
    hazards->hazard.store(nullptr, release);
    return;
  }
}

void replace_once(barrier where) {
  node* const fresh = make_node();
  if (where == barrier::before_unlink) explore::membarrier();
  node* const old = hazards->head.exchange(fresh, acq_rel);
  if (where == barrier::between_unlink_and_scan) explore::membarrier();
  const bool free = hazards->hazard.load(acquire) != old;
  if (where == barrier::after_scan) explore::membarrier();
  if (free) give_back(old);
}

explore::program hazard_program(reader_fence fence, barrier where, bool checks_again = true) {
  explore::program p;
  p.setup = begin_hazards;
  p.threads = {[=] { read_once(fence, checks_again); }, [=] { replace_once(where); }};
  p.teardown = [] { give_back(hazards->head.load(acquire)); };
  return p;
}

void expect_use_after_release(const explore::report& report) {
  ASSERT_TRUE(report.violation.has_value()) << report.text();
  EXPECT_NE(report.violation->message.find("was released"), std::string::npos) << report.text();
}

TEST(hazard_pointer, a_membarrier_between_unlink_and_scan_protects) {
  const auto report = explore::run(
      hazard_program(reader_fence::none, barrier::between_unlink_and_scan), buffered());
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(hazard_pointer, without_any_fence_only_store_buffers_show_the_fault) {
  const auto program = hazard_program(reader_fence::none, barrier::none);
  const auto sc = explore::run(program, sequential());
  EXPECT_TRUE(sc.ok()) << sc.text();
  expect_use_after_release(explore::run(program, buffered()));
}

TEST(hazard_pointer, a_membarrier_before_the_unlink_is_too_early) {
  expect_use_after_release(
      explore::run(hazard_program(reader_fence::none, barrier::before_unlink), buffered()));
}

TEST(hazard_pointer, a_membarrier_after_the_scan_is_too_late) {
  expect_use_after_release(
      explore::run(hazard_program(reader_fence::none, barrier::after_scan), buffered()));
}

TEST(hazard_pointer, a_locked_publication_needs_no_membarrier) {
  const auto report = explore::run(hazard_program(reader_fence::locked, barrier::none), buffered());
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(hazard_pointer, a_hazard_that_is_not_checked_again_protects_nothing) {
  expect_use_after_release(explore::run(
      hazard_program(reader_fence::locked, barrier::between_unlink_and_scan, false), sequential()));
}

TEST(hazard_pointer, a_reader_that_stops_for_good_keeps_its_node) {
  auto program = hazard_program(reader_fence::none, barrier::between_unlink_and_scan);
  std::set<std::size_t> blocks_left;
  program.finish = [&] {
    if (explore::stopped_thread() == 0u) blocks_left.insert(explore::live_blocks().blocks);
  };
  auto options = buffered();
  options.stoppable = {0};
  const auto report = explore::run(program, options);
  EXPECT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(blocks_left, (std::set<std::size_t>{1, 2}));
}

explore::program with_block(bodies threads) {
  explore::program p;
  p.setup = [] {
    hazards.emplace();
    hazards->head.store(make_node(), seq_cst);
  };
  p.threads = std::move(threads);
  return p;
}

node* head() { return hazards->head.load(acquire); }

TEST(blocks, a_second_release_is_reported) {
  const auto once = [] { explore::released(head(), sizeof(node)); };
  const auto report = explore::run(with_block({once, once}));
  ASSERT_TRUE(report.violation.has_value());
  EXPECT_EQ(report.violation->message, "block 0 is released twice");
}

TEST(blocks, every_kind_of_access_to_a_released_block_is_reported) {
  const auto release_it = [] { explore::released(head(), sizeof(node)); };
  const std::vector<std::function<void(node*)>> accesses{
      [](node* n) { explore::load(&n->value, 8, acquire); },
      [](node* n) { explore::store(&n->value, 8, 1, release); },
      [](node* n) { explore::store(&n->value, 8, 1, seq_cst); },
      [](node* n) { explore::read_modify_write(&n->value, 8, explore::rmw::add, 1, relaxed); },
      [](node* n) { explore::touched(n, 1); }};
  for (const auto& access : accesses) {
    const auto report = explore::run(with_block({[&] { access(head()); }, release_it}));
    ASSERT_TRUE(report.violation.has_value());
    EXPECT_EQ(report.violation->message,
              "access to block 0 after block 0 was released, by thread 0");
  }
}

TEST(blocks, a_store_may_not_reach_a_block_that_another_thread_released_meanwhile) {
  const auto program = with_block({[] {
                                     explore::store(&head()->value, 8, 1, release);
                                     hazards->hazard.exchange(nullptr, seq_cst);
                                   },
                                   [] { explore::released(head(), sizeof(node)); }});
  const auto report = explore::run(program, buffered());
  ASSERT_TRUE(report.violation.has_value());
  EXPECT_NE(report.violation->message.find("a buffered store of thread 0"), std::string::npos);
}

TEST(blocks, a_threads_own_store_may_still_be_on_its_way_when_it_releases_the_block) {
  const auto program = with_block({[] {
    explore::store(&head()->value, 8, 1, release);
    explore::released(head(), sizeof(node));
  }});
  const auto report = explore::run(program, buffered());
  EXPECT_TRUE(report.ok()) << report.text();
}

TEST(blocks, quarantined_memory_is_given_back_after_each_execution) {
  static int given_back = 0;
  given_back = 0;
  auto program =
      with_block({[] { now->x.fetch_add(1, relaxed); }, [] { now->x.fetch_add(1, relaxed); }});
  program.setup = [] {
    begin();
    explore::quarantine(&*now, sizeof(words), [](void*, std::size_t) { ++given_back; });
  };
  const auto report = explore::run(program);
  EXPECT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(given_back, static_cast<int>(report.executions));
}

TEST(blocks, shared_state_leaks_nothing_when_threads_are_left_in_the_middle) {
  explore::shared_state<std::pmr::vector<int>> state;
  explore::program p;
  p.setup = [&] { state.emplace(1000u, &explore::memory_of_execution()); };
  p.threads = {[&] {
                 state->push_back(1);
                 explore::now_ns();
                 explore::require(explore::now_ns() == 2, "the other was faster");
               },
               [] { explore::now_ns(); }};
  p.teardown = [&] { state.destroy(); };
  EXPECT_FALSE(explore::run(p).ok());
  p.threads.pop_back();
  EXPECT_TRUE(explore::run(p).ok());
}

}  // namespace
