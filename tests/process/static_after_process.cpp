// F41: a static store; a static object made after it and a thread_local one of the main thread,
// which use it in their destructors.
#include "process/programs.hpp"

namespace {

programs::lock_free<std::string> store;

struct user_of_store {
  user_of_store() { programs::use(store, 100, 1); }
  user_of_store(const user_of_store&) = delete;
  user_of_store& operator=(const user_of_store&) = delete;
  ~user_of_store() { programs::use(store, 100, 2); }
};

thread_local user_of_store of_the_thread;

}  // namespace

int main() {
  programs::use(store, 100, 3);
  (void)&of_the_thread;
  programs::stores().use_all(100, 4);
  static user_of_store first;
  static programs::late_user second(5);
  std::thread([] { programs::use(store, 100, 6); }).join();
}
