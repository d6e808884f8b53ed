// Parts compiled with different flags are one program, or refuse to be.
// Of: base/config.hpp
#include "one.hpp"

#include <ratchet/base/cpu.hpp>
#include <ratchet/base/word128.hpp>

int main() {
  ratchet::base::require_cmpxchg16b();  // from the compiled part
  numbers store;
  ratchet::base::atomic_word128 word(ratchet::base::word128{1, 2});
  store.put(1u, word.load(ratchet::base::acquire).high);
  const bool added = add_in_other_half(store) == 3;
  const auto seen = store.get(1u);
  return added && seen && *seen == 3 ? 0 : 1;
}
