// Memory in which a load may return an older value: every write stays as a message, and a thread is
// bound only by what it knows.
//
// A view is what a thread knows: of each location the oldest message it may still read, and of each
// thread how many of its steps happened before. A release puts the writer's view into the message,
// an acquire joins it to the reader's; a read-modify-write hands on the view of what it replaced
// (a release sequence). Of seq_cst: no seq_cst access of a location reads an older message than an
// earlier seq_cst access of it read or wrote; that is all [atomics.order] asks where there are no
// fences. A membarrier is a fence in every thread: all views become one.
//
// Modification order is the order of the steps, and no load is delayed past a later store of its
// thread: load buffering and reordered stores to one location are not shown.
#pragma once

#include <harness/explore/blocks.hpp>
#include <harness/explore/buffers.hpp>

#include <optional>
#include <unordered_map>
#include <vector>

namespace ratchet::inline RATCHET_ABI::explore {

class message_memory {
 public:
  void reset(std::size_t threads);

  // Before each of a thread's steps.
  void step(std::size_t thread);
  // By thread, the steps that happened before the thread's next one.
  const std::vector<std::uint32_t>& known(std::size_t thread) const { return views_[thread].steps; }

  // How many values the operation may return. Ages count back from the newest, 0.
  unsigned ages(std::size_t thread, const operation&);
  // The effect, where a load, or a compare_exchange that fails, reads `age` writes back.
  effect perform(std::size_t thread, const operation&, unsigned age);
  void membarrier();

  // What is not atomic: the block was made, is used, or is given up, by this thread. Made and given
  // up need to be ordered with all uses: what is wrong otherwise, or nothing.
  void made(std::optional<std::size_t> thread, unsigned block);
  std::optional<std::string> used(std::size_t thread, unsigned block);
  std::optional<std::string> given_up(std::size_t thread, unsigned block);

 private:
  struct view {
    std::vector<std::uint32_t> oldest;  // by location; 0 where it is shorter
    std::vector<std::uint32_t> steps;   // by thread
    void join(const view&);
  };
  struct message {
    word16 value;
    std::optional<view> carried;
  };
  struct location {
    std::vector<message> messages;
    std::uint32_t seq_cst_from = 0;
  };
  struct life {
    std::optional<std::size_t> maker;
    std::uint32_t made_at = 0;
    std::vector<std::uint32_t> used_at;  // by thread
  };

  std::uint32_t number_of(const operation&);
  std::uint32_t oldest(std::size_t thread, std::uint32_t number, std::memory_order) const;
  void read(std::size_t thread, std::uint32_t number, std::uint32_t index, std::memory_order);
  void write(std::size_t thread, std::uint32_t number, word16 value, std::memory_order,
             bool replaces);

  std::vector<view> views_;
  std::vector<location> locations_;
  std::unordered_map<const void*, std::uint32_t> numbers_;
  std::vector<life> lives_;  // by block number
};

}  // namespace ratchet::inline RATCHET_ABI::explore
