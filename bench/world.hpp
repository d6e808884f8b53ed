// A subject filled with keys, kept over the cells that use it: filling costs more than a window.
#pragma once

#include "cases.hpp"
#include "keys.hpp"

#include <ratchet/core/condition.hpp>

#include <map>
#include <memory>

namespace ratchet_bench {

template <class Subject, class Key, class Value>
class world {
 public:
  using form = typename key_form<Key>::type;

  world(std::size_t keys, std::uint64_t seed)
      : keys_(keys), seed_(seed), hits_(random_picks<Key>(keys, 0, seed)) {
    for (std::uint64_t i = 0; i < keys; ++i)
      if (!store_.put(as_asked(key_form<Key>::make(i)), Value{}, ratchet::if_absent))
        broken("filling", "key is there before it is created", i, i);
    versions_ = sum_of_versions("filling");
    check_count("filling", "sum of first versions", versions_, keys);
  }
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  // The one for this many keys, made at its first use.
  static world& of(std::size_t keys, std::uint64_t seed) {
    static std::map<std::size_t, std::unique_ptr<world>> made;
    auto& one = made[keys];
    if (!one) one = std::make_unique<world>(keys, seed);
    return *one;
  }

  [[nodiscard]] Subject& store() noexcept { return store_; }
  [[nodiscard]] const std::vector<pick<form>>& hits() const noexcept { return hits_; }
  // Of keys that were never there; made when asked for, since few cells do.
  [[nodiscard]] const std::vector<pick<form>>& misses() {
    if (misses_.empty()) misses_ = random_picks<Key>(keys_, keys_, seed_);
    return misses_;
  }
  // Where a thread begins, so that threads are at different keys.
  [[nodiscard]] std::size_t start_of(std::uint32_t thread, std::uint32_t threads) const noexcept {
    return hits_.size() / threads * thread;
  }

  // Every commit moved one key's version up by one, and nothing else did.
  void check_commits(const std::string& cell, std::uint64_t commits) {
    versions_ += commits;
    check_count(cell, "sum of committed versions", sum_of_versions(cell), versions_);
    check_count(cell, "keys", store_.size(), keys_);
  }

 private:
  std::uint64_t sum_of_versions(const std::string& cell) {
    std::uint64_t sum = 0;
    std::uint64_t present = 0;
    for (std::size_t i = 0; i < keys_; ++i) {  // the first order of the picks has each key once
      const auto seen = store_.get(as_asked(hits_[i].key));
      present += static_cast<bool>(seen);
      sum += seen.version().to_u64();
    }
    check_count(cell, "keys found", present, keys_);
    return sum;
  }

  std::size_t keys_;
  std::uint64_t seed_;
  std::vector<pick<form>> hits_;
  std::vector<pick<form>> misses_;
  Subject store_;
  std::uint64_t versions_ = 0;
};

}  // namespace ratchet_bench
