// As many threads at once as the host lets live, and very many one after the other: each has a
// record of its own, and records are used again.
// RATCHET_CROWD: how many at once at most (default 17000; a thread's first call looks at all
// records, so twice as many take four times as long).
// RATCHET_SHORT_THREADS: how many one after the other (default 100000).
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <semaphore>
#include <string>
#include <vector>

#include "reclaim/garbage.hpp"

namespace {

using tests::counted;

constexpr std::uint64_t wanted_min = 16'000;  // F29: no count of threads may end at 14 bits

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* given = std::getenv(variable);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

// The first number in a file; nothing where there is none ("max").
std::uint64_t number_in(const std::string& path, std::uint64_t otherwise) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : otherwise;
}

std::uint64_t threads_of_the_host() {
  // "0.10 0.20 0.30 2/345 6789": 345 are alive.
  std::ifstream file("/proc/loadavg");
  std::string skipped;
  std::string alive;
  file >> skipped >> skipped >> skipped >> alive;
  const auto slash = alive.find('/');
  return slash == std::string::npos ? 0 : std::strtoull(alive.c_str() + slash + 1, nullptr, 10);
}

// What is left of pids.max in the group and in those above it, for either version of cgroups.
std::uint64_t left_of_group() {
  std::uint64_t left = ~std::uint64_t{0};
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto colon = line.find(':');
    const auto path_at = line.find(':', colon + 1);
    if (path_at == std::string::npos) continue;
    const std::string controllers = line.substr(colon + 1, path_at - colon - 1);
    std::string path = line.substr(path_at + 1);
    if (!controllers.empty() && controllers != "pids") continue;
    const std::string top = controllers.empty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/pids";
    for (;; path.resize(path.rfind('/'))) {
      const std::string at = top + (path == "/" ? "" : path);
      const std::uint64_t most = number_in(at + "/pids.max", ~std::uint64_t{0});
      const std::uint64_t now = number_in(at + "/pids.current", 0);
      left = std::min(left, most > now ? most - now : 0);
      if (path.find('/') == std::string::npos || path == "/") break;
    }
  }
  return left;
}

struct allowance {
  std::uint64_t threads;
  std::string why;
  void cap(std::uint64_t at, const std::string& name) {
    if (at >= threads) return;
    threads = at;
    why = name;
  }
};

// Stacks lie in one mapping without guard pages, so vm.max_map_count stops nothing.
allowance allowed_threads() {
  allowance allowed{~std::uint64_t{0}, "nothing"};
  const std::uint64_t alive = threads_of_the_host();
  const auto less_alive = [&](std::uint64_t most) { return most > alive ? most - alive : 0; };
  allowed.cap(less_alive(number_in("/proc/sys/kernel/pid_max", 32'768)), "kernel.pid_max");
  allowed.cap(less_alive(number_in("/proc/sys/kernel/threads-max", 32'768)), "kernel.threads-max");
  allowed.cap(left_of_group(), "pids.max of the cgroup");
  rlimit of_user{};
  if (::geteuid() != 0 && ::getrlimit(RLIMIT_NPROC, &of_user) == 0)
    allowed.cap(less_alive(of_user.rlim_cur), "ulimit -u");
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_AVPHYS_PAGES));
  allowed.cap(pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / (128 << 10),
              "free memory at 128 KiB a thread");
  return allowed;
}

// Others need some too: an eighth stays free, or as much as leaves this test its least.
std::uint64_t threads_to_try(std::uint64_t allowed) {
  const std::uint64_t polite = allowed - std::max<std::uint64_t>(allowed / 8, 64);
  return std::max(polite, std::min(allowed, wanted_min));
}

constexpr std::size_t stack_bytes = 64 << 10;

class stacks {
 public:
  explicit stacks(std::size_t count)
      : bytes_(count * stack_bytes),
        first_(::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  stacks(const stacks&) = delete;
  stacks& operator=(const stacks&) = delete;
  ~stacks() { ::munmap(first_, bytes_); }
  [[nodiscard]] bool mapped() const { return first_ != MAP_FAILED; }
  [[nodiscard]] void* at(std::size_t index) const {
    return static_cast<std::byte*>(first_) + index * stack_bytes;
  }

 private:
  std::size_t bytes_;
  void* first_;
};

// One generation: all are alive, each with its record, before any of them goes on.
class crowd {
 public:
  static constexpr std::uint64_t puts = 5;

  ratchet::store<std::uint64_t, std::uint64_t> inlined;
  ratchet::store<std::uint64_t, counted> boxed;

  // Returns how many there were.
  std::uint64_t run(std::uint64_t count, const stacks& places) {
    ready_ = done_ = 0;
    std::vector<pthread_t> made;
    made.reserve(count);
    pthread_attr_t how;
    ::pthread_attr_init(&how);
    for (std::uint64_t i = 0; i < count; ++i) {
      pthread_t one;
      ::pthread_attr_setstack(&how, places.at(i), stack_bytes);
      if (::pthread_create(
              &one, &how,
              [](void* all) -> void* {
                static_cast<crowd*>(all)->one_thread();
                return nullptr;
              },
              this) != 0)
        break;
      made.push_back(one);
    }
    ::pthread_attr_destroy(&how);
    for (std::uint64_t i = 0; i < made.size(); ++i) ready_signal_.acquire();
    at_once_ = ready_;
    go_.release(static_cast<std::ptrdiff_t>(made.size()));
    for (std::uint64_t i = 0; i < made.size(); ++i) done_signal_.acquire();
    end_.release(static_cast<std::ptrdiff_t>(made.size()));
    for (const pthread_t one : made) ::pthread_join(one, nullptr);
    return made.size();
  }

  [[nodiscard]] std::uint64_t at_once() const { return at_once_; }
  [[nodiscard]] std::uint64_t wrong() const { return wrong_; }
  [[nodiscard]] const tests::garbage_watch& watch() const { return watch_; }

 private:
  void one_thread() {
    if (!boxed.read(1)) ++wrong_;  // from here on it has a record
    ++ready_;
    ready_signal_.release();
    go_.acquire();
    for (std::uint64_t n = 0; n < puts; ++n) {
      inlined.put(1, n);
      boxed.put(1, counted(n));
      const auto seen = boxed.read(1);
      if (!seen || seen->number() >= puts || *inlined.read(1) >= puts) ++wrong_;
    }
    if (++done_ % 64 == 0) watch_.look(boxed);
    done_signal_.release();
    end_.acquire();
  }

  std::atomic<std::uint64_t> ready_{0};
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> wrong_{0};
  std::uint64_t at_once_ = 0;
  tests::garbage_watch watch_;
  std::counting_semaphore<> ready_signal_{0};
  std::counting_semaphore<> go_{0};
  std::counting_semaphore<> done_signal_{0};
  std::counting_semaphore<> end_{0};
};

std::uint64_t thread_records() { return ratchet::native::domain_now().records; }

TEST(crowds, F29_as_many_threads_as_the_host_allows_replace_one_key_and_their_records_serve_again) {
  const allowance allowed = allowed_threads();
  const std::uint64_t wanted =
      std::min(threads_to_try(allowed.threads), number_of("RATCHET_CROWD", 17'000));
  const stacks places(wanted);
  ASSERT_TRUE(places.mapped());
  {
    crowd all;
    all.inlined.put(1, 0);
    all.boxed.put(1, counted(0));
    const auto was_inlined = all.inlined.read(1).version().to_u64();
    const auto was_boxed = all.boxed.read(1).version().to_u64();
    const std::uint64_t reached = all.run(wanted, places);
    std::printf("%llu threads at once; the host allows %llu more (%s)\n",
                static_cast<unsigned long long>(reached),
                static_cast<unsigned long long>(allowed.threads), allowed.why.c_str());
    if (allowed.threads < wanted_min)
      std::printf("this host does not allow %llu: the test ran with fewer\n",
                  static_cast<unsigned long long>(wanted_min));
    EXPECT_GE(reached, std::min(wanted_min, wanted)) << "allowed, but not reached";
    EXPECT_EQ(all.at_once(), reached);
    const std::uint64_t records = thread_records();
    EXPECT_GE(records, reached) << "each had one of its own";
    const std::uint64_t again = all.run(reached, places);
    EXPECT_GE(again, std::min(wanted_min, reached));
    EXPECT_EQ(thread_records(), records) << "records of threads that ended serve again";
    EXPECT_EQ(all.wrong(), 0u);
    const std::uint64_t commits = (reached + again) * crowd::puts;
    EXPECT_EQ(all.inlined.read(1).version().to_u64(), was_inlined + commits);
    EXPECT_EQ(all.boxed.read(1).version().to_u64(), was_boxed + commits);
    EXPECT_GT(all.watch().looks(), 0u);
    EXPECT_EQ(all.watch().above(), 0u)
        << "most waiting " << all.watch().waiting_most() << ", bound " << all.watch().bound_most();
    all.boxed.reclaim();
    EXPECT_EQ(counted::alive, 1);
  }
  EXPECT_EQ(counted::alive, 0);
}

TEST(crowds, short_lived_threads_one_after_the_other_leave_nothing) {
  const std::uint64_t all = number_of("RATCHET_SHORT_THREADS", 100'000);
  ratchet::store<std::uint64_t, counted> store;
  store.reclaim();  // from here on this thread has a record
  const auto visit = [&](std::uint64_t n) {
    std::thread([&] {
      store.put(n % 8, counted(n));
      if (store.read(n % 8)->number() != n) std::abort();
    }).join();
  };
  for (std::uint64_t n = 0; n < 10'000; ++n) visit(n);
  const std::uint64_t records = thread_records();
  const std::uint64_t settled_bytes = tests::resident_bytes();
  for (std::uint64_t n = 0; n < all; ++n) visit(n);
  const std::uint64_t grown_bytes =
      std::max(tests::resident_bytes(), settled_bytes) - settled_bytes;
  std::printf("%llu threads later: %llu KiB more\n", static_cast<unsigned long long>(all),
              static_cast<unsigned long long>(grown_bytes >> 10));
  EXPECT_EQ(thread_records(), records);
  EXPECT_LT(grown_bytes, 1u << 20);
  EXPECT_LE(store.stats_now().waiting_objects, store.stats_now().waiting_objects_max);
}

}  // namespace
