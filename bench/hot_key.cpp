// All threads add to one key through mutate: the worst that a store of many keys can be given.
#include "operations.hpp"

namespace ratchet_bench {
namespace {

// How many reads and conditional puts it took.
template <class Result>
std::uint64_t attempts_of(const Result& result) {
  if constexpr (requires { result.attempts; })
    return result.attempts;
  else
    return 1;
}

template <class Subject>
counters add_to_one(const options& wanted, std::uint32_t threads, const std::string& cell) {
  Subject store;
  const text_key only = key_form<std::string>::make(0);
  const std::string_view name = only;
  if (!store.put(name, std::uint64_t{0}, ratchet::if_absent))
    broken(cell, "keys before the first", 1, 0);
  const auto found = measure(threads, wanted, batch_operations, [&](std::uint32_t) {
    return [&store, name](tally& to, std::uint32_t operations) {
      for (std::uint32_t i = 0; i < operations; ++i) {
        const auto done = store.mutate(name, [](const std::uint64_t* now) { return *now + 1; });
        to.commits += static_cast<bool>(done);
        to.conflicts += attempts_of(done) - 1;
      }
      to.operations += operations;
    };
  });
  check_count(cell, "commits", found.all.commits, found.all.operations);
  const auto last = store.get(name);
  check_count(cell, "the final value", *last, found.all.commits);
  check_count(cell, "the final version", last.version().to_u64(), found.all.commits + 1);
  return found.counters();
}

}  // namespace

void add_hot_key(const options& wanted, cases& into) {
  options one_key = wanted;
  one_key.keys = {1};
  add_cases<std::string, std::uint64_t>(
      one_key, "hot_key", into,
      [wanted]<class S>(std::size_t, std::uint32_t threads, const std::string& cell) {
        return add_to_one<S>(wanted, threads, cell);
      });
}

}  // namespace ratchet_bench
