#include "shared.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>

namespace {
constexpr unsigned times = 2000;

bool counts(const std::string& text, char letter) {
  const auto found = static_cast<unsigned>(std::count(text.begin(), text.end(), letter));
  if (found != times) std::printf("%c: %u of %u\n", letter, found, times);
  return found == times;
}
}  // namespace

int main() {
  texts store;
  {
    std::jthread a([&] { append_a(store, times); });
    std::jthread b([&] { append_b(store, times); });
    append(store, 'm', times);
  }
  const auto seen = store.get(std::uint64_t{1});
  if (!seen || seen.version().to_u64() != 3 * times) return 1;
  if (!counts(*seen, 'a') || !counts(*seen, 'b') || !counts(*seen, 'm')) return 2;
  if (process_state_a() != process_state() || process_state_b() != process_state()) {
    std::puts("the objects do not share the process's state");
    return 3;
  }
  if (!keeps_a_view_a(store, churn_b) || !keeps_a_view_b(store, churn_a) ||
      !keeps_a_view_a(store, churn) || !keeps_a_view(store, churn_b)) {
    std::puts("one object reclaims what another one holds");
    return 4;
  }
  return 0;
}
