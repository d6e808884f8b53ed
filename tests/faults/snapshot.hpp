// All of a store that a caller can see: values, versions and the count, for before and after.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tests {

struct snapshot {
  struct line {
    bool is_present;
    std::string value;
    std::uint64_t version;
    friend bool operator==(const line&, const line&) = default;
  };
  std::vector<line> lines;
  std::size_t size = 0;
  std::size_t shown = 0;  // by for_each
  friend bool operator==(const snapshot&, const snapshot&) = default;
};

// `text` turns a value into a string.
template <class Store, class Keys, class Text>
snapshot take_snapshot(const Store& store, const Keys& keys, const Text& text) {
  snapshot made;
  for (const auto& key : keys) {
    const auto seen = store.read(key);
    made.lines.push_back({static_cast<bool>(seen), seen ? text(*seen) : std::string(),
                          // An absent key's version may go with its record.
                          seen ? seen.version().to_u64() : 0});
  }
  made.size = store.size();
  store.for_each([&](const auto&, const auto&, auto) { ++made.shown; });
  return made;
}

}  // namespace tests
