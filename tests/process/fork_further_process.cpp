// D5, F47: a fork from a worker that holds a view, a handle and many lent hazards, while others are
// in the middle of calls. The child uses what it holds, starts threads of its own, forks again, and
// goes on after the parent has used the same stores; so does the parent.
#include <sys/wait.h>

#include <atomic>
#include <csignal>

#include "process/forking.hpp"
#include "process/programs.hpp"

#if RATCHET_TESTS_NATIVE

namespace {

using store_type = programs::lock_free<std::string>;

// Runs `what` in a child, which must end well.
template <class F>
void in_a_child(F&& what) {
  const auto made = programs::fork_now();
  programs::require(made >= 0, "fork");
  if (made == 0) {
    ::alarm(20);  // a child that waits for a thread it does not have would wait for ever
    what();
    ::_exit(0);
  }
  int status = 0;
  programs::require(::waitpid(made, &status, 0) == made, "waitpid");
  programs::require(!WIFSIGNALED(status), "the child ended by itself");
  programs::require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child found all well");
}

void with_threads(store_type& store) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&, i] { programs::use(store, 60, 10 + i); });
  for (auto& thread : threads) thread.join();
}

void fork_while_holding(store_type& store, int salt) {
  store.put("held", "as it was");
  const auto view = store.read("held");
  auto handle = store.at("held");
  std::vector<ratchet::view<std::string>> more;
  for (int n = 0; n < 20; ++n) more.push_back(store.read("held"));
  const auto check = [&](const char* now) {
    programs::require(*view == "as it was" && *more.back() == "as it was",
                      "a view keeps its value");
    handle.put(now);
    programs::require(*store.get("held") == now, "a handle names its key");
    store.reclaim();
    programs::require(*view == "as it was", "a view keeps its value over a reclaim");
  };
  in_a_child([&] {
    check("by the child");
    with_threads(store);
    in_a_child([&] {
      check("by the grandchild");
      programs::use(store, 60, salt);
    });
    check("by the child, later");
    for (int n = 0; n < 400; ++n) store.put("grown " + std::to_string(n), "value");
  });
  programs::require(*store.get("held") == "as it was", "a child writes to its own copy");
  check("by the parent");
}

}  // namespace

int main() {
  store_type store;
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      while (!done) programs::beside_forks([&] { programs::use(store, 20, i); });
    });
  for (int n = 0; n < 5; ++n) std::thread([&] { fork_while_holding(store, 5 + n); }).join();
  done = true;
  for (auto& thread : threads) thread.join();
  with_threads(store);
}

#else
int main() {}
#endif
