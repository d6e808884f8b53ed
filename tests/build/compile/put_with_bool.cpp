// `put(key, value, true)` could mean anything.
// expect: no matching (member )?function for call to .*put
#include "store.hpp"

bool put(numbers& store) {
#if RATCHET_CONTROL
  return static_cast<bool>(store.put("key", 1, ratchet::if_present));
#else
  return static_cast<bool>(store.put("key", 1, true));
#endif
}
