// Which schedules are run: depth first over the choices, each execution from scratch.
//
// Sleep sets (Godefroid): after a transition was explored at a node it sleeps in the node's other
// branches until something dependent on it happens there. Every reachable state is still reached.
//
// A node keeps what is left to explore as a set of its own, so that a dynamic partial-order
// reduction can begin with one transition and add others when a race is seen in the events of an
// execution. Loads that may return older values would make a choice a transition with a variant.
#pragma once

#include <harness/explore/execution.hpp>

#include <optional>
#include <vector>

namespace ratchet::inline RATCHET_ABI::explore {

class search {
 public:
  search(execution&, const options&, std::optional<stop_point>);

  enum class end : std::uint8_t { checked, cut, violation };
  end run_one();
  // To the next schedule; false when there is none.
  bool advance();
  // Whether some execution reached the stop point.
  bool stopped() const { return stopped_; }

 private:
  struct node {
    transition_set enabled;
    transition_set left;      // to be explored from here
    transition_set explored;  // the chosen one excluded
    transition_set asleep;    // on arrival
    transition chosen;
  };

  bool push_node();
  bool choose(node&);
  transition_set affordable(transition_set) const;
  bool independent(transition, transition) const;
  transition_set asleep_after(const node&) const;

  execution& execution_;
  const options& options_;
  std::optional<stop_point> stop_;
  std::vector<node> nodes_;
  transition_set asleep_ = 0;  // on arrival at the next new node
  unsigned preemptions_ = 0;   // so far in this execution
  bool stopped_ = false;
};

}  // namespace ratchet::inline RATCHET_ABI::explore
