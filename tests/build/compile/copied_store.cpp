// Views and handles point into a store: it stays where it is.
// expect: use of deleted function|call to deleted constructor
#include "store.hpp"

int use(numbers& store) {
#if RATCHET_CONTROL
  numbers& same = store;
#else
  numbers same = store;
#endif
  return static_cast<int>(same.size());
}
