// The timed loops: gets and conditional puts over picks, the same for every subject.
#pragma once

#include "subjects.hpp"
#include "window.hpp"
#include "world.hpp"

namespace ratchet_bench {

inline constexpr std::uint32_t batch_operations = 256;

// Goes round and round over `picks`.
template <class Picks, class Step>
auto round_over(Picks& picks, std::size_t start, Step step) {
  return [&picks, at = start, step](tally& into, std::uint32_t operations) mutable {
    const std::size_t size = picks.size();
    for (std::uint32_t i = 0; i < operations; ++i) {
      step(picks[at], into);
      if (++at == size) at = 0;
    }
    into.operations += operations;
  };
}

inline void count_read(const auto& seen, tally& into) {
  if (!seen) return;
  ++into.hits;
  into.sink ^= *seen;
}

// A read and a conditional put at what was read; a stale pick names a version before that.
template <class Get, class Put>
void conditional_put(bool stale, tally& into, Get get, Put put) {
  const auto seen = get();
  const std::uint64_t at = seen.version().to_u64();
  const bool committed =
      static_cast<bool>(put(*seen + 1, ratchet::if_match(ratchet::version::from_u64(at - stale))));
  into.hits += static_cast<bool>(seen);
  into.commits += committed;
  into.conflicts += !committed;
  into.stale += stale;
  into.stale_commits += committed && stale;
}

inline void check_puts(const std::string& cell, const measured& found, std::uint32_t threads) {
  check_count(cell, "hits", found.all.hits, found.all.operations);
  check_count(cell, "stale puts that committed", found.all.stale_commits, 0);
  check_count(cell, "commits and conflicts", found.all.commits + found.all.conflicts,
              found.all.operations);
  // Alone, nobody else can make a conflict.
  if (threads == 1) check_count(cell, "conflicts", found.all.conflicts, found.all.stale);
}

// Gets by key of keys that are all there, or all not.
template <class Key>
void add_gets(const options& wanted, const std::string& operation, bool hit, cases& into) {
  add_cases<Key, std::uint64_t>(
      wanted, operation, into,
      [wanted, hit]<class S>(std::size_t keys, std::uint32_t threads, const std::string& cell) {
        auto& in = world<S, Key, std::uint64_t>::of(keys, wanted.seed);
        const auto& picks = hit ? in.hits() : in.misses();
        S& store = in.store();
        const auto found = measure(threads, wanted, batch_operations, [&](std::uint32_t thread) {
          return round_over(picks, in.start_of(thread, threads),
                            [&store](const auto& one, tally& to) {
                              count_read(store.get(as_asked(one.key)), to);
                            });
        });
        check_count(cell, "hits", found.all.hits, hit ? found.all.operations : 0);
        return found.counters();
      });
}

template <class Key>
void add_puts(const options& wanted, const std::string& operation, cases& into) {
  add_cases<Key, std::uint64_t>(
      wanted, operation, into,
      [wanted]<class S>(std::size_t keys, std::uint32_t threads, const std::string& cell) {
        auto& in = world<S, Key, std::uint64_t>::of(keys, wanted.seed);
        S& store = in.store();
        const auto found = measure(threads, wanted, batch_operations, [&](std::uint32_t thread) {
          return round_over(
              in.hits(), in.start_of(thread, threads), [&store](const auto& one, tally& to) {
                conditional_put(
                    one.stale, to, [&] { return store.get(as_asked(one.key)); },
                    [&](std::uint64_t value, ratchet::if_match at) {
                      return static_cast<bool>(store.put(as_asked(one.key), value, at));
                    });
              });
        });
        check_puts(cell, found, threads);
        in.check_commits(cell, found.all.commits);
        return found.counters();
      });
}

}  // namespace ratchet_bench
