// F46: stores that are never destroyed but can be reached when the process ends are no leak,
// however large they are: LeakSanitizer must see through all of their memory.
#include "process/programs.hpp"

namespace {

template <class Store>
void fill(Store& store) {
  using V = typename Store::value_type;
  for (int n = 0; n < 20'000; ++n) {
    if constexpr (std::is_same_v<V, std::string>)
      store.put("a key too long to lie in a record itself " + std::to_string(n),
                "a value too long to lie in a string itself " + std::to_string(n));
    else
      store.put(std::to_string(n), V{n});
  }
}

}  // namespace

int main() {
  fill(programs::stores().inlined);
  fill(programs::stores().boxed);
  fill(programs::stores().locked);
}
