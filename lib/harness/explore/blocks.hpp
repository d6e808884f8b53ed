// The blocks of one execution: which were released, what bytes are called, what to do at the end.
#pragma once

#include <harness/explore/explorer.hpp>

#include <string>
#include <vector>

namespace ratchet::inline RATCHET_ABI::explore {

struct block {
  std::uintptr_t at;
  std::size_t bytes;
  unsigned number;  // in order of allocation, the same in every replay
  bool released;
};

class block_registry {
 public:
  void reset();

  unsigned allocate(const void* at, std::size_t bytes);
  // False when it was released before.
  bool release(const void* at, std::size_t bytes);
  // The block that these bytes are in, released or not; null when there is none.
  const block* find(const void* at, std::size_t bytes) const;
  // The released block that these bytes are in; null when there is none.
  const block* released_at(const void* at, std::size_t bytes) const;
  block_count live() const;

  void name(const void* at, std::size_t bytes, const char* what);
  // Registered name, or block and offset, or a number in order of first mention: never an address.
  std::string describe(const void* at);

 private:
  struct named {
    std::uintptr_t at;
    std::size_t bytes;
    const char* what;
  };
  std::vector<block>::iterator first_after(std::uintptr_t at);
  const block* find(std::uintptr_t at, std::size_t bytes) const;

  std::vector<block> blocks_;  // by address, none overlapping
  std::vector<named> names_;
  std::vector<std::uintptr_t> mentioned_;
  unsigned allocations_ = 0;
  std::size_t released_ = 0;
};

// What at_execution_end() collects, in order.
class end_actions {
 public:
  void add(std::function<void()> action) { actions_.push_back(std::move(action)); }
  void add(void* block, std::size_t bytes, void (*give_back)(void*, std::size_t)) {
    quarantined_.push_back({block, bytes, give_back});
  }
  void run();

 private:
  struct quarantined {
    void* block;
    std::size_t bytes;
    void (*give_back)(void*, std::size_t);
  };
  std::vector<std::function<void()>> actions_;
  std::vector<quarantined> quarantined_;
};

}  // namespace ratchet::inline RATCHET_ABI::explore
