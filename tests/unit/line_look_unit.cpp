// The look at eight words at once says of each what a look at that word alone says.
// Of: base/line_look.hpp
#include <ratchet/base/line_look.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace {

using ratchet::base::worth_a_look;
constexpr std::size_t words = ratchet::limits::bucket_words;

struct alignas(64) line {
  std::uint64_t word[words];
};

bool is_worth_one(std::uint64_t word, std::uint32_t mask, std::uint32_t wanted) {
  const auto low = static_cast<std::uint32_t>(word);
  return low < 4 || (low & mask) == wanted;
}

// Builds that follow every access find every word worth a look; none may leave one out.
bool all_bits_always() {
  const line full = [] {
    line made;
    std::memset(&made, 0xff, sizeof made);
    return made;
  }();
  return worth_a_look(&full, 0xff, 0) != 0;
}

TEST(line_look, agrees_with_a_look_at_each_word) {
  std::mt19937_64 random(7);
  const bool all = all_bits_always();
  for (int i = 0; i < 200'000; ++i) {
    // As in an index: tags of twelve bits above two bits of marks, and words that end a path.
    constexpr std::uint32_t mask = (0xfffu << 2) | 2;
    const auto wanted = static_cast<std::uint32_t>(random() & 0xfff) << 2;
    line in;
    for (auto& word : in.word) {
      const auto kind = random() % 4;
      word = kind == 0 ? random() % 4 : random();
      if (kind == 1) word = (word & ~std::uint64_t{mask}) | wanted;
    }
    const unsigned found = worth_a_look(&in, mask, wanted);
    for (std::size_t w = 0; w < words; ++w) {
      const bool bit = (found >> w & 1) != 0;
      ASSERT_EQ(bit, all || is_worth_one(in.word[w], mask, wanted)) << std::hex << in.word[w];
    }
    ASSERT_EQ(found >> words, 0u);
  }
}

}  // namespace
