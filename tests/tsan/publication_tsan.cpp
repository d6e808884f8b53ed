// F57: ordinary memory handed from thread to thread through a slot. The race detector must stay
// silent, since a commit releases and a read, or a conflict, acquires.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <utility>

#include "unit/threads.hpp"

#include <ratchet/native/store.hpp>

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using tests::run_threads;

struct message {
  std::array<std::uint64_t, 8> words{};
  void fill(std::uint64_t n) {
    for (auto& word : words) word = n++;
  }
  [[nodiscard]] bool whole() const {
    for (std::size_t i = 1; i < words.size(); ++i)
      if (words[i] != words[0] + i) return false;
    return true;
  }
};

TEST(publication, F57_by_a_boxed_value) {
  ratchet::store<int, std::unique_ptr<message>> store;
  constexpr std::uint64_t messages = 2'000;
  std::atomic<std::uint64_t> wrong{0};
  run_threads(3, [&](std::uint32_t me) {
    for (std::uint64_t n = 1; n <= messages; ++n) {
      if (me == 0) {
        auto made = std::make_unique<message>();
        made->fill(n);
        store.put(1, std::move(made));
      } else if (const auto seen = store.read(1); seen && !(*seen)->whole()) {
        ++wrong;
      }
    }
  });
  EXPECT_EQ(wrong, 0u);
}

// The slot holds the pointer itself; the messages live longer than the readers.
TEST(publication, F57_by_an_inlined_pointer) {
  ratchet::store<int, const message*> store;
  static_assert(ratchet::is_inlined<const message*>);
  constexpr std::uint64_t messages = 2'000;
  std::vector<message> all(messages);
  std::atomic<std::uint64_t> wrong{0};
  run_threads(3, [&](std::uint32_t me) {
    auto handle = store.at(1);
    for (std::uint64_t n = 0; n < messages; ++n) {
      if (me == 0) {
        all[n].fill(n);
        store.put(1, &all[n]);
      } else if (const auto seen = me == 1 ? store.get(1) : handle.get();
                 seen && !(*seen)->whole()) {
        ++wrong;
      }
    }
  });
  EXPECT_EQ(wrong, 0u);
}

// The message belongs to whoever committed last: ownership of ordinary memory, by version.
TEST(publication, F57_by_a_conflict_and_by_turns) {
  ratchet::store<int, std::uint64_t> store;
  store.put(1, 0);
  message shared;  // written by whoever holds the turn
  constexpr std::uint64_t turns = 600;
  run_threads(3, [&](std::uint32_t me) {
    auto seen = store.get(1);
    while (*seen < turns) {
      if (*seen % 3 != me) {
        // Nobody's turn but one's: the answer of a lost write is acquired as well as a read.
        auto lost = store.put(1, 0, if_match{ratchet::version()});
        seen = ratchet::entry<std::uint64_t>(lost.current());
        std::this_thread::yield();
        continue;
      }
      EXPECT_TRUE(shared.words[0] == 0 || shared.whole());
      shared.fill(*seen + 1);
      const std::uint64_t next = *seen + 1;
      EXPECT_TRUE(store.put(1, next, if_match{seen.version()}));
      seen = store.get(1);
    }
  });
  EXPECT_EQ(shared.words[0], turns);
}

TEST(publication, F57_by_the_creation_of_a_key) {
  ratchet::store<std::uint64_t, std::unique_ptr<message>> store;
  constexpr std::uint64_t keys = 1'000;
  std::atomic<std::uint64_t> wrong{0};
  run_threads(4, [&](std::uint32_t me) {
    for (std::uint64_t key = 0; key < keys; ++key) {
      auto made = std::make_unique<message>();
      made->fill(key * 10 + me);
      const auto result = store.put(key, std::move(made), if_absent);
      if (!result && !(*result.current())->whole()) ++wrong;
      const auto seen = store.read(key);
      if (!seen || !(*seen)->whole()) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
