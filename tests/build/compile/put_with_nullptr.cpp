// Null is no condition.
// expect: no matching (member )?function for call to .*put
#include "store.hpp"

bool put(numbers& store) {
#if RATCHET_CONTROL
  return static_cast<bool>(store.put("key", 1, ratchet::if_absent));
#else
  return static_cast<bool>(store.put("key", 1, nullptr));
#endif
}
