// Two 64-bit numbers may cut down to one 32-bit key.
// expect: no matching (member )?function for call to .*get
#include "store.hpp"

using by_id = RATCHET_TEST_STORE<std::uint32_t, int>;

bool look(const by_id& store) {
#if RATCHET_CONTROL
  const std::uint16_t id = 1;
#else
  const std::uint64_t id = 1;
#endif
  return static_cast<bool>(store.get(id));
}
