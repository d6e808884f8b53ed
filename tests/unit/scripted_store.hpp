// A store under a script: before each conditional write somebody else may write, and the write may
// be refused, or its answer lost before or after it commits.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "stores.hpp"

namespace tests {

enum class fate { pass, conflict, lost_before_commit, lost_after_commit };

template <class Inner>
class scripted_store {
 public:
  using key_type = typename Inner::key_type;
  using value_type = typename Inner::value_type;
  static constexpr bool may_lose_answers = true;

  explicit scripted_store(Inner& inner) : inner_(inner) {}

  // What becomes of the n-th conditional write, counted from 1.
  std::function<fate(std::uint32_t n)> script = [](std::uint32_t) { return fate::pass; };
  // Run before the n-th conditional write, after the n-th read.
  std::function<void(std::uint32_t n)> before_write = [](std::uint32_t) {};
  std::function<void(std::uint32_t n)> after_read = [](std::uint32_t) {};
  std::uint32_t reads = 0;
  std::uint32_t writes = 0;

  auto read(const auto& key) {
    auto seen = inner_.read(key);
    after_read(++reads);
    return seen;
  }
  ratchet::put_result<value_type> put(const auto& key, value_type value, auto condition) {
    before_write(++writes);
    switch (script(writes)) {
      case fate::conflict:
        return ratchet::put_result<value_type>::conflict_with(inner_.read(key), std::move(value));
      case fate::lost_before_commit:
        return ratchet::put_result<value_type>::lost();
      case fate::lost_after_commit:
        (void)inner_.put(key, std::move(value), condition);
        return ratchet::put_result<value_type>::lost();
      case fate::pass:
        break;
    }
    return inner_.put(key, std::move(value), condition);
  }
  ratchet::put_result<value_type> erase(const auto& key, ratchet::if_match condition) {
    before_write(++writes);
    switch (script(writes)) {
      case fate::conflict:
        return ratchet::put_result<value_type>::conflict_with(inner_.read(key));
      case fate::lost_before_commit:
        return ratchet::put_result<value_type>::lost();
      case fate::lost_after_commit:
        (void)inner_.erase(key, condition);
        return ratchet::put_result<value_type>::lost();
      case fate::pass:
        break;
    }
    return inner_.erase(key, condition);
  }

 private:
  Inner& inner_;
};

}  // namespace tests
