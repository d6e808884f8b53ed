// The check by version order agrees with a search that tries all orders.
// RATCHET_HISTORIES: how many (default 30000). RATCHET_SEED: of the histories (default random).
#include "histories.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace {

using namespace histories;

std::uint64_t number(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::string shown(const std::vector<operation>& operations, const key_state& initial,
                  std::uint64_t seed) {
  std::string text = "replay with RATCHET_SEED=" + std::to_string(seed) + "\ninitial version " +
                     std::to_string(initial.version) + (initial.present ? " present" : " absent") +
                     " value " + std::to_string(initial.value) + "\n";
  for (const operation& one : operations) text += describe(one, 0) + "\n";
  return text;
}

key_state initial_of(random_source& choices) {
  switch (choices.below(3)) {
    case 0:
      return {};
    case 1:
      return {1 + choices.below(3), 0, false};
    default:
      return {1 + choices.below(3), 1 + choices.below(6), true};
  }
}

struct counted {
  std::uint64_t valid = 0;
  std::uint64_t invalid = 0;
  std::uint64_t pending = 0;
};

void compare_one(const key_state& initial, const std::vector<operation>& operations, bool corrupted,
                 std::uint64_t seed, counted& seen) {
  const bool by_search = search_linearization({0, initial, operations});
  const auto verdict = check(operations, initial);
  ++(by_search ? seen.valid : seen.invalid);
  for (const operation& one : operations)
    if (one.answer == answer::pending) ++seen.pending;
  EXPECT_EQ(verdict.found.none(), by_search)
      << "check says " << (verdict.found.none() ? "fine" : verdict.found.kept()[0].message) << "\n"
      << shown(operations, initial, seed);
  EXPECT_TRUE(verdict.exact) << shown(operations, initial, seed);
  if (!corrupted) {
    EXPECT_TRUE(by_search) << shown(operations, initial, seed);
  }
}

void expect_agreement(bool with_pending) {
  const auto seed = number("RATCHET_SEED", std::random_device()());
  const auto histories = number("RATCHET_HISTORIES", 100'000);
  random_source choices(seed);
  counted seen;
  for (std::uint64_t i = 0; i < histories && !::testing::Test::HasFailure(); ++i) {
    const key_state initial = initial_of(choices);
    auto operations = valid(choices, 2 + choices.below(9), initial, with_pending);
    const auto corruptions = choices.below(3);
    for (std::uint64_t k = 0; k < corruptions; ++k) corrupt(choices, operations);
    compare_one(initial, operations, corruptions != 0, seed, seen);
  }
  const auto n = [](std::uint64_t count) { return static_cast<unsigned long long>(count); };
  std::printf(
      "%llu valid and %llu invalid histories, %llu operations without an answer; seed %llu\n",
      n(seen.valid), n(seen.invalid), n(seen.pending), n(seed));
  if (::testing::Test::HasFailure()) return;
  EXPECT_GT(seen.valid, histories / 5);
  EXPECT_GT(seen.invalid, histories / 5);
  EXPECT_EQ(seen.pending > histories / 2, with_pending);
}

TEST(history_agreement, of_answered_operations) { expect_agreement(false); }

TEST(history_agreement, of_operations_that_may_or_may_not_have_happened) { expect_agreement(true); }

}  // namespace
