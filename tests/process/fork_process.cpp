// F47: fork while eight threads put. The child, which has none of them, makes 1,000 calls and ends
// within two seconds. The mutex store cannot promise that: its lock may be held by a thread that
// the child does not have.
#include <sys/wait.h>

#include <atomic>
#include <csignal>

#include "process/forking.hpp"
#include "process/programs.hpp"

namespace {

template <class Store>
[[noreturn]] void child(Store& store) {
  ::alarm(2);
  programs::use(store, 250, 100);  // four calls each turn
  for (int n = 0; n < 500; ++n)
    programs::require(static_cast<bool>(store.get("shared")), "a value is there after a fork");
  ::_exit(0);
}

template <class Store>
void run(int forks) {
  Store store;
  programs::use(store, 10, 0);
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      while (!done) programs::beside_forks([&] { programs::use(store, 20, i); });
    });
  for (int i = 0; i < forks; ++i) {
    const auto made = programs::fork_now();
    programs::require(made >= 0, "fork");
    if (made == 0) child(store);
    int status = 0;
    programs::require(::waitpid(made, &status, 0) == made, "waitpid");
    programs::require(!WIFSIGNALED(status), "the child ended by itself within two seconds");
    programs::require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child saw valid values");
  }
  done = true;
  for (auto& thread : threads) thread.join();
}

}  // namespace

int main() {
#if RATCHET_TESTS_NATIVE
  run<programs::lock_free<std::int64_t>>(20);
  run<programs::lock_free<std::string>>(20);
#endif
}
