// One table of the index: words that lead from a hash to a record.
//
//   word   | record address >> 6 : 50 | tag : 12 | mark : 2 |
//          EMPTY -> record -> record|keep or record|drop          EMPTY -> FROZEN
// Nothing leads back inside one table. `keep`: the record is in the next table too. `drop`: it is
// in no table that comes after, and is about to be reclaimed.
#pragma once

#include <ratchet/base/line_look.hpp>
#include <ratchet/native/hazard.hpp>
#include <ratchet/native/memory.hpp>
#include <ratchet/native/waiting_list.hpp>

#include <algorithm>
#include <new>

namespace ratchet::inline RATCHET_ABI::native {

enum class mark : std::uint8_t { none = 0, keep = 1, drop = 2 };

class index_word {
 public:
  constexpr index_word() noexcept = default;
  constexpr explicit index_word(std::uint64_t bits) noexcept : bits_(bits) {}
  index_word(const void* record, std::uint64_t hash, native::mark with = mark::none) noexcept
      : bits_((reinterpret_cast<std::uint64_t>(record) << address_shift) | tag_bits(hash) |
              static_cast<std::uint64_t>(with)) {}

  [[nodiscard]] static constexpr index_word frozen() noexcept { return index_word(3); }
  [[nodiscard]] constexpr bool is_empty() const noexcept { return bits_ == 0; }
  [[nodiscard]] constexpr bool is_frozen() const noexcept { return bits_ == 3; }
  [[nodiscard]] constexpr bool is_record() const noexcept { return bits_ > 3; }
  [[nodiscard]] constexpr native::mark mark() const noexcept {
    return static_cast<native::mark>(bits_ & 3);
  }
  [[nodiscard]] void* record() const noexcept {
    return reinterpret_cast<void*>((bits_ >> (tag_width + 2)) << 6);
  }
  [[nodiscard]] constexpr index_word with(native::mark decided) const noexcept {
    return index_word(bits_ | static_cast<std::uint64_t>(decided));
  }
  // False for most words that do not lead to the hash's record: another tag, or dropped.
  [[nodiscard]] constexpr bool may_lead_to(std::uint64_t hash) const noexcept {
    return ((bits_ ^ tag_bits(hash)) & (tag_mask | static_cast<std::uint64_t>(mark::drop))) == 0 &&
           is_record();
  }
  // Of eight neighbours, those that may lead to the hash's record, or end its path.
  [[nodiscard]] static unsigned worth_a_look(const void* bucket, std::uint64_t hash) noexcept {
    return base::worth_a_look(
        bucket, static_cast<std::uint32_t>(tag_mask) | static_cast<std::uint32_t>(mark::drop),
        static_cast<std::uint32_t>(tag_bits(hash)));
  }
  [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return bits_; }
  friend constexpr bool operator==(index_word, index_word) = default;

 private:
  static constexpr unsigned tag_width = 12;
  static constexpr unsigned address_shift =
      tag_width + 2 - 6;  // 64-byte aligned addresses of 56 bits
  static constexpr std::uint64_t tag_mask = ((std::uint64_t{1} << tag_width) - 1) << 2;

  // The low bits of the hash: the high ones choose the bucket.
  static constexpr std::uint64_t tag_bits(std::uint64_t hash) noexcept {
    return (hash << 2) & tag_mask;
  }

  std::uint64_t bits_ = 0;
};

class alignas(limits::cache_line_bytes) table : public retired {
 public:
  using word = base::atomic<index_word>;

  // Room for at least `words_wanted`; all empty. `promised` of them are reserved already, for those
  // who may create here before the table is the root: one for each chunk of the table before.
  // Throws std::bad_alloc.
  static table* make(memory& from, std::size_t words_wanted, std::uint64_t generation,
                     std::uint64_t promised) {
    const std::size_t chunks =
        std::max<std::size_t>(1, (words_wanted + limits::chunk_words - 1) / limits::chunk_words);
    void* block = from.allocate_zeroed(bytes_for(chunks));
    base::note_allocated(block, bytes_for(chunks));
    return new (block) table(chunks, generation, promised);
  }
  // Words, flags and counters are trivially destroyed.
  static void destroy(table* dead, memory& to) noexcept(!RATCHET_EXPLORE) {
    base::note_released(dead, dead->bytes());
    to.deallocate_zeroed(dead, dead->bytes());
  }

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_for(chunks); }
  [[nodiscard]] std::size_t words_count() const noexcept { return chunks * limits::chunk_words; }
  [[nodiscard]] std::size_t buckets_count() const noexcept {
    return words_count() / limits::bucket_words;
  }

  // Words that may lead to records: 11/16, and never so many that one of the same size could not
  // take them all with one creation a chunk on top.
  [[nodiscard]] std::size_t words_cap() const noexcept {
    const std::size_t words = words_count();
    return std::min(words - words / 4 - words / 16, words - chunks);
  }

  // The first word of the path of a hash: its bucket is hash / 2^64 of the way through the table,
  // so that order of buckets survives any growth.
  [[nodiscard]] std::size_t home(std::uint64_t hash) const noexcept {
    return bucket_of(hash) * limits::bucket_words;
  }
  [[nodiscard]] std::size_t bucket_of(std::uint64_t hash) const noexcept {
    return static_cast<std::size_t>((static_cast<base::uint128>(hash) * buckets_count()) >> 64);
  }
  // The smallest hash of a bucket; 0 past the last one.
  [[nodiscard]] std::uint64_t first_hash(std::size_t bucket) const noexcept {
    const auto count = static_cast<base::uint128>(buckets_count());
    return static_cast<std::uint64_t>(((static_cast<base::uint128>(bucket) << 64) + count - 1) /
                                      count);
  }
  [[nodiscard]] std::size_t after(std::size_t index) const noexcept {
    return index + 1 == words_count() ? 0 : index + 1;
  }
  [[nodiscard]] word& at(std::size_t index) noexcept { return words()[index]; }

  const std::size_t chunks;
  // Tells a store's tables apart. Of 64 bits the stripes keep 56 (word_credit): at a million
  // migrations a second they are used up in 2,280 years.
  const std::uint64_t generation;
  // Set once, by whoever starts the migration.
  base::atomic<table*> next;

  // Room (rule 20 of docs/design.md): words handed out to creations, with `closed` once no more may
  // be; words that came with the migration into this table.
  // A line of its own, since every call by key reads the one above.
  static constexpr std::uint64_t closed = std::uint64_t{1} << 63;
  alignas(limits::cache_line_bytes) base::atomic<std::uint64_t> reserved;
  base::atomic<std::uint64_t> kept;

  // The migration out of this table: chunks handed out; per chunk, 1 + the words kept of it once it
  // is done; the same for groups of chunks.
  base::atomic<std::size_t> chunks_claimed;
  [[nodiscard]] base::atomic<std::uint8_t>& chunk_done(std::size_t chunk) noexcept {
    return chunk_flags()[chunk];
  }
  static constexpr std::size_t group_chunks = 64;
  [[nodiscard]] std::size_t groups_count() const noexcept {
    return (chunks + group_chunks - 1) / group_chunks;
  }
  [[nodiscard]] base::atomic<std::uint32_t>& group_done(std::size_t group) noexcept {
    return group_flags()[group];
  }
  static_assert(limits::chunk_words < 255 && limits::chunk_words % limits::bucket_words == 0);

 private:
  table(std::size_t chunks_count, std::uint64_t number, std::uint64_t promised) noexcept
      : chunks(chunks_count), generation(number), reserved(promised) {}

  // Header, words, group flags, chunk flags. The zeroed block is a valid array of empty words and
  // unset flags.
  static std::size_t bytes_for(std::size_t chunks) noexcept {
    const std::size_t groups = (chunks + group_chunks - 1) / group_chunks;
    const std::size_t bytes = sizeof(table) + chunks * limits::chunk_words * sizeof(word) +
                              groups * sizeof(std::uint32_t) + chunks;
    return (bytes + limits::cache_line_bytes - 1) / limits::cache_line_bytes *
           limits::cache_line_bytes;
  }
  word* words() noexcept { return reinterpret_cast<word*>(this + 1); }
  base::atomic<std::uint32_t>* group_flags() noexcept {
    return reinterpret_cast<base::atomic<std::uint32_t>*>(words() + words_count());
  }
  base::atomic<std::uint8_t>* chunk_flags() noexcept {
    return reinterpret_cast<base::atomic<std::uint8_t>*>(group_flags() + groups_count());
  }
};
static_assert(sizeof(table::word) == 8);
static_assert(std::is_trivially_destructible_v<table>);

}  // namespace ratchet::inline RATCHET_ABI::native
