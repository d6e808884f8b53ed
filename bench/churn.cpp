// Creates and erases distinct keys, few alive at a time: memory must follow the live ones.
#include "process_memory.hpp"
#include "subjects.hpp"
#include "window.hpp"
#include "world.hpp"

namespace ratchet_bench {
namespace {

constexpr std::size_t block_keys = 4096;

// One thread's keys: each is created, and erased when `live` newer ones are there.
// On lines of its own: it counts as it goes.
template <class Subject>
class alignas(ratchet::limits::padding_bytes) churner {
 public:
  churner(Subject& store, std::uint64_t first, std::size_t live)
      : store_(store), first_(first), live_(live), ring_(live + block_keys) {}

  void run(std::uint64_t cycles) {
    for (std::uint64_t left = cycles; left != 0;) {
      const std::uint64_t now = std::min<std::uint64_t>(left, block_keys);
      for (std::uint64_t i = made_; i < made_ + now; ++i)  // not timed
        ring_[i % ring_.size()] = key_form<std::string>::make(first_ + i);
      const auto begin = steady_clock::now();
      for (std::uint64_t i = 0; i < now; ++i, ++made_) {
        created_ += static_cast<bool>(
            store_.put(as_asked(ring_[made_ % ring_.size()]), made_, ratchet::if_absent));
        if (made_ >= live_)
          erased_ +=
              static_cast<bool>(store_.erase(as_asked(ring_[(made_ - live_) % ring_.size()])));
      }
      seconds_ += seconds_between(begin, steady_clock::now());
      left -= now;
    }
  }
  void check(const std::string& cell) const {
    check_count(cell, "creations that committed", created_, made_);
    check_count(cell, "erases that removed", erased_,
                made_ - std::min<std::uint64_t>(made_, live_));
  }
  [[nodiscard]] std::uint64_t alive() const noexcept { return created_ - erased_; }
  [[nodiscard]] double seconds() const noexcept { return seconds_; }

 private:
  Subject& store_;
  std::uint64_t first_;
  std::size_t live_;
  std::vector<text_key> ring_;
  std::uint64_t made_ = 0;
  std::uint64_t created_ = 0;
  std::uint64_t erased_ = 0;
  double seconds_ = 0;
};

template <class Subject>
void look(Subject& store, double before, const std::string& when, counters& into) {
  into["rss_kb_" + when] = (static_cast<double>(resident_bytes()) - before) / 1024;
  if constexpr (requires { store.stats_now(); }) {
    const auto now = store.stats_now();
    into["records_" + when] = static_cast<double>(now.records);
    into["index_words_" + when] = static_cast<double>(now.index_words);
    into["record_kb_" + when] = static_cast<double>(now.record_bytes) / 1024;
    into["floor_" + when] = static_cast<double>(now.floor.to_u64());
    into["migrations_" + when] = static_cast<double>(now.migrations);
    into["waiting_" + when] = static_cast<double>(now.waiting_objects);
    into["waiting_max_" + when] = static_cast<double>(now.waiting_objects_max);
  }
}

// Looks after a hundredth of the cycles and after all of them.
template <class Subject>
counters churn(std::size_t live, std::uint32_t threads, std::size_t cycles,
               const std::string& cell) {
  Subject store;
  std::vector<churner<Subject>> crew;
  for (std::uint32_t thread = 0; thread < threads; ++thread)
    crew.emplace_back(store, std::uint64_t{thread} << 40, live / threads);
  give_back_unused();
  const double before = static_cast<double>(resident_bytes());
  counters made;
  const auto run = [&](std::uint64_t each, const std::string& when) {
    ratchet::harness::run_crowd(threads, threads, [&](std::uint32_t thread) {
      pin_thread(thread);
      crew[thread].run(each);
    });
    look(store, before, when, made);
  };
  const std::uint64_t early = cycles / 100 / threads;
  run(early, "early");
  run(cycles / threads - early, "late");
  std::uint64_t alive = 0;
  double slowest = 0;
  for (const auto& one : crew) {
    one.check(cell);
    alive += one.alive();
    slowest = std::max(slowest, one.seconds());
  }
  check_count(cell, "keys alive", store.size(), alive);
  const double done = static_cast<double>(cycles / threads * threads);
  made["seconds"] = slowest;
  made["ops_per_s"] = done / slowest;
  made["ns_per_op"] = 1e9 * threads * slowest / done;
  return made;
}

}  // namespace

void add_churn(const options& wanted, cases& into) {
  add_cases<std::string, std::uint64_t>(
      wanted, "churn", into,
      [wanted]<class S>(std::size_t live, std::uint32_t threads, const std::string& cell) {
        return churn<S>(live, threads, wanted.cycles, cell);
      });
}

}  // namespace ratchet_bench
