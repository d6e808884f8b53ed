// Get and conditional put by 21-byte string key, through a string_view.
#include "operations.hpp"

namespace ratchet_bench {

void add_string_operations(const options& wanted, cases& into) {
  add_gets<std::string>(wanted, "get_string", true, into);
  add_gets<std::string>(wanted, "get_string_miss", false, into);
  add_puts<std::string>(wanted, "put_string", into);
}

}  // namespace ratchet_bench
