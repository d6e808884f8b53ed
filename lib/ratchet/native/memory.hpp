// Where a store's memory comes from.
#pragma once

#include <ratchet/base/config.hpp>

#include <cstddef>
#include <memory_resource>

namespace ratchet::inline RATCHET_ABI {

// A memory resource that can also hand out whole zeroed pages that nobody has touched yet. Growth
// needs it to stay cheap: from a plain memory_resource each new table is cleared in one go,
// O(table) inside one operation.
class RATCHET_API page_resource : public std::pmr::memory_resource {
 public:
  // Zeroed, aligned to 4096. Throws std::bad_alloc.
  [[nodiscard]] void* map(std::size_t bytes) { return do_map(bytes); }
  void unmap(void* pages, std::size_t bytes) noexcept { do_unmap(pages, bytes); }

  ~page_resource() override;

 private:
  virtual void* do_map(std::size_t bytes) = 0;
  virtual void do_unmap(void* pages, std::size_t bytes) noexcept = 0;
};

// The default: operator new for values and small blocks, mmap for pages. Never destroyed.
[[nodiscard]] RATCHET_API page_resource& default_memory() noexcept;

namespace native {

inline constexpr std::size_t page_bytes = 4096;

// A store's view of its memory resource: blocks, and zeroed blocks.
class memory {
 public:
  explicit memory(std::pmr::memory_resource* resource) noexcept
      : blocks_(resource != nullptr ? resource : &default_memory()),
        pages_(dynamic_cast<page_resource*>(blocks_)) {}

  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) {
    return blocks_->allocate(bytes, alignment);
  }
  void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept {
    blocks_->deallocate(block, bytes, alignment);
  }
  // Aligned to a cache line.
  [[nodiscard]] RATCHET_API void* allocate_zeroed(std::size_t bytes);
  RATCHET_API void deallocate_zeroed(void* block, std::size_t bytes) noexcept;

 private:
  // Blocks up to this size are cleared, not mapped: a clear of one chunk of index words.
  static constexpr std::size_t cleared_bytes_max = 1024;

  std::pmr::memory_resource* blocks_;
  page_resource* pages_;  // null when the resource cannot map
};

}  // namespace native
}  // namespace ratchet::inline RATCHET_ABI
