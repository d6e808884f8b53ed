// A value that can never change needs no store.
// expect: storable|constraints not satisfied
#include "store.hpp"

#if RATCHET_CONTROL
using value = int;
#else
using value = const int;
#endif
RATCHET_TEST_STORE<std::string, value>* store = nullptr;
