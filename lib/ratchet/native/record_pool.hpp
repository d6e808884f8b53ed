// Memory of records: cache lines carved from slabs, reused through stacks, given back when the
// store ends.
#pragma once

#include <ratchet/native/memory.hpp>
#include <ratchet/native/waiting_list.hpp>

#include <algorithm>
#include <new>

namespace ratchet::inline RATCHET_ABI::native {

// Free records: head and a count of all changes in one word, so that a head that was taken and came
// back is told apart (Treiber 1986, with a tag). The memory of a record stays mapped as long as the
// store lives, so a link read from a record that was just taken is stale, not invalid.
class free_stack {
 public:
  void push(retired* first, retired* last) {
    base::word128 head = head_.load(relaxed);  // relaxed: the compare-exchange checks it
    for (;;) {
      last->set_next(retired_ref(head.low));
      // release [free]: the links, and all use of the record's last life; relaxed for a loser
      if (head_.compare_exchange(head, {bits_of(first), head.high + 1}, release, relaxed)) return;
    }
  }
  retired* pop() {
    base::word128 head =
        head_.load(acquire);  // acquire [free]: the head's link, from who pushed it
    while (head.low != 0) {
      retired* first = retired_ref(head.low).get();
      // Stale when the head was taken meanwhile, and then the compare-exchange fails.
      const retired_ref next = first->next();
      // acquire [free]: the record's memory, from its last life, and for a loser the new head's
      // link
      if (head_.compare_exchange(head, {next.bits(), head.high + 1}, acquire, acquire))
        return first;
    }
    return nullptr;
  }

 private:
  static std::uint64_t bits_of(retired* at) noexcept { return reinterpret_cast<std::uint64_t>(at); }

  base::atomic_word128 head_;  // the count has 64 bits: one a push or pop
};

// Slabs of one store. A slab is carved front to back, a batch at a time; a new one is an eighth of
// what there is, so a store wastes little at any size.
class slabs {
 public:
  // Records a caller takes at once: neighbours within one page.
  static constexpr std::size_t batch_records = RATCHET_EXPLORE ? 1 : 16;

  slabs(memory& from, std::size_t record_bytes) noexcept
      : memory_(from), record_bytes_(record_bytes) {}
  slabs(const slabs&) = delete;
  slabs& operator=(const slabs&) = delete;
  ~slabs() {
    slab* one = newest_.load(acquire);  // acquire [slab]: the chain, from whoever linked last
    while (one != nullptr) {
      slab* older = one->older;
      const std::size_t bytes = one->bytes;
      one->~slab();
      memory_.deallocate_zeroed(one, bytes);
      one = older;
    }
  }

  struct batch {
    std::byte* first;
    std::size_t records;
  };
  // Throws std::bad_alloc.
  batch carve() {
    for (;;) {
      slab* one = newest_.load(acquire);  // acquire [slab]: its header, from who linked it
      if (one != nullptr) {
        // relaxed: hands out numbers, nothing travels with them
        const std::size_t begin = one->carved.fetch_add(batch_records, relaxed);
        const std::size_t first = std::max<std::size_t>(begin, 1);  // place 0 is the header's
        const std::size_t end = std::min(begin + batch_records, one->places);
        if (first < end) return {one->place(first, record_bytes_), end - first};
      }
      link_slab(one);
    }
  }

  [[nodiscard]] std::size_t bytes() const noexcept(!RATCHET_EXPLORE) {
    return bytes_.load(relaxed);  // relaxed: a number for people
  }

 private:
  struct alignas(limits::cache_line_bytes) slab {
    slab* older;
    std::size_t bytes;
    std::size_t places;                // of a record's size each
    base::atomic<std::size_t> carved;  // 64 bits: passes `places` by a batch a caller

    [[nodiscard]] std::byte* place(std::size_t index, std::size_t record_bytes) noexcept {
      return reinterpret_cast<std::byte*>(this) + index * record_bytes;
    }
  };
  static_assert(sizeof(slab) == limits::cache_line_bytes);

  static constexpr std::size_t slab_bytes_min = 1024;
  static constexpr std::size_t slab_bytes_max = std::size_t{2} << 20;

  void link_slab(slab* full) {
    const std::size_t wanted =
        std::clamp(bytes() / 8, std::max(slab_bytes_min, 2 * record_bytes_), slab_bytes_max);
    const std::size_t bytes =
        wanted > slab_bytes_min ? (wanted + page_bytes - 1) / page_bytes * page_bytes : wanted;
    void* block = memory_.allocate_zeroed(bytes);
    auto* made = new (block)
        slab{full, bytes, bytes / record_bytes_, base::atomic<std::size_t>(batch_records == 1)};
    // release [slab]: the header; a loser frees its own and looks again
    if (newest_.compare_exchange(full, made, release, relaxed)) {
      bytes_.fetch_add(bytes,
                       relaxed);  // relaxed: a number for people and for the next slab's size
    } else {
      made->~slab();
      memory_.deallocate_zeroed(block, bytes);
    }
  }

  memory& memory_;
  std::size_t record_bytes_;
  base::atomic<slab*> newest_;
  base::atomic<std::size_t> bytes_;
};

}  // namespace ratchet::inline RATCHET_ABI::native
