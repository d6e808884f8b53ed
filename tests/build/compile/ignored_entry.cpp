// A read that nobody looks at is a mistake.
// flags: -Werror=unused-result
// expect: unused-result
#include "store.hpp"

void get(const numbers& store) {
#if RATCHET_CONTROL
  static_cast<void>(store.get("key"));
#else
  store.get("key");
#endif
}
