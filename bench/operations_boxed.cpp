// Get and put of a 64-byte value, which no slot holds: one allocation and one reclaimed box a put.
#include "operations.hpp"

namespace ratchet_bench {
namespace {

struct payload {
  std::uint64_t words[8] = {};
};
static_assert(sizeof(payload) == 64 && !ratchet::is_inlined<payload>);

template <class Subject>
using boxed_world = world<Subject, std::string, payload>;

// Copies the whole value out, as the peers must before they unlock.
template <class Subject>
counters get_boxed(const options& wanted, std::size_t keys, std::uint32_t threads,
                   const std::string& cell) {
  auto& in = boxed_world<Subject>::of(keys, wanted.seed);
  Subject& store = in.store();
  const auto found = measure(threads, wanted, batch_operations, [&](std::uint32_t thread) {
    return round_over(in.hits(), in.start_of(thread, threads),
                      [&store](const auto& one, tally& to) {
                        const auto seen = store.get(as_asked(one.key));
                        if (!seen) return;
                        ++to.hits;
                        to.torn += (*seen).words[0] != (*seen).words[7];
                        to.sink ^= (*seen).words[0];
                      });
  });
  check_count(cell, "hits", found.all.hits, found.all.operations);
  check_count(cell, "torn values", found.all.torn, 0);
  return found.counters();
}

template <class Subject>
counters put_boxed(const options& wanted, std::size_t keys, std::uint32_t threads,
                   const std::string& cell) {
  auto& in = boxed_world<Subject>::of(keys, wanted.seed);
  Subject& store = in.store();
  const auto found = measure(threads, wanted, batch_operations, [&](std::uint32_t thread) {
    return round_over(in.hits(), in.start_of(thread, threads),
                      [&store](const auto& one, tally& to) {
                        payload value;
                        for (std::uint64_t& word : value.words) word = to.commits;
                        store.put(as_asked(one.key), value);
                        ++to.commits;
                      });
  });
  in.check_commits(cell, found.all.commits);
  return found.counters();
}

}  // namespace

void add_boxed_operations(const options& wanted, cases& into) {
  add_cases<std::string, payload>(
      wanted, "get_boxed", into,
      [wanted]<class S>(std::size_t keys, std::uint32_t threads, const std::string& cell) {
        return get_boxed<S>(wanted, keys, threads, cell);
      });
  add_cases<std::string, payload>(
      wanted, "put_boxed", into,
      [wanted]<class S>(std::size_t keys, std::uint32_t threads, const std::string& cell) {
        return put_boxed<S>(wanted, keys, threads, cell);
      });
}

}  // namespace ratchet_bench
