// F39: a store made on one thread, used on eight others and destroyed on a tenth while those live
// on, which then use a second store.
#include <latch>

#include "process/programs.hpp"

namespace {

template <class Store>
void run() {
  constexpr int users = 8;
  Store* first = nullptr;
  std::thread([&] { first = new Store(); }).join();
  Store second;
  std::latch used(users);
  std::latch destroyed(1);
  std::vector<std::thread> threads;
  for (int i = 0; i < users; ++i)
    threads.emplace_back([&, i] {
      programs::use(*first, 500, i);
      used.count_down();
      destroyed.wait();
      programs::use(second, 500, i);
    });
  used.wait();
  std::thread([&] {
    delete first;
    destroyed.count_down();
  }).join();
  for (auto& thread : threads) thread.join();
  programs::require(static_cast<bool>(second.get("shared")), "the second store has its key");
}

}  // namespace

int main() {
  run<programs::reference<std::string>>();
  run<programs::lock_free<std::string>>();
  run<programs::lock_free<std::int64_t>>();
}
