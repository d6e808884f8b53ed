// Pairs of steps of one execution that could have come the other way round: dynamic partial-order
// reduction (Flanagan and Godefroid, POPL 2005) with source sets (Abdulla et al., POPL 2014).
//
// Two steps race when they are dependent and nothing between them orders them. The schedule in
// which the later one comes first begins, where the earlier one was taken, with what the later one
// needs and the earlier one does not: with one of its `initials`. It is enough to explore one of
// them there.
// Only without a bound on pre-emptions: a reversed order that is too dear here may be affordable
// elsewhere.
//
// A thread's steps and the drains of its buffer are two processes. What one process enables in
// another is ordered by that and races with nothing: a store before its drain, drains before the
// locked instruction or the store that waited for them.
#pragma once

#include <harness/explore/execution.hpp>

#include <cstdint>
#include <vector>

namespace ratchet::inline RATCHET_ABI::explore {

struct race {
  std::size_t at;           // depth of the earlier step
  transition_set initials;  // what may run there instead
};

class race_finder {
 public:
  race_finder(const execution& e, const options& o) : execution_(e), options_(o) {}

  // Before the execution takes the transition. Depths below were noted in an earlier execution.
  void note(std::size_t depth, transition);
  // Since the last call.
  std::vector<race> found();

 private:
  // By process, how many of its steps happened before and including this one.
  using clock = std::vector<std::uint32_t>;
  struct step {
    transition what;
    footprint touched;
    bool barrier_pending;
    std::uint32_t number;  // of its process
    clock knows;
  };

  bool ordered(const step& earlier, const clock& knows) const {
    return knows[earlier.what.index()] >= earlier.number;
  }
  clock enabled_by(const step&) const;
  std::size_t count(footprint::kind, std::size_t thread) const;
  // Of the thread's steps of a kind the one with this number, if there is one.
  void join_nth(clock& knows, footprint::kind, std::size_t thread, std::size_t number) const;
  void join_barrier(clock& knows, std::size_t thread) const;
  void find_races(std::size_t last);
  transition_set initials(std::size_t earlier, std::size_t later) const;

  const execution& execution_;
  const options& options_;
  std::vector<step> steps_;
  std::vector<race> found_;
};

}  // namespace ratchet::inline RATCHET_ABI::explore
