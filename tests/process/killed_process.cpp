// E1, P3: a process killed at any instruction, with its threads in the middle of calls, leaves
// nothing half done, and nobody waits for it. To see that from outside, two stores and the killed
// process's own history lie in memory that it shares with its parent, which takes them over. (Use
// by two processes at once is not what a store is for.)
#include <sys/mman.h>
#include <sys/wait.h>

#include <array>
#include <atomic>
#include <csignal>
#include <map>
#include <memory_resource>
#include <new>

#include "process/programs.hpp"
#include "unit/threads.hpp"

#if RATCHET_TESTS_NATIVE

namespace {

constexpr std::uint32_t writers = 3;
constexpr std::uint32_t own_keys = 24;

// Hands out shared memory, front to back, and takes none back: a round is short.
class shared_memory : public std::pmr::memory_resource {
 public:
  shared_memory(std::byte* first, std::byte* last) : next_(first), last_(last) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::size_t room = bytes + alignment;
    std::byte* const from = next_.fetch_add(static_cast<std::ptrdiff_t>(room));
    if (from + room > last_) throw std::bad_alloc();
    const auto at = reinterpret_cast<std::uintptr_t>(from);
    return from + (alignment - at % alignment) % alignment;
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }
  std::atomic<std::byte*> next_;
  std::byte* last_;
};

// Too large for a slot; half of one write and half of another does not pass for a value.
struct whole {
  std::array<std::uint64_t, 12> words{};
  explicit whole(std::uint64_t n) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = n * 31 + i;
  }
  [[nodiscard]] std::uint64_t number() const {
    const std::uint64_t n = words[0] / 31;
    programs::require(words == whole(n).words, "a value is whole");
    return n;
  }
};
std::uint64_t number_of(const whole& value) { return value.number(); }
std::uint64_t number_of(std::uint64_t value) { return value; }

// What its writer knows of a key: the operation begun last, and the one that returned last. The
// n-th operation erases where n is divisible by four, and stores n elsewhere.
struct history {
  std::atomic<std::uint64_t> begun{0};
  std::atomic<std::uint64_t> returned{0};
  std::atomic<std::uint64_t> version{0};  // of the last put that returned
};

template <class V>
struct half {
  explicit half(std::pmr::memory_resource* memory)
      : store([&] {
          ratchet::config wanted;
          wanted.memory = memory;
          return wanted;
        }()) {}

  static std::string key(std::uint32_t writer, std::uint32_t n) {
    return std::string(n % 3 == 0 ? 40 : 3, 'k') + std::to_string(writer) + "/" + std::to_string(n);
  }
  // What the writer does from its start until it is killed.
  void write(std::uint32_t me, std::uint64_t turn) {
    const auto n = static_cast<std::uint32_t>(turn % own_keys);
    history& mine = of[me][n];
    ++turns_begun[me];
    const std::uint64_t number = mine.begun + 1;
    mine.begun = number;
    if (number % 4 == 0) {
      programs::require(static_cast<bool>(store.erase(key(me, n))), "a caller erases its own key");
    } else {
      const auto at = store.put(key(me, n), V(number));
      programs::require(at.to_u64() > mine.version, "versions go up");
      mine.version = at.to_u64();
    }
    mine.returned = number;
    // Others come and go, so that the index grows and is cleaned up all the while.
    for (std::uint64_t other = 0; other < 8; ++other)
      store.put("other" + std::to_string(me) + "/" + std::to_string(turn * 8 + other), V(turn));
    for (std::uint64_t other = turn % 32 == 0 ? 0 : 1; other < 8; ++other)
      (void)store.erase("other" + std::to_string(me) + "/" + std::to_string(turn * 8 + other));
    if (store.mutate("count",
                     [](const V* now) { return V(now == nullptr ? 1 : number_of(*now) + 1); }))
      ++counted[me];
    ++turns_ended[me];
  }

  void check_what_is_left() {
    std::uint64_t least = 0;
    for (const auto& one : counted) least += one;
    const auto count = store.read("count");
    const std::uint64_t seen = count ? number_of(*count) : 0;
    programs::require(seen >= least && seen <= least + writers, "no increment is lost or made up");
    for (std::uint32_t me = 0; me < writers; ++me)
      for (std::uint32_t n = 0; n < own_keys; ++n) check_key(me, n);
    std::map<std::string, int> shown;
    store.for_each([&](const std::string& name, const V& value, ratchet::version) {
      (void)number_of(value);
      programs::require(++shown[name] == 1, "a key is shown once");
    });
    const std::size_t size = store.size();
    programs::require(size <= shown.size() + writers && shown.size() <= size + writers,
                      "the count is off by the calls that were under way, at most");
  }
  void check_key(std::uint32_t me, std::uint32_t n) {
    const history& mine = of[me][n];
    const auto seen = store.read(key(me, n));
    const auto is_after = [&](std::uint64_t number) {
      if (number % 4 == 0) return !seen;
      return seen && number_of(*seen) == number;
    };
    programs::require(mine.begun - mine.returned <= 1, "a writer does one thing at a time");
    programs::require(is_after(mine.returned) || is_after(mine.begun),
                      "an operation has happened, or not");
    programs::require(!seen || seen.version().to_u64() >= mine.version, "no version is taken back");
  }
  // Nobody waits for the dead: everything works on, over growth too.
  void go_on() {
    programs::stores().use_all(10, 1);
    for (std::uint32_t n = 0; n < 600; ++n) store.put("more" + std::to_string(n), V(n));
    for (std::uint32_t me = 0; me < writers; ++me)
      for (std::uint32_t n = 0; n < own_keys; ++n) {
        const auto at = store.put(key(me, n), V(7));
        programs::require(at.to_u64() > of[me][n].version, "versions go up");
        programs::require(static_cast<bool>(store.erase(key(me, n), ratchet::if_match(at))),
                          "what was just written is erased");
      }
    for (std::uint32_t n = 0; n < 600; ++n)
      programs::require(number_of(*store.read("more" + std::to_string(n))) == n, "a key is found");
    store.reserve(2'000);
    store.reclaim();
  }
  ratchet::store<std::string, V> store;
  std::array<std::array<history, own_keys>, writers> of;
  using counts = std::array<std::atomic<std::uint64_t>, writers>;
  counts counted{};
  counts turns_begun{};
  counts turns_ended{};
};

struct world {
  world(std::byte* first, std::byte* last)
      : memory(first, last), boxed(&memory), inlined(&memory) {}
  shared_memory memory;
  half<whole> boxed;
  half<std::uint64_t> inlined;
  std::atomic<std::uint32_t> started{0};
};

[[noreturn]] void child(world& shared) {
  std::vector<std::thread> threads;
  for (std::uint32_t me = 0; me < writers; ++me)
    threads.emplace_back([&, me] {
      ++shared.started;
      try {
        for (std::uint64_t turn = 0;; ++turn) {
          shared.boxed.write(me, turn);
          shared.inlined.write(me, turn);
        }
      } catch (const std::bad_alloc&) {  // the kill comes late
      }
    });
  for (;;) ::pause();
}

constexpr std::size_t region_bytes = std::size_t{128} << 20;

// Returns how many writers were killed among their calls.
std::uint32_t round(std::chrono::microseconds life) {
  void* const region =
      ::mmap(nullptr, region_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  programs::require(region != MAP_FAILED, "mmap");
  auto* const bytes = static_cast<std::byte*>(region);
  auto* const shared = new (region) world(bytes + sizeof(world), bytes + region_bytes);
  const auto made = ::fork();
  programs::require(made >= 0, "fork");
  if (made == 0) child(*shared);
  while (shared->started < writers) std::this_thread::yield();
  std::this_thread::sleep_for(life);
  programs::require(::kill(made, SIGKILL) == 0, "kill");
  int status = 0;
  programs::require(::waitpid(made, &status, 0) == made, "waitpid");
  programs::require(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "nothing else ended it");
  std::uint32_t cut_short = 0;
  for (std::uint32_t me = 0; me < writers; ++me)
    cut_short += (shared->boxed.turns_begun[me] != shared->boxed.turns_ended[me] ||
                  shared->inlined.turns_begun[me] != shared->inlined.turns_ended[me])
                     ? 1
                     : 0;
  shared->boxed.check_what_is_left();
  shared->inlined.check_what_is_left();
  shared->boxed.go_on();
  shared->inlined.go_on();
  shared->~world();
  ::munmap(region, region_bytes);
  return cut_short;
}

}  // namespace

int main() {
  auto random = tests::random_numbers(1);
  std::uint32_t cut_short = 0;
  for (int n = 0; n < 40; ++n) cut_short += round(std::chrono::microseconds(random() % 12'000));
  std::printf("%u writers were cut short\n", cut_short);
  programs::require(cut_short > 0, "some process was killed among its calls");
}

#else
int main() {}
#endif
