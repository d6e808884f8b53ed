// Versions are not dense where a key was dropped and made anew: nobody may count with them.
// expect: no match for .operator\+.|invalid operands to binary expression
#include "store.hpp"

bool next(ratchet::version seen, ratchet::version now) {
#if RATCHET_CONTROL
  return seen < now;
#else
  return seen + 1 == now;
#endif
}
