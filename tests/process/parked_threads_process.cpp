// F40: threads that end without any call of ours, and threads still parked when main returns: some
// used a store that is gone by then, some hold a view of one that is not.
#include <latch>

#include "process/programs.hpp"

namespace {

template <class Store>
void park(Store& endless_store) {
  constexpr int parked = 4;
  {
    Store store;
    for (int i = 0; i < 8; ++i) std::thread([&] { programs::use(store, 50, i); }).join();
    std::latch used(parked);
    for (int i = 0; i < parked; ++i)
      std::thread([&, i] {
        programs::use(store, 200, i);
        used.count_down();
        for (;;) ::pause();
      }).detach();
    used.wait();
  }
  programs::use(endless_store, 10, 0);
  std::latch holding(parked);
  for (int i = 0; i < parked; ++i)
    std::thread([&] {
      const auto held = endless_store.read("shared");
      programs::require(static_cast<bool>(held), "a key that is always there is found");
      holding.count_down();
      for (;;) ::pause();
    }).detach();
  holding.wait();
  programs::use(endless_store, 1'000, 0);
}

}  // namespace

int main() {
  for (int i = 0; i < 10; ++i) std::thread([] {}).join();
  park(programs::stores().locked);
  park(programs::stores().boxed);
  park(programs::stores().inlined);
}
