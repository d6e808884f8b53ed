// Which schedules are run: depth first over the choices, each execution from scratch.
//
// Sleep sets (Godefroid): after a transition was explored at a node it sleeps in the node's other
// branches until something dependent on it happens there. Every reachable state is still reached.
//
// reduction::races: a node begins with one transition; another is added when two steps of an
// execution race and the later could come first (races.hpp).
#pragma once

#include <harness/explore/races.hpp>

#include <optional>
#include <vector>

namespace ratchet::inline RATCHET_ABI::explore {

class search {
 public:
  search(execution&, const options&, std::optional<stop_point>);

  // What of the wanted reduction holds under these options.
  static reduction reduction_of(const options&);

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
    unsigned ages;  // of values the chosen one may return; 0: not asked yet
  };

  bool push_node();
  void choose(node&);
  unsigned ages(transition);
  bool proceed();
  void follow_races();
  transition_set affordable(transition_set) const;
  bool independent(transition, transition) const;
  transition_set asleep_after(const node&) const;

  execution& execution_;
  const options& options_;
  std::optional<stop_point> stop_;
  reduction reduce_;
  std::vector<node> nodes_;
  race_finder races_;
  transition_set asleep_ = 0;  // on arrival at the next new node
  unsigned preemptions_ = 0;   // so far in this execution
  unsigned older_loads_ = 0;   // as well
  bool stopped_ = false;
};

}  // namespace ratchet::inline RATCHET_ABI::explore
