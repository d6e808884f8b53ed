// Every pair of calls of two callers of one key, from every state the key can be in.
#pragma once

#include "store_rows.hpp"

namespace world {

using calls = std::vector<call>;

// Every sequence of so many calls.
inline std::vector<calls> sequences(std::size_t length, bool by_handle) {
  using enum verb;
  std::vector<calls> all{{}};
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<calls> longer;
    for (const calls& before : all)
      for (const verb next : {get, put, put_match, put_absent, erase, erase_match}) {
        longer.push_back(before);
        longer.back().push_back({next, 1, by_handle});
      }
    all = std::move(longer);
  }
  return all;
}

template <class Program>
using start = void (*)(typename Program::store&);

// Every two of the sequences, from each start.
template <class Program>
void every_pair(const std::vector<calls>& of, std::vector<start<Program>> starts,
                const explore::options& options) {
  row covered;
  for (const auto from : starts)
    for (std::size_t a = 0; a < of.size(); ++a)
      for (std::size_t b = a; b < of.size(); ++b)
        ASSERT_TRUE(covered.covers(Program(from, {of[a], of[b]}), options))
            << "pair " << a << ", " << b;
}

template <class Program>
void every_pair_by_handle(std::size_t length, const explore::options& options) {
  using store = typename Program::store;
  every_pair<Program>(sequences(length, true),
                      {nothing<store>, one_key<store>, one_tombstone<store>}, options);
}
// A key that was there once has its record.
template <class Program>
void every_pair_by_key(std::size_t length, const explore::options& options) {
  using store = typename Program::store;
  every_pair<Program>(sequences(length, false), {one_key<store>, one_tombstone<store>}, options);
}
template <class Program>
void every_pair_by_new_key(const explore::options& options) {
  every_pair<Program>(sequences(1, false), {nothing<typename Program::store>}, options);
}

}  // namespace world
