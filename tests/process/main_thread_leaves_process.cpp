// T, F41: the main thread ends before the others. Threads that it left behind work on, and the last
// of them ends the process. (glibc then runs the main thread's pthread-key destructors, of which
// the library has one, and none of its thread_local ones.)
#include <pthread.h>

#include <cstdlib>
#include <latch>

#include "process/programs.hpp"

namespace {
std::latch main_has_left(1);
thread_local programs::late_user of_the_thread(1);
}  // namespace

int main() {
  programs::stores().use_all(50, 2);
  pthread_key_t sign;  // made last, so its destructor runs last
  programs::require(::pthread_key_create(&sign, [](void*) { main_has_left.count_down(); }) == 0 &&
                        ::pthread_setspecific(sign, &main_has_left) == 0,
                    "a key of the main thread");
  std::thread([] {
    programs::stores().use_all(20, 3);
    main_has_left.wait();
    of_the_thread.touch();
    programs::stores().use_all(200, 4);
    std::exit(0);
  }).detach();
  ::pthread_exit(nullptr);
}
