// Get and conditional put by 64-bit integer key.
#include "operations.hpp"

namespace ratchet_bench {

void add_integer_operations(const options& wanted, cases& into) {
  add_gets<std::uint64_t>(wanted, "get_integer", true, into);
  add_puts<std::uint64_t>(wanted, "put_integer", into);
}

}  // namespace ratchet_bench
