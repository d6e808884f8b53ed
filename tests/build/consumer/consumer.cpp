// What a program outside needs: one header.
// Of: ratchet.hpp
#include <ratchet/base/cpu.hpp>
#include <ratchet/ratchet.hpp>

#include <string>

#ifndef RATCHET_TEST_STORE
#define RATCHET_TEST_STORE ratchet::mutex_store
#endif

int main() {
  ratchet::base::require_cmpxchg16b();  // from the compiled part
  RATCHET_TEST_STORE<std::string, int> calls;
  calls.put("api", 0);
  const auto seen = calls.get("api");
  const auto won = calls.put("api", *seen + 1, ratchet::if_match{seen.version()});
  const auto lost = calls.put("api", 7, ratchet::if_match{seen.version()});
  return won && !lost && *lost.current() == 1 ? 0 : 1;
}
