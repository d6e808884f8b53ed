// No number turns into a version by itself.
// expect: could not convert|no viable conversion
#include "store.hpp"

ratchet::version made() {
#if RATCHET_CONTROL
  return ratchet::version::from_u64(3);
#else
  return 3;
#endif
}
