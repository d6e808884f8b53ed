// F42: a value's destructor, run by a reclaimer, may take its time: nobody waits for it.
#include <gtest/gtest.h>

#include <latch>
#include <string>
#include <utility>

#include "reclaim/garbage.hpp"
#include "unit/threads.hpp"

namespace {

using tests::counted;
using tests::run_threads;
using tests::scaled;

// One of them stops in its destructor until it is let go.
class slow {
 public:
  explicit slow(std::uint64_t number, std::latch* entered = nullptr, std::latch* go_on = nullptr)
      : inside(number), entered_(entered), go_on_(go_on) {}
  slow(slow&& other) noexcept
      : inside(std::move(other.inside)),
        entered_(std::exchange(other.entered_, nullptr)),
        go_on_(std::exchange(other.go_on_, nullptr)) {}
  slow& operator=(slow&&) = delete;
  ~slow() {
    if (entered_ == nullptr) return;
    entered_->count_down();
    go_on_->wait();
  }
  counted inside;

 private:
  std::latch* entered_;
  std::latch* go_on_;
};

TEST(destructor_races, F42_nobody_waits_for_a_destructor_that_a_reclaimer_runs) {
  const std::uint32_t puts = scaled(100'000);
  {
    ratchet::store<std::string, slow> store;
    std::latch entered(1);
    std::latch go_on(1);
    store.put("a", slow(0, &entered, &go_on));
    std::thread stopped([&] {
      store.put("a", slow(1));
      store.reclaim();
    });
    entered.wait();
    tests::garbage_watch watch;
    {
      const tests::watchdog guard("retiring beside a destructor that takes its time",
                                  std::chrono::seconds(60));
      run_threads(4, [&](std::uint32_t me) {
        const std::string key(1, static_cast<char>('a' + me % 2));
        for (std::uint32_t n = 0; n < puts; ++n) {
          store.put(key, slow(n));
          if (n % 256 == 0) watch.look(store);
          if (n % 4'096 == 0) store.reclaim();
        }
        if (me == 0) store.reserve(1'000);
      });
    }
    EXPECT_EQ(watch.above(), 0u) << "most waiting " << watch.waiting_most() << ", bound "
                                 << watch.bound_most();
    // What waits, and as much again in the hands of each of the five reclaimers at most.
    EXPECT_LE(watch.alive_most(), 6 * watch.bound_most() + 16);
    go_on.count_down();
    stopped.join();
    store.reclaim();
    EXPECT_EQ(counted::alive, 2);
  }
  EXPECT_EQ(counted::alive, 0);
}

// The reclaimer that is inside a destructor was not in its turn any more: another one frees.
TEST(destructor_races, F42_others_reclaim_meanwhile) {
  ratchet::store<std::uint64_t, slow> store;
  std::latch entered(1);
  std::latch go_on(1);
  store.put(1, slow(0, &entered, &go_on));
  std::thread stopped([&] {
    (void)store.erase(1);
    store.reclaim();
  });
  entered.wait();
  {
    const tests::watchdog guard("a reclaim beside another one", std::chrono::seconds(60));
    for (std::uint64_t n = 0; n < 10; ++n) store.put(2, slow(n));
    store.reclaim();
    EXPECT_EQ(counted::alive, 2);  // the present one, and the one that is being destroyed
    EXPECT_EQ(store.stats_now().waiting_objects, 0u);
  }
  go_on.count_down();
  stopped.join();
}

}  // namespace
