// without_membarrier enosys|eperm|barrier PROGRAM [ARGUMENT]...: runs a program that the kernel
// refuses membarrier: all of it, or the barrier alone.
#include <cstdio>
#include <cstring>

#include "process/membarrier_filter.hpp"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const bool barrier_alone = std::strcmp(argv[1], "barrier") == 0;
  const int error = std::strcmp(argv[1], "enosys") == 0 ? ENOSYS : EPERM;
  if (!tests::refuse_membarrier(
          barrier_alone ? tests::refused::the_barrier : tests::refused::whole_call, error)) {
    std::perror("without_membarrier: no filter could be set");
    return 2;
  }
  ::execv(argv[2], argv + 2);
  std::perror(argv[2]);
  return 2;
}
