// What an index is made of: the root table, the floor, and the stripes that keep counts apart.
#pragma once

#include <ratchet/core/version.hpp>
#include <ratchet/native/record_pool.hpp>
#include <ratchet/native/table.hpp>
#include <ratchet/native/waiting_list.hpp>

#include <bit>
#include <memory>
#include <stdexcept>
#include <string>

namespace ratchet::inline RATCHET_ABI::native {

// Words that a stripe's creations may still use, and of which table.
//   | generation, its low bits : 48 | words : 16 |
// Words: at most one batch (64) and what creations under way give back; what would pass the 16 bits
// is forgotten, so that less is used than was reserved. Generations: equal again after 2^48
// migrations, 9 years at one a microsecond; a stripe that kept a batch unused for exactly so long
// would use up to 63 words more than were reserved.
class word_credit {
 public:
  constexpr word_credit() noexcept = default;
  constexpr word_credit(std::uint64_t generation, std::uint64_t words) noexcept
      : bits_((generation << words_bits) | words) {}

  [[nodiscard]] constexpr bool is_of(std::uint64_t generation) const noexcept {
    return ((bits_ ^ (generation << words_bits)) >> words_bits) == 0;
  }
  // Of a later table.
  [[nodiscard]] constexpr bool is_after(std::uint64_t generation) const noexcept {
    const std::uint64_t ahead = (bits_ >> words_bits << words_bits) - (generation << words_bits);
    return ahead != 0 && ahead < std::uint64_t{1} << 63;
  }
  [[nodiscard]] constexpr std::uint64_t words() const noexcept { return bits_ & words_max; }
  [[nodiscard]] constexpr word_credit less_one() const noexcept { return word_credit(bits_ - 1); }
  // With one more of this table, which is as late as those it has: words of earlier ones are void.
  [[nodiscard]] constexpr word_credit plus_one_of(std::uint64_t generation) const noexcept {
    if (!is_of(generation)) return {generation, 1};
    return word_credit(words() == words_max ? bits_ : bits_ + 1);
  }

 private:
  constexpr explicit word_credit(std::uint64_t bits) noexcept : bits_(bits) {}

  static constexpr unsigned words_bits = 16;
  static constexpr std::uint64_t words_max = (std::uint64_t{1} << words_bits) - 1;
  std::uint64_t bits_ = 0;
};

// One cache line of counts and lists for the threads that share it, so that no line is store-wide.
// Sums over stripes are exact when nobody writes.
struct alignas(limits::cache_line_bytes) stripe {
  waiting_list waiting;
  free_stack free_records;
  base::atomic<word_credit> credit;
  // Creations less erases of these threads, also below 0. 63 bits: one a call.
  base::atomic<std::int64_t> present;
  base::atomic<std::uint64_t> survivors;  // what the last reclaimer had to keep: a waiting_amount
  // Set back at a 16th of the stripe's share of the table. 32 bits: passed only in a table of more
  // than 2^36 words (512 GiB), where a wrap puts a clean-up off and nothing else.
  base::atomic<std::uint32_t> erases;
};
static_assert(sizeof(stripe) == limits::cache_line_bytes);

struct index_state {
  static constexpr std::size_t stripes_max = 16;  // 1 KiB: an empty store stays under 4 KiB

  index_state(memory& from, std::size_t record_bytes, std::size_t keys_expected, version first)
      : mem(from),
        pool(from, record_bytes),
        root(table::make(from, words_for(keys_expected), limits::generation_first, 0)),
        floor(first.to_u64()),
        stripes_count(std::min(stripes_max, std::bit_ceil<std::size_t>(domain_now().cpus))) {
    try {
      stripes = static_cast<stripe*>(
          mem.allocate(stripes_count * sizeof(stripe), limits::cache_line_bytes));
    } catch (...) {
      table::destroy(root.load(relaxed), mem);  // relaxed: not shared yet
      throw;
    }
    std::uninitialized_default_construct_n(stripes, stripes_count);
  }
  index_state(const index_state&) = delete;
  index_state& operator=(const index_state&) = delete;
  // The last table is the owner's to empty and to destroy.
  ~index_state() {
    mem.deallocate(stripes, stripes_count * sizeof(stripe), limits::cache_line_bytes);
  }

  [[nodiscard]] stripe& stripe_of(const thread_record& mine) noexcept {
    return stripes[mine.number & (stripes_count - 1)];
  }

  // Keys present: exact when nobody writes; else off by at most the creations and erases under way.
  [[nodiscard]] std::size_t present() const noexcept(!RATCHET_EXPLORE) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < stripes_count; ++i)
      sum += stripes[i].present.load(relaxed);  // relaxed: a count that moves anyway
    return sum > 0 ? static_cast<std::size_t>(sum) : 0;
  }

  // A table is left at 11/16 of its words, so that settled memory stays low and a miss looks at 1.3
  // lines. Throws std::invalid_argument.
  [[nodiscard]] static std::size_t words_for(std::size_t keys) {
    if (keys > limits::reserve_max)
      throw std::invalid_argument("ratchet: reserve is " + std::to_string(keys) +
                                  " keys, accepted are 0 to " +
                                  std::to_string(limits::reserve_max));
    return keys + keys / 2;
  }

  memory& mem;
  slabs pool;
  // Read by every call by key; what shares its line is written once a migration.
  alignas(limits::cache_line_bytes) base::atomic<table*> root;
  // No version up to this one is issued to a new record: it may have been issued to a dropped one.
  base::atomic<std::uint64_t> floor;
  base::atomic<std::uint64_t> migrations;  // 64 bits: a number for people
  std::size_t stripes_count;
  stripe* stripes = nullptr;
};

}  // namespace ratchet::inline RATCHET_ABI::native
