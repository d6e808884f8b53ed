// Get and conditional put by handle: the slot alone, without a look-up.
#include "operations.hpp"

namespace ratchet_bench {
namespace {

template <class Subject>
concept has_handles = requires(Subject& store) { store.at(std::string_view()); };

// A handle belongs to one thread at a time, so each thread has its own, in the order it uses them.
template <class Subject>
class handle_world {
 public:
  using handle = decltype(std::declval<Subject&>().at(std::string_view()));
  using inner = world<Subject, std::string, std::uint64_t>;

  handle_world(std::size_t keys, std::uint64_t seed) : inside_(keys, seed) {}

  static handle_world& of(std::size_t keys, std::uint64_t seed) {
    static std::map<std::size_t, std::unique_ptr<handle_world>> made;
    auto& one = made[keys];
    if (!one) one = std::make_unique<handle_world>(keys, seed);
    return *one;
  }

  [[nodiscard]] inner& inside() noexcept { return inside_; }
  std::vector<pick<handle>>& picks_of(std::uint32_t thread) { return picks_[thread]; }
  void make_picks(std::uint32_t threads) {
    while (picks_.size() < threads) {
      auto& mine = picks_.emplace_back();
      mine.reserve(inside_.hits().size());
      for (const auto& one : inside_.hits())
        mine.push_back({inside_.store().at(as_asked(one.key)), one.stale});
    }
  }

 private:
  inner inside_;
  std::vector<std::vector<pick<handle>>> picks_;  // after the store: handles end first
};

template <class Subject, class Step>
measured measure_handles(const options& wanted, std::size_t keys, std::uint32_t threads,
                         Step step) {
  auto& in = handle_world<Subject>::of(keys, wanted.seed);
  in.make_picks(threads);
  return measure(threads, wanted, batch_operations, [&](std::uint32_t thread) {
    return round_over(in.picks_of(thread), in.inside().start_of(thread, threads), step);
  });
}

template <class Subject>
counters get_by_handle(const options& wanted, std::size_t keys, std::uint32_t threads,
                       const std::string& cell) {
  const auto found = measure_handles<Subject>(
      wanted, keys, threads, [](const auto& one, tally& to) { count_read(one.key.get(), to); });
  check_count(cell, "hits", found.all.hits, found.all.operations);
  return found.counters();
}

template <class Subject>
counters put_by_handle(const options& wanted, std::size_t keys, std::uint32_t threads,
                       const std::string& cell) {
  const auto found = measure_handles<Subject>(wanted, keys, threads, [](auto& one, tally& to) {
    conditional_put(
        one.stale, to, [&] { return one.key.get(); },
        [&](std::uint64_t value, ratchet::if_match at) {
          return static_cast<bool>(one.key.put(value, at));
        });
  });
  check_puts(cell, found, threads);
  handle_world<Subject>::of(keys, wanted.seed).inside().check_commits(cell, found.all.commits);
  return found.counters();
}

}  // namespace

void add_handle_operations(const options& wanted, cases& into) {
  options with_handles = wanted;
  std::erase(with_handles.subjects, "mutex");  // has none
  add_cases<std::string, std::uint64_t>(
      with_handles, "get_handle", into,
      [wanted]<class S>(std::size_t keys, std::uint32_t threads, const std::string& cell) {
        if constexpr (has_handles<S>) return get_by_handle<S>(wanted, keys, threads, cell);
        return counters();
      });
  add_cases<std::string, std::uint64_t>(
      with_handles, "put_handle", into,
      [wanted]<class S>(std::size_t keys, std::uint32_t threads, const std::string& cell) {
        if constexpr (has_handles<S>) return put_by_handle<S>(wanted, keys, threads, cell);
        return counters();
      });
}

}  // namespace ratchet_bench
