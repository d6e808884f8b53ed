// A memory resource that hands out again what was freed last, so that addresses come back at once.
#pragma once

#include <cstddef>
#include <map>
#include <memory_resource>
#include <mutex>
#include <utility>
#include <vector>

namespace tests {

class reusing_memory : public std::pmr::memory_resource {
 public:
  reusing_memory() = default;
  reusing_memory(const reusing_memory&) = delete;
  reusing_memory& operator=(const reusing_memory&) = delete;
  ~reusing_memory() override {
    for (const auto& [size, blocks] : free_)
      for (void* block : blocks)
        std::pmr::new_delete_resource()->deallocate(block, size.first, size.second);
  }

 private:
  using shape = std::pair<std::size_t, std::size_t>;  // bytes, alignment

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard lock(mutex_);
    auto& blocks = free_[shape(bytes, alignment)];
    if (blocks.empty()) return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    void* const last = blocks.back();
    blocks.pop_back();
    return last;
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard lock(mutex_);
    free_[shape(bytes, alignment)].push_back(block);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::mutex mutex_;
  std::map<shape, std::vector<void*>> free_;
};

}  // namespace tests
