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
};

// With pending operations the check may accept too much, never too little.
counted compare(bool with_pending, std::uint64_t histories, std::uint64_t seed) {
  random_source choices(seed);
  counted seen;
  for (std::uint64_t i = 0; i < histories; ++i) {
    const key_state initial = initial_of(choices);
    auto operations = valid(choices, 2 + choices.below(9), initial, with_pending);
    const auto corruptions = choices.below(3);
    for (std::uint64_t k = 0; k < corruptions; ++k) corrupt(choices, operations);
    const bool by_search = search_linearization({0, initial, operations});
    const auto verdict = check(operations, initial);
    ++(by_search ? seen.valid : seen.invalid);
    const bool agree = verdict.found.none() == by_search ||
                       (with_pending && verdict.found.none() && corruptions != 0);
    EXPECT_TRUE(agree) << "search says " << by_search << "; check says "
                       << (verdict.found.none() ? "fine" : verdict.found.kept()[0].message) << "\n"
                       << shown(operations, initial, seed);
    if (corruptions == 0) {
      EXPECT_TRUE(by_search) << shown(operations, initial, seed);
    }
    if (::testing::Test::HasFailure()) break;
  }
  return seen;
}

TEST(history_agreement, of_answered_operations) {
  const auto seed = number("RATCHET_SEED", std::random_device()());
  const auto seen = compare(false, number("RATCHET_HISTORIES", 30'000), seed);
  std::printf("%llu valid and %llu invalid histories, seed %llu\n",
              static_cast<unsigned long long>(seen.valid),
              static_cast<unsigned long long>(seen.invalid), static_cast<unsigned long long>(seed));
  EXPECT_GT(seen.valid, seen.invalid / 20);
  EXPECT_GT(seen.invalid, seen.valid / 20);
}

TEST(history_agreement, never_accuses_wrongly_with_pending_operations) {
  const auto seed = number("RATCHET_SEED", std::random_device()());
  const auto seen = compare(true, number("RATCHET_HISTORIES", 30'000), seed);
  EXPECT_GT(seen.valid, 0u);
  EXPECT_GT(seen.invalid, 0u);
}

}  // namespace
