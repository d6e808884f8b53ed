// Memory as the threads see it: the bytes, and each thread's buffer of stores on their way there.
#pragma once

#include <harness/explore/operation.hpp>

#include <vector>

namespace ratchet::inline RATCHET_ABI::explore {

struct buffered_store {
  void* at;
  std::size_t bytes;
  std::uint64_t value;
  // Its own thread released the target afterwards: it comes first wherever the memory is used
  // again.
  bool outlived;
};

class store_buffers {
 public:
  void reset(std::size_t threads);

  const std::vector<buffered_store>& of(std::size_t thread) const { return buffers_[thread]; }
  bool empty(std::size_t thread) const { return buffers_[thread].empty(); }

  void push(std::size_t thread, void* at, std::size_t bytes, std::uint64_t value);
  buffered_store drain(std::size_t thread);
  void outlive(std::size_t thread, const void* block, std::size_t bytes);

  // Memory overlaid with the thread's own stores, oldest first. A load that an own store covers in
  // part would wait for the store on current CPUs; here it mixes the two, so it sees no less.
  effect load(std::size_t thread, const void* at, std::size_t bytes) const;

 private:
  std::vector<std::vector<buffered_store>> buffers_;
};

word16 peek(const void* at, std::size_t bytes);
void poke(void* at, std::size_t bytes, word16 value);

// A read-modify-write or store on memory itself.
effect apply(const operation&);

// Whether the operation would write if it were next.
bool would_write(const operation&);

}  // namespace ratchet::inline RATCHET_ABI::explore
