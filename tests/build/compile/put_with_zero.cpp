// A condition is a type of its own: 0 is no version.
// expect: no matching (member )?function for call to .*put
#include "store.hpp"

bool put(numbers& store) {
#if RATCHET_CONTROL
  return static_cast<bool>(store.put("key", 1, ratchet::if_absent));
#else
  return static_cast<bool>(store.put("key", 1, 0));
#endif
}
