// F61: a thousand callers at once, each seen by the race detector.
#include <gtest/gtest.h>

#include <string>

#include "unit/threads.hpp"

#include <ratchet/native/store.hpp>

namespace {

TEST(thousand_callers, F61_put_and_get_on_shared_and_own_keys) {
  constexpr std::uint32_t callers = 1'000;
  constexpr std::uint64_t calls = 20;
  ratchet::store<std::uint64_t, std::uint64_t> numbers;
  ratchet::store<std::uint64_t, std::string> texts;
  std::atomic<std::uint64_t> wrong{0};
  std::atomic<std::uint64_t> added{0};
  tests::run_threads(callers, [&](std::uint32_t me) {
    for (std::uint64_t n = 0; n < calls; ++n) {
      numbers.put(1'000 + me, n);
      const auto mine = numbers.get(1'000 + me);
      if (!mine || *mine != n) ++wrong;
      texts.put(n % 4, "a text that is too long to lie in a string itself " + std::to_string(me));
      const auto text = texts.get(n % 4);
      if (!text || text->rfind("a text", 0) != 0) ++wrong;
      const auto result =
          numbers.mutate(1, [](const std::uint64_t* sum) { return sum == nullptr ? 1 : *sum + 1; });
      if (result) ++added;
      if (n % 8 == 7 && !texts.erase(1'000 + me)) texts.put(1'000 + me, "mine");
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(added, callers * calls);
  EXPECT_EQ(*numbers.get(1), callers * calls);
  EXPECT_EQ(numbers.size(), callers + 1u);
}

}  // namespace
