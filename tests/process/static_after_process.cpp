// F41: a static store, and a static object made after it that uses it in its destructor.
#include "process/programs.hpp"

namespace {

programs::lock_free<std::string> store;

struct user_of_store {
  user_of_store() { programs::use(store, 100, 1); }
  user_of_store(const user_of_store&) = delete;
  user_of_store& operator=(const user_of_store&) = delete;
  ~user_of_store() { programs::use(store, 100, 2); }
};

}  // namespace

int main() {
  programs::use(store, 100, 3);
  programs::stores().use_all(100, 4);
  static user_of_store first;
  static programs::late_user second(5);
  std::thread([] { programs::use(store, 100, 6); }).join();
}
