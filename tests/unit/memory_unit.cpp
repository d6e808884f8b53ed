// Where a store's memory comes from, and how a slot is loaded where the CPU has no vector loads.
// Of: native/memory.hpp, base/word128.hpp, base/cpu.hpp
#include "native.hpp"

#if RATCHET_TESTS_NATIVE
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "failing_memory.hpp"

namespace {

using numbers = ratchet::store<std::uint64_t, std::uint64_t>;

// Pages from malloc, counted.
class counted_pages : public ratchet::page_resource {
 public:
  std::int64_t pages_out = 0;
  std::int64_t blocks_out = 0;
  std::uint64_t maps = 0;

 private:
  void* do_map(std::size_t bytes) override {
    ++maps;
    ++pages_out;
    return std::memset(std::aligned_alloc(4'096, bytes + (4'096 - bytes % 4'096) % 4'096), 0,
                       bytes);
  }
  void do_unmap(void* pages, std::size_t) noexcept override {
    --pages_out;
    std::free(pages);
  }
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++blocks_out;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    --blocks_out;
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

TEST(memory, a_resource_of_pages_is_asked_for_tables_and_gets_all_back) {
  counted_pages pages;
  {
    ratchet::config wanted;
    wanted.memory = &pages;
    numbers store(wanted);
    for (std::uint64_t n = 0; n < 5'000; ++n) store.put(n, n);
    for (std::uint64_t n = 0; n < 5'000; ++n) ASSERT_EQ(*store.read(n), n);
    EXPECT_GT(pages.maps, 4u);
    EXPECT_GT(pages.pages_out, 0);
  }
  EXPECT_EQ(pages.pages_out, 0);
  EXPECT_EQ(pages.blocks_out, 0);
}

TEST(memory, the_default_is_one_resource) {
  EXPECT_TRUE(ratchet::default_memory().is_equal(ratchet::default_memory()));
  EXPECT_FALSE(ratchet::default_memory().is_equal(*std::pmr::new_delete_resource()));
}

TEST(memory, F89_an_erase_whose_clean_up_gets_no_memory_is_done_all_the_same) {
  tests::failing_memory memory;
  ratchet::config wanted;
  wanted.memory = &memory;
  numbers store(wanted);
  for (std::uint64_t n = 0; n < 2'000; ++n) store.put(n, n);
  std::uint64_t refused = 0;
  for (std::uint64_t n = 0; n < 2'000; ++n) {
    memory.fail_at(1);
    ASSERT_TRUE(store.erase(n)) << n;
    if (memory.has_failed()) ++refused;
    memory.fail_at(0);
    ASSERT_FALSE(store.read(n));
  }
  EXPECT_GT(refused, 0u) << "no clean-up was tried";
  EXPECT_EQ(store.size(), 0u);
}

#if !RATCHET_TSAN && !defined(__AVX__)
// As on a CPU without AVX: a load is a compare-and-swap that stores back what it found.
TEST(memory, a_slot_is_loaded_whole_without_vector_loads) {
  const bool was = ratchet::base::vector_load_is_atomic;
  ratchet::base::vector_load_is_atomic = false;
  {
    ratchet::base::atomic_word128 word(ratchet::base::word128{7, 9});
    for (int n = 0; n < 2; ++n)
      EXPECT_EQ(word.load(ratchet::base::acquire), (ratchet::base::word128{7, 9}));
    ratchet::base::atomic_word128 zero;
    EXPECT_EQ(zero.load(ratchet::base::seq_cst), ratchet::base::word128{});
    numbers store;
    store.put(1, 0);
    std::jthread writer([&] {
      for (std::uint64_t n = 1; n <= 100'000; ++n) store.put(1, n);
    });
    std::uint64_t last = 0;
    while (last < 100'000) {
      const auto seen = store.read(1);
      ASSERT_EQ(*seen + 1, seen.version().to_u64()) << "half of one write, half of another";
      ASSERT_GE(*seen, last);
      last = *seen;
    }
  }
  ratchet::base::vector_load_is_atomic = was;
}
#endif

}  // namespace
#endif
