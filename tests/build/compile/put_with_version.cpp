// A version alone does not say what is to hold for it.
// expect: no matching (member )?function for call to .*put
#include "store.hpp"

bool put(numbers& store, ratchet::version seen) {
#if RATCHET_CONTROL
  return static_cast<bool>(store.put("key", 1, ratchet::if_match{seen}));
#else
  return static_cast<bool>(store.put("key", 1, seen));
#endif
}
