// Each kind of corruption is called by its name, and right histories are let pass.
#include "histories.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <numeric>

namespace {

using namespace histories;

TEST(history_check, accepts_overlapping_operations) {
  // The read of version 1 ends after the write of version 2 began; the order is free.
  EXPECT_EQ(fault_of({writes(2, 20, 10, 30), reads(1, 10, 12, 14), reads(2, 20, 13, 15)}), "");
}
TEST(history_check, accepts_creations_that_jump) {
  EXPECT_EQ(fault_of({erases(2, 10, 20), creates(9, 5, 30, 40), writes(10, 6, 50, 60)}), "");
  EXPECT_EQ(fault_of({creates(7, 5, 30, 40)}, never_made), "");
}
TEST(history_check, hands_out_the_states_in_the_order_of_versions) {
  const auto verdict = check({erases(3, 40, 45), writes(2, 20, 10, 30)});
  ASSERT_EQ(verdict.states.size(), 3u);
  EXPECT_EQ(verdict.states[1], (key_state{2, 20, true}));
  EXPECT_EQ(verdict.states[2], (key_state{3, 0, false}));
  EXPECT_EQ(verdict.checked, 2u);
}

TEST(history_check, names_a_version_issued_twice) {
  EXPECT_EQ(fault_of({writes(2, 20, 10, 30), writes(2, 21, 10, 30)}), fault::duplicate_version);
}
TEST(history_check, names_a_version_below_the_initial_one) {
  EXPECT_EQ(fault_of({creates(1, 5, 10, 20)}), fault::version_went_back);
}
TEST(history_check, names_a_gap_inside_a_life) {
  auto skips = writes(3, 20, 10, 30);
  skips.verb = verb::put;
  EXPECT_EQ(fault_of({skips}), fault::version_gap);
}
TEST(history_check, names_a_commit_that_does_not_make_the_next_version) {
  auto skips = writes(3, 20, 10, 30);
  skips.expected = 1;
  EXPECT_EQ(fault_of({skips}), fault::wrong_increment);
  auto late = writes(3, 21, 10, 30);
  late.expected = 1;
  EXPECT_EQ(fault_of({writes(2, 20, 10, 30), late}), fault::wrong_increment);
}
TEST(history_check, names_a_creation_of_a_present_key) {
  EXPECT_EQ(fault_of({creates(2, 20, 10, 30)}), fault::double_create);
}
TEST(history_check, names_a_conditional_write_to_an_absent_key) {
  EXPECT_EQ(fault_of({erases(2, 10, 20), writes(3, 20, 30, 40)}), fault::write_on_absent);
  EXPECT_EQ(fault_of({erases(2, 10, 20), erases(3, 30, 40)}), fault::write_on_absent);
}
TEST(history_check, names_an_erase_that_handed_out_another_value) {
  EXPECT_EQ(fault_of({op(1, verb::erase, answer::committed, 2, 11, 10, 20, 1)}),
            fault::removed_mismatch);
  EXPECT_EQ(fault_of({op(1, verb::erase, answer::committed, 2, 10, 10, 20, 1)}), "");
}
TEST(history_check, names_a_conflict_whose_condition_held) {
  EXPECT_EQ(fault_of({op(1, verb::put_match, answer::saw_value, 1, 10, 10, 20, 1)}),
            fault::own_conflict);
  EXPECT_EQ(fault_of({op(1, verb::put_match, answer::saw_value, 1, 10, 10, 20, 7)}), "");
  EXPECT_EQ(fault_of({op(1, verb::put_present, answer::saw_value, 1, 10, 10, 20)}),
            fault::own_conflict);
  EXPECT_EQ(fault_of({op(1, verb::put_absent, answer::saw_absent, 0, 0, 10, 20)}, never_made),
            fault::own_conflict);
}
TEST(history_check, names_a_read_of_what_nobody_wrote) {
  EXPECT_EQ(fault_of({reads(2, 20, 10, 20)}), fault::unwritten_version);
  EXPECT_EQ(fault_of({reads(1, 11, 10, 20)}), fault::value_mismatch);
  EXPECT_EQ(fault_of({reads_absent(1, 10, 20)}), fault::value_mismatch);
}
TEST(history_check, names_a_read_of_an_overwritten_version) {
  EXPECT_EQ(fault_of({writes(2, 20, 10, 20), reads(1, 10, 21, 30)}), fault::stale_read);
  // Also when the write itself is still under way, but somebody has seen it.
  EXPECT_EQ(fault_of({writes(2, 20, 10, 90), reads(2, 20, 15, 20), reads(1, 10, 21, 30)}),
            fault::stale_read);
}
TEST(history_check, names_a_conflict_that_shows_an_overwritten_version) {
  EXPECT_EQ(fault_of({writes(2, 20, 10, 20),
                      op(1, verb::put_match, answer::saw_value, 1, 10, 21, 30, 5)}),
            fault::stale_conflict);
}
TEST(history_check, names_a_read_before_the_write) {
  EXPECT_EQ(fault_of({writes(2, 20, 30, 40), reads(2, 20, 10, 20)}), fault::future_read);
}
TEST(history_check, names_writes_whose_versions_contradict_their_times) {
  EXPECT_EQ(fault_of({writes(2, 20, 30, 40), writes(3, 21, 10, 20)}), fault::late_write);
}
TEST(history_check, names_an_absence_that_never_was) {
  EXPECT_EQ(fault_of({reads_absent(0, 10, 20)}), fault::never_absent);
  EXPECT_EQ(fault_of({erases(2, 30, 40), reads_absent(0, 10, 20)}), fault::never_absent);
  EXPECT_EQ(fault_of({erases(2, 10, 20), creates(3, 5, 30, 40), reads(3, 5, 41, 45),
                      reads_absent(0, 50, 60)}),
            fault::stale_read);
}
TEST(history_check, places_absent_answers_in_any_gap_that_fits) {
  EXPECT_EQ(fault_of({erases(2, 10, 20), creates(3, 5, 30, 60), reads_absent(0, 35, 70)}), "");
  EXPECT_EQ(fault_of({erases(2, 10, 20), creates(3, 5, 30, 40), erases(4, 50, 60),
                      reads_absent(0, 42, 70), reads_absent(0, 15, 25)}),
            "");
}
TEST(history_check, messages_name_key_version_and_callers) {
  const auto verdict = check_history(
      {17, present_at_one, std::vector{writes(2, 20, 10, 20), reads(1, 10, 21, 30)}}, 1.0);
  ASSERT_EQ(verdict.found.total(), 1u);
  const std::string& text = verdict.found.kept()[0].message;
  for (const char* part : {"key 17", "version 2", "version 1", "caller 1", "caller 2", "0.021 us"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

TEST(history_check, operations_without_answer_may_have_happened_or_not) {
  const auto lost = op(5, verb::put_match, answer::pending, 0, 20, 10, never, 1);
  EXPECT_EQ(fault_of({lost}), "");
  EXPECT_EQ(fault_of({lost, reads(2, 20, 50, 60)}), "");
  EXPECT_EQ(fault_of({lost, reads(1, 10, 50, 60)}), "");
  EXPECT_EQ(fault_of({lost, writes(3, 30, 50, 60)}), "");
  // But not before it began, not with another value, and not twice.
  EXPECT_EQ(fault_of({lost, reads(2, 20, 5, 8)}), fault::future_read);
  EXPECT_EQ(fault_of({lost, reads(2, 21, 50, 60)}), fault::unwritten_version);
  EXPECT_EQ(fault_of({lost, writes(4, 30, 50, 60)}), fault::version_gap);
}
TEST(history_check, a_lost_erase_and_a_lost_creation_explain_what_follows) {
  const auto lost_erase = op(5, verb::erase, answer::pending, 0, 0, 10, never);
  const auto lost_create = op(6, verb::put_absent, answer::pending, 0, 7, 10, never);
  EXPECT_EQ(fault_of({lost_erase, creates(3, 5, 30, 40)}), "");
  EXPECT_EQ(fault_of({lost_create, reads(4, 7, 30, 40)}, never_made), "");
  EXPECT_EQ(fault_of({lost_create, writes(5, 8, 30, 40)}, never_made), "");
}

// Two versions are missing between a write and the erase after it; of two lost writes one is an
// if_match of a version long gone.
TEST(history_check, a_lost_write_whose_condition_cannot_have_held_explains_nothing) {
  const auto lost = op(5, verb::put, answer::pending, 0, 20, 10, never);
  const auto of_gone = op(6, verb::put_match, answer::pending, 0, 30, 10, never, 1);
  const auto of_three = op(6, verb::put_match, answer::pending, 0, 30, 10, never, 3);
  const std::vector<operation> seen{writes(2, 11, 10, 20), erases(5, 60, 70)};
  auto right = seen;
  right.insert(right.end(), {lost, of_three});
  EXPECT_EQ(fault_of(right), "");
  auto wrong = seen;
  wrong.insert(wrong.end(), {lost, of_gone});
  EXPECT_EQ(fault_of(wrong), fault::unexplained);
}
TEST(history_check, says_when_it_could_not_try_all_choices) {
  std::vector<operation> operations;
  for (std::uint64_t i = 0; i < 64; ++i)
    operations.push_back(op(5, verb::put, answer::pending, 0, i, 10, never));
  EXPECT_TRUE(check(operations).exact);
  operations.push_back(op(5, verb::put, answer::pending, 0, 64, 10, never));
  const auto verdict = check(operations);
  EXPECT_TRUE(verdict.found.none());
  EXPECT_FALSE(verdict.exact);
}

// Ten million in the full run; a tenth of that here.
TEST(history_check, checks_millions_of_operations_a_second) {
  const char* wanted = std::getenv("RATCHET_HISTORY_OPERATIONS");
  const std::size_t total = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 1'000'000;
  std::vector<operation> operations;
  random_source choices(7);
  for (std::uint64_t i = 0; operations.size() < total; ++i) {
    operations.push_back(writes(i + 2, i, 100 + i * 10, 112 + i * 10));
    operations.push_back(reads(i + 2, i, 105 + i * 10, 118 + i * 10));
  }
  for (std::size_t i = operations.size() - 1; i > 0; --i)
    std::swap(operations[i], operations[choices.below(i + 1)]);
  const auto start = std::chrono::steady_clock::now();
  const auto verdict = check(operations);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_TRUE(verdict.found.none()) << verdict.found.kept()[0].message;
  RecordProperty("operations_per_second",
                 std::to_string(static_cast<double>(total) / taken.count()));
  std::printf("%.1f million operations a second\n",
              static_cast<double>(total) / taken.count() / 1e6);
}

}  // namespace
