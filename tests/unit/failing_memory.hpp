// A memory resource that counts what is out, and refuses one allocation of your choice.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>

namespace tests {

class failing_memory : public std::pmr::memory_resource {
 public:
  // The k-th allocation from now on throws std::bad_alloc; 0: none does.
  void fail_at(std::uint64_t k) {
    until_failure_ = static_cast<std::int64_t>(k);
    failed_ = false;
  }
  [[nodiscard]] bool has_failed() const { return failed_; }
  [[nodiscard]] std::int64_t bytes_out() const { return bytes_out_; }
  [[nodiscard]] std::int64_t blocks_out() const { return blocks_out_; }
  [[nodiscard]] std::uint64_t allocations() const { return allocations_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++allocations_;
    if (until_failure_ > 0 && --until_failure_ == 0) {
      failed_ = true;
      throw std::bad_alloc();
    }
    void* const made = std::pmr::new_delete_resource()->allocate(bytes, alignment);
    bytes_out_ += static_cast<std::int64_t>(bytes);
    ++blocks_out_;
    return made;
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    bytes_out_ -= static_cast<std::int64_t>(bytes);
    --blocks_out_;
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::atomic<std::int64_t> until_failure_{0};
  std::atomic<bool> failed_{false};
  std::atomic<std::int64_t> bytes_out_{0};
  std::atomic<std::int64_t> blocks_out_{0};
  std::atomic<std::uint64_t> allocations_{0};
};

}  // namespace tests
