// fence_mode_process kernel|asked|symmetric|later: which fences the library chose, and that stores
// work and give memory back with them.
//   kernel:    as the kernel allows
//   asked:     RATCHET_FENCE=symmetric is set
//   symmetric: membarrier is refused (by without_membarrier)
//   later:     it is refused when the choice has been made
#include <cstring>

#include "process/membarrier_filter.hpp"
#include "process/programs.hpp"
#include "unit/counted.hpp"

namespace {

using programs::require;
using tests::counted;

using boxes = ratchet::store<std::uint64_t, counted>;

void replace(boxes& store) {
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (std::uint64_t n = 0; n < 20'000; ++n) {
        store.put(n % 4, counted(n));
        require(store.read(i)->number() < 20'000, "a value is whole");
      }
    });
  for (auto& thread : threads) thread.join();
}

ratchet::stats used() {
  boxes store;
  for (std::uint64_t key = 0; key < 4; ++key) store.put(key, counted(0));
  replace(store);
  const ratchet::stats used = store.stats_now();
  require(used.waiting_objects <= used.waiting_objects_max, "garbage is bounded");
  store.reclaim();
  require(store.stats_now().waiting_objects == 0, "garbage is given back");
  require(counted::alive == 4, "nothing else is alive");
  return used;
}

void as_the_kernel_says() {
  const bool works = tests::barrier_works();
  std::printf("the kernel %s membarrier\n", works ? "allows" : "refuses");
  require(used().asymmetric == (works && !RATCHET_TSAN), "the mode is what the kernel allows");
}

void symmetric() {
  const ratchet::stats now = used();
  require(!now.asymmetric, "the fences are symmetric");
  require(now.barriers == 0, "nothing is asked of the kernel");
}

// What cannot be told from being in use stays, and the store says why.
void refused_later() {
  {
    boxes store;
    for (std::uint64_t key = 0; key < 4; ++key) store.put(key, counted(0));
    if (!store.stats_now().asymmetric) return (void)std::puts("not asymmetric: nothing to refuse");
    require(tests::refuse_membarrier(tests::refused::whole_call, EPERM), "a filter may be set");
    require(!tests::barrier_works(), "the filter is in place");
    replace(store);
    store.reclaim();
    const ratchet::stats now = store.stats_now();
    require(now.asymmetric, "the mode is chosen once");
    require(now.barriers_failed > 0, "the store tells of the refusal");
    require(now.waiting_objects == 80'000, "nothing is freed that might be in use");
    require(counted::alive == 80'004, "nor anything else");
  }
  require(counted::alive == 0, "the end of a store frees all");
}

}  // namespace

int main(int argc, char** argv) {
  require(argc == 2, "one argument: kernel, asked, symmetric or later");
  const auto is = [&](const char* mode) { return std::strcmp(argv[1], mode) == 0; };
  if (is("symmetric")) require(!tests::barrier_works(), "the filter is in place");
  if (is("kernel"))
    as_the_kernel_says();
  else if (is("later"))
    refused_later();
  else
    symmetric();
}
