// A mutate may have given up: who ignores that has lost a write.
// flags: -Werror=unused-result
// expect: unused-result
#include "store.hpp"

void add_one(numbers& store) {
  auto add = [](const int* now) { return now == nullptr ? 1 : *now + 1; };
#if RATCHET_CONTROL
  static_cast<void>(store.mutate("key", add));
#else
  store.mutate("key", add);
#endif
}
