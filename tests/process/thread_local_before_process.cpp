// F41: a thread_local object made before the thread's first call of a store uses stores in its
// destructor, after what the library kept for that thread is gone.
#include "process/programs.hpp"

namespace {
thread_local programs::late_user user(1);
}

int main() {
  const auto work = [] {
    user.touch();
    programs::stores().use_all(100, 2);
  };
  for (int i = 0; i < 5; ++i) std::thread(work).join();
  work();
}
