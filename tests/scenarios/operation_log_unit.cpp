// Whatever is packed comes out again; intervals may only grow.
#include <harness/operation_log.hpp>
#include <harness/random.hpp>

#include <gtest/gtest.h>

namespace {

using namespace ratchet::harness;

operation only(const operation_log& log, std::uint64_t widening = 0) {
  operation found;
  int count = 0;
  log.for_each(7, widening, [&](const operation& op) {
    found = op;
    ++count;
  });
  EXPECT_EQ(count, 1);
  return found;
}

operation through(const operation& op) {
  operation_log log;
  log.append(op);
  EXPECT_EQ(log.size(), 1u);
  return only(log);
}

TEST(operation_log, an_ordinary_operation_takes_24_bytes) {
  operation_log log;
  log.append({1000, 1500, 5, 4, 42, 0, 3, verb::put_match, answer::committed});
  EXPECT_EQ(log.bytes(), 24u);
  const operation out = only(log);
  EXPECT_EQ(out.begin, 1000u);
  EXPECT_EQ(out.end, 1500u);
  EXPECT_EQ(out.version, 5u);
  EXPECT_EQ(out.expected, 4u);
  EXPECT_EQ(out.value, 42u);
  EXPECT_EQ(out.caller, 7u);
  EXPECT_EQ(out.key, 3u);
  EXPECT_EQ(out.verb, verb::put_match);
  EXPECT_EQ(out.answer, answer::committed);
}

TEST(operation_log, every_verb_and_answer_comes_out) {
  for (int v = 0; v <= static_cast<int>(verb::erase_match); ++v)
    for (int a = 0; a <= static_cast<int>(answer::pending); ++a) {
      const operation out =
          through({9, 10, 3, 2, 1, 0, 4095, static_cast<verb>(v), static_cast<answer>(a)});
      EXPECT_EQ(static_cast<int>(out.verb), v);
      EXPECT_EQ(static_cast<int>(out.answer), a);
      EXPECT_EQ(out.key, 4095u);
    }
}

TEST(operation_log, durations_grow_by_a_16384th_at_most_and_never_shrink) {
  random_source choices(3);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t duration = choices.next() >> (18 + choices.below(46));
    const std::uint64_t out = duration_code::decode(duration_code::encode(duration));
    ASSERT_GE(out, duration);
    ASSERT_LE(out - duration, duration / 16384) << duration;
    ASSERT_LT(duration_code::encode(duration), 1u << duration_code::bits);
  }
  for (unsigned bit = 0; bit < 46; ++bit)
    for (const std::uint64_t near : {~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1}}) {
      const std::uint64_t duration = (std::uint64_t{1} << bit) + near;
      EXPECT_GE(duration_code::decode(duration_code::encode(duration)), duration);
    }
}

TEST(operation_log, durations_beyond_the_code_are_kept_exactly) {
  const std::uint64_t end = 5 + duration_code::longest + 12'345;
  EXPECT_EQ(through({5, end, 1, 0, 0, 0, 0, verb::read, answer::saw_value}).end, end);
}

TEST(operation_log, large_versions_and_odd_expectations_are_kept) {
  const std::uint64_t large = (std::uint64_t{1} << 60) - 2;
  EXPECT_EQ(through({1, 2, large, 0, 9, 0, 0, verb::read, answer::saw_value}).version, large);
  EXPECT_EQ(through({1, 2, 9, 3, 9, 0, 0, verb::put_match, answer::committed}).expected, 3u);
  EXPECT_EQ(through({1, 2, 9, 9, 9, 0, 0, verb::put_match, answer::saw_value}).expected, 9u);
  const operation lost = through({1, never, 0, 6, 9, 0, 0, verb::put_match, answer::pending});
  EXPECT_EQ(lost.expected, 6u);
  EXPECT_EQ(lost.end, never);
}

TEST(operation_log, widening_moves_both_ends_out) {
  operation_log log;
  log.append({1000, 1500, 5, 0, 42, 0, 0, verb::read, answer::saw_value});
  const operation out = only(log, 300);
  EXPECT_EQ(out.begin, 700u);
  EXPECT_EQ(out.end, 1800u);
  EXPECT_EQ(only(log, 5000).begin, 0u);
}

}  // namespace
