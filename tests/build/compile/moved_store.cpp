// Nor is it moved.
// expect: use of deleted function|call to deleted constructor
#include "store.hpp"

#include <utility>

int use(numbers& store) {
#if RATCHET_CONTROL
  numbers& same = store;
#else
  numbers same = std::move(store);
#endif
  return static_cast<int>(same.size());
}
