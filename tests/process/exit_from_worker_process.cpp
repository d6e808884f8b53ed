// F41: std::exit from a worker, with thread_local and static objects that use stores in their
// destructors, while the main thread and others are in the middle of calls.
#include <cstdlib>
#include <latch>

#include "process/programs.hpp"

namespace {
programs::late_user at_the_end(1);
thread_local programs::late_user of_the_thread(2);
}  // namespace

int main() {
  std::latch busy(3);
  const auto work = [&](int salt) {
    programs::stores().use_all(50, salt);
    busy.count_down();
    for (;;) programs::stores().use_all(10, salt);
  };
  std::thread(work, 3).detach();
  std::thread(work, 4).detach();
  std::thread([&] {
    of_the_thread.touch();
    busy.wait();
    programs::stores().use_all(50, 5);
    std::exit(0);
  }).detach();
  work(6);
}
