// Memory that lasts until the end of the execution, whatever happens to it in between: a block that
// was given back is not used again while a thread may still reach for it, and an execution that
// ends in a violation, with threads left in the middle of their calls, leaks nothing.
#pragma once

#include <harness/explore/explorer.hpp>

#include <memory_resource>
#include <new>
#include <utility>

namespace ratchet::inline RATCHET_ABI::explore {

// What was allocated outside an execution is given back at once. Does not call allocated() or
// released(): the code that shares a block does.
class execution_memory final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

execution_memory& memory_of_execution();

// A T for the bodies to share: setup makes it, teardown destroys it, and after a violation, when
// its destructor might meet anything, its memory just goes.
template <class T>
class shared_state {
 public:
  template <class... Arguments>
  T& emplace(Arguments&&... arguments) {
    void* const place = memory_of_execution().allocate(sizeof(T), alignof(T));
    return *(object_ = ::new (place) T(std::forward<Arguments>(arguments)...));
  }
  void destroy() { std::exchange(object_, nullptr)->~T(); }

  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace ratchet::inline RATCHET_ABI::explore
