// F57: a data race, planted: planted_race boxed | inlined. Memory is published through a slot, as
// in publication_tsan, and then written again, which nothing orders before the reader's read. The
// detector must report it, so it does not take the slot for more order than there is.
#include <ratchet/native/store.hpp>

#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

namespace {

// Read by one thread while the other writes: only the publication is ordered.
template <class Value>
int race() {
  ratchet::store<int, Value> store;
  auto owned = std::make_unique<int>(0);
  int* const plain = owned.get();
  std::thread reader([&] {
    for (;;)
      if (const auto seen = store.read(1)) {
        std::printf("%d\n", *plain);
        return;
      }
  });
  if constexpr (std::is_pointer_v<Value>)
    store.put(1, plain);
  else
    store.put(1, std::move(owned));
  *plain = 2;
  reader.join();
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const bool boxed = count == 2 && std::strcmp(arguments[1], "boxed") == 0;
  return boxed ? race<std::unique_ptr<int>>() : race<int*>();
}
