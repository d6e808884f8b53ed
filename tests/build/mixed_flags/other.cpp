#include "one.hpp"

#include <ratchet/base/word128.hpp>

std::uint64_t add_in_other_half(numbers& store) {
  ratchet::base::atomic_word128 word(ratchet::base::word128{1, 2});
  const auto seen = store.get(1u);
  const std::uint64_t next = (seen ? *seen : 0) + word.load(ratchet::base::acquire).low;
  store.put(1u, next);
  return next;
}
