// A number is no string.
// expect: no matching (member )?function for call to .*get
#include "store.hpp"

bool look(const numbers& store) {
#if RATCHET_CONTROL
  return static_cast<bool>(store.get("1"));
#else
  return static_cast<bool>(store.get(1));
#endif
}
