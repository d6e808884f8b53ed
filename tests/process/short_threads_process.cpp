// A thousand threads, one after the other and a few at a time: each makes some calls and ends, and
// what the library keeps for threads is used again.
#include <sys/resource.h>

#include "process/programs.hpp"

namespace {

long peak_kilobytes() {
  struct rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

template <class Store>
void run() {
  Store store;
  const auto some = [&](int threads) {
    for (int n = 0; n < threads; ++n) std::thread([&] { programs::use(store, 10, n % 10); }).join();
  };
  some(100);
  const long before = peak_kilobytes();
  some(900);
  const long grown = peak_kilobytes() - before;
  std::printf("900 threads later: %ld KiB more at the peak\n", grown);
#if !RATCHET_TESTS_ASAN && !RATCHET_TSAN
  programs::require(grown < 4'096, "memory does not grow with the number of threads that ended");
#endif
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i) threads.emplace_back([&, i] { programs::use(store, 10, i); });
    for (auto& thread : threads) thread.join();
  }
}

}  // namespace

int main() {
  run<programs::reference<std::string>>();
  run<programs::lock_free<std::string>>();
  run<programs::lock_free<std::int64_t>>();
}
