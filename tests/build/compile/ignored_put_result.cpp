// Whether it committed is the point of a conditional put.
// flags: -Werror=unused-result
// expect: unused-result
#include "store.hpp"

void put(numbers& store) {
#if RATCHET_CONTROL
  store.put("key", 1);
  static_cast<void>(store.put("key", 1, ratchet::if_absent));
#else
  store.put("key", 1, ratchet::if_absent);
#endif
}
