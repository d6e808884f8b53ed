// F41: a thread_local object made after the thread's first call of a store uses stores in its
// destructor; and one of a thread that makes no other call.
#include "process/programs.hpp"

namespace {
thread_local programs::late_user user(1);
}

int main() {
  const auto work = [] {
    programs::stores().use_all(100, 2);
    user.touch();
  };
  for (int i = 0; i < 5; ++i) std::thread(work).join();
  for (int i = 0; i < 5; ++i) std::thread([] { user.touch(); }).join();
  work();
}
