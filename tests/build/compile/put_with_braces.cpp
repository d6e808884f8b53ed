// Empty braces are no condition either: neither tag can be made from them.
// expect: is ambiguous|no matching (member )?function for call to .*put
#include "store.hpp"

bool put(numbers& store) {
#if RATCHET_CONTROL
  return static_cast<bool>(store.put("key", 1, ratchet::if_absent));
#else
  return static_cast<bool>(store.put("key", 1, {}));
#endif
}
