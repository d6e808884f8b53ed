// F41: a static object made before the first call of a store uses stores in its destructor, after
// every static of the library that was made later is gone.
#include "process/programs.hpp"

namespace {
programs::late_user user(1);
}

int main() {
  std::thread([] { programs::stores().use_all(100, 2); }).join();
  programs::stores().use_all(100, 3);
}
