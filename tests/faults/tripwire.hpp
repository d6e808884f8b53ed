// User code whose k-th call throws: a key, a value, a hash, an equality and an answer.
#pragma once

#include <ratchet/core/options.hpp>

#include <cstdint>
#include <stdexcept>

namespace tests {

struct tripped : std::runtime_error {
  tripped() : std::runtime_error("tripped") {}
};

// Counts calls of user code; the k-th throws.
struct tripwire {
  inline static std::int64_t until = 0;
  inline static bool has_tripped = false;
  inline static std::int64_t alive = 0;
  static void arm(std::int64_t k) {
    until = k;
    has_tripped = false;
  }
  static void disarm() { until = 0; }
  static void step() {
    if (until > 0 && --until == 0) {
      has_tripped = true;
      throw tripped();
    }
  }
};

// A key, a value or an answer all of whose constructors but the first may throw.
template <class Tag>
class fussy {
 public:
  explicit fussy(int n = 0) : number(n) { ++tripwire::alive; }
  fussy(const fussy& other) : number(other.number) {
    tripwire::step();
    ++tripwire::alive;
  }
  fussy(fussy&& other) : number(other.number) {  // NOLINT: may throw on purpose
    tripwire::step();
    ++tripwire::alive;
  }
  fussy& operator=(const fussy&) = delete;
  ~fussy() { --tripwire::alive; }
  int number;
};
using fussy_key = fussy<struct key_tag>;
using fussy_value = fussy<struct value_tag>;
using fussy_answer = fussy<struct answer_tag>;

struct fussy_options : ratchet::options {
  struct hash {
    std::uint64_t operator()(const fussy_key& key, std::uint64_t) const {
      tripwire::step();
      return static_cast<std::uint64_t>(key.number % 3);  // some collide, so that equality is asked
    }
  };
  struct key_equal {
    bool operator()(const fussy_key& a, const fussy_key& b) const {
      tripwire::step();
      return a.number == b.number;
    }
  };
};

}  // namespace tests
