// Three callers of one slot, four calls each; up to four pre-emptions in store_deep_sched.cpp.
#include "store_rows.hpp"

using namespace world;

TEST(slots, of_three_callers_up_to_three_preemptions) {
  three_callers_of_a_slot(6, bounded(explore::memory::sequential, 3));
}
