#include <ratchet/base/limits.hpp>
#include <ratchet/native/memory.hpp>

#include <sys/mman.h>

#include <cstring>
#include <new>

// LeakSanitizer does not look into mapped pages by itself: a store that is alive when the process
// ends would seem to leak all its values. Null in every other build.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the runtime's names
extern "C" {
[[gnu::weak]] void __lsan_register_root_region(const void* begin, std::size_t bytes);
[[gnu::weak]] void __lsan_unregister_root_region(const void* begin, std::size_t bytes);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace ratchet::inline RATCHET_ABI {

page_resource::~page_resource() = default;

namespace {

class heap_and_pages final : public page_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(bytes);
    return ::operator new(bytes, std::align_val_t(alignment));
  }
  void do_deallocate(void* block, std::size_t, std::size_t alignment) override {
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__)
      ::operator delete(block);
    else
      ::operator delete(block, std::align_val_t(alignment));
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
  void* do_map(std::size_t bytes) override {
    void* pages =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    if (__lsan_register_root_region != nullptr) __lsan_register_root_region(pages, bytes);
    return pages;
  }
  void do_unmap(void* pages, std::size_t bytes) noexcept override {
    if (__lsan_unregister_root_region != nullptr) __lsan_unregister_root_region(pages, bytes);
    ::munmap(pages, bytes);
  }
};

}  // namespace

page_resource& default_memory() noexcept {
  // Never destroyed: static and thread-local objects may use a store in their destructors.
  alignas(heap_and_pages) static std::byte storage[sizeof(heap_and_pages)];
  static page_resource& made = *new (storage) heap_and_pages;
  return made;
}

namespace native {

void* memory::allocate_zeroed(std::size_t bytes) {
  if (pages_ != nullptr && bytes > cleared_bytes_max) return pages_->map(bytes);
  void* block = blocks_->allocate(bytes, limits::cache_line_bytes);
  return std::memset(block, 0, bytes);
}

void memory::deallocate_zeroed(void* block, std::size_t bytes) noexcept {
  if (pages_ != nullptr && bytes > cleared_bytes_max)
    pages_->unmap(block, bytes);
  else
    blocks_->deallocate(block, bytes, limits::cache_line_bytes);
}

}  // namespace native
}  // namespace ratchet::inline RATCHET_ABI
