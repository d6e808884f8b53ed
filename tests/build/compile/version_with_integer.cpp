// A version is compared with a version: its number is nobody's business.
// expect: no match for .operator==.|invalid operands to binary expression
#include "store.hpp"

bool same(ratchet::version seen) {
#if RATCHET_CONTROL
  return seen == ratchet::version();
#else
  return seen == 3;
#endif
}
