// Four to sixteen callers of the shipped store under random schedules, in all three memory modes.
// RATCHET_SEED: the first program's seed (default random). RATCHET_PROGRAMS: how many (default 40).
#include "store_rows.hpp"

#include <iostream>
#include <random>

using namespace world;

namespace {

std::uint64_t number(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Calls on three keys that share a bucket with others, by key and by handle, so that tables move,
// records are dropped and boxes reclaimed.
std::vector<std::vector<call>> random_calls(std::mt19937_64& random, std::size_t threads) {
  using enum verb;
  static constexpr verb verbs[] = {
      get, get_by_new_handle, put, put_match, put_absent, erase, erase, reclaim};
  std::vector<std::vector<call>> calls(threads);
  for (auto& mine : calls)
    for (std::size_t i = 1 + random() % 3; i != 0; --i)
      mine.push_back({verbs[random() % std::size(verbs)], 1 + random() % 3, random() % 3 == 0});
  return calls;
}

template <class Program>
void half_full(typename Program::store& s) {
  s.put(1, typename Program::store::value_type(5));
  s.put(2, typename Program::store::value_type(6));
  (void)s.erase(2);
}

template <class Program>
void crowd(explore::memory memory) {
  const std::uint64_t base = number("RATCHET_SEED", std::random_device{}());
  const std::uint64_t programs = number("RATCHET_PROGRAMS", 40);
  std::uint64_t transitions = 0;
  std::size_t stops = 0;
  for (std::uint64_t seed = base; seed < base + programs; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t threads = 4 + random() % 13;
    Program program(half_full<Program>, random_calls(random, threads));
    auto options = complete(memory, random() % 2 == 0);
    if (random() % 2 == 0) options.stoppable = {random() % threads};
    const auto report = explore::run_random(program.get(), options, {seed, 25, 4});
    ASSERT_TRUE(report.ok()) << "replay with RATCHET_SEED=" << seed << " RATCHET_PROGRAMS=1\n"
                             << report.text();
    transitions += report.transitions;
    stops += report.stops;
  }
  std::cout << "  " << programs << " programs from RATCHET_SEED=" << base << ", " << transitions
            << " transitions, " << stops << " stopped threads\n";
}

using explore::memory;

TEST(crowd, of_inlined_values_sequential) { crowd<inlined>(memory::sequential); }
TEST(crowd, of_inlined_values_with_store_buffers) { crowd<inlined>(memory::store_buffers); }
TEST(crowd, of_inlined_values_with_older_values) { crowd<inlined>(memory::older_values); }
TEST(crowd, of_boxed_values_sequential) { crowd<boxed>(memory::sequential); }
TEST(crowd, of_boxed_values_with_store_buffers) { crowd<boxed>(memory::store_buffers); }
TEST(crowd, of_boxed_values_with_older_values) { crowd<boxed>(memory::older_values); }

}  // namespace
