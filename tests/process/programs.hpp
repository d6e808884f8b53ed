// What the programs share: stores of both kinds, and a check that ends the program at once.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "unit/native.hpp"

namespace programs {

// Works also where destructors run at exit: nothing after it does.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what);
  ::_exit(1);
}

template <class V>
using reference = ratchet::mutex_store<std::string, V>;
#if RATCHET_TESTS_NATIVE
template <class V>
using lock_free = ratchet::store<std::string, V>;
#else
template <class V>
using lock_free = ratchet::mutex_store<std::string, V>;
#endif

// Uses a store as a caller would: creates, replaces, reads, erases; inlined and boxed alike.
template <class Store>
void use(Store& store, int calls, int salt) {
  using V = typename Store::value_type;
  const auto make = [](int n) {
    if constexpr (std::is_same_v<V, std::string>)
      return "a value too long to lie in a string itself " + std::to_string(n);
    else
      return static_cast<V>(n);
  };
  for (int n = 0; n < calls; ++n) {
    const std::string mine = "key " + std::to_string(salt) + "/" + std::to_string(n % 20);
    store.put(mine, make(n));
    store.put("shared", make(n));
    require(static_cast<bool>(store.get("shared")), "a key that is always there is found");
    require(*store.get(mine) == make(n), "a caller reads its own write");
    if (n % 3 == 0) require(static_cast<bool>(store.erase(mine)), "a caller erases its own key");
  }
}

// Stores that live as long as the process and are never destroyed, for code that runs at its end.
struct endless {
  lock_free<std::int64_t>& inlined = *new lock_free<std::int64_t>();
  lock_free<std::string>& boxed = *new lock_free<std::string>();
  reference<std::string>& locked = *new reference<std::string>();

  void use_all(int calls, int salt) {
    use(inlined, calls, salt);
    use(boxed, calls, salt);
    use(locked, calls, salt);
  }
};
inline endless& stores() {
  static endless* const all = new endless();
  return *all;
}

// Uses the stores in its destructor.
struct late_user {
  explicit late_user(int number) : salt(number) {}
  late_user(const late_user&) = delete;
  late_user& operator=(const late_user&) = delete;
  ~late_user() {
    stores().use_all(200, salt);
    std::printf("late user %d done\n", salt);
  }
  void touch() volatile {}
  int salt;
};

}  // namespace programs
