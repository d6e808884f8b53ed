// Every pair of calls on one key, from every state a key can be in.
#include "store_world.hpp"

#include <gtest/gtest.h>

#include <iostream>

using namespace world;

namespace {

constexpr std::uint64_t key = 1;

enum class start { none, present, erased };

template <class Program>
std::function<void(typename Program::store&)> from(start state) {
  return [state](typename Program::store& s) {
    if (state == start::none) return;
    s.put(key, typename Program::store::value_type(5));
    if (state == start::erased) (void)s.erase(key);
  };
}

struct pair_case {
  bool by_handle;
  explore::memory memory;
  unsigned preemptions;
  std::size_t calls_each;
};

template <class Program>
void every_pair(const pair_case& c) {
  using enum verb;
  const std::vector<verb> verbs{get, put, put_match, put_absent, erase, erase_match};
  std::uint64_t executions = 0;
  std::size_t accesses = 0;
  for (const start state : {start::none, start::present, start::erased})
    for (std::size_t a = 0; a < verbs.size(); ++a)
      for (std::size_t b = a; b < verbs.size(); ++b) {
        std::vector<std::vector<call>> threads{{{verbs[a], key, c.by_handle}},
                                               {{verbs[b], key, c.by_handle}}};
        // The second call of each looks at what the first ones left.
        if (c.calls_each > 1) {
          threads[0].push_back({put_match, key, c.by_handle});
          threads[1].push_back({verbs[(a + b) % verbs.size()], key, c.by_handle});
        }
        Program program(from<Program>(state), threads);
        const auto report =
            explore::run(program.get(), bounded(c.memory, c.preemptions, executions % 2 == 0));
        ASSERT_TRUE(report.ok()) << "verbs " << a << ", " << b << ", start "
                                 << static_cast<int>(state) << "\n"
                                 << report.text();
        executions += report.executions;
        for (const std::size_t n : report.accesses_max) accesses = std::max(accesses, n);
      }
  std::cout << "  executions " << executions << ", at most " << accesses
            << " accesses a thread, pre-emptions " << c.preemptions << "\n";
}

using explore::memory;

TEST(pairs_by_handle, inlined) { every_pair<inlined>({true, memory::sequential, 3, 2}); }
TEST(pairs_by_handle, boxed) { every_pair<boxed>({true, memory::sequential, 2, 2}); }
TEST(pairs_by_handle, inlined_store_buffers) {
  every_pair<inlined>({true, memory::store_buffers, 2, 2});
}
TEST(pairs_by_key, inlined) { every_pair<inlined>({false, memory::sequential, 2, 1}); }
TEST(pairs_by_key, boxed) { every_pair<boxed>({false, memory::sequential, 2, 1}); }
TEST(pairs_by_key, boxed_store_buffers) { every_pair<boxed>({false, memory::store_buffers, 1, 1}); }

}  // namespace
