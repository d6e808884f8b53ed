// The plain limiter: a count that is never taken above its limit.
#pragma once

#include <ratchet/core/mutate.hpp>

#include <concepts>
#include <limits>
#include <utility>

namespace ratchet::inline RATCHET_ABI {

// Grants up to `limit` units a key, ever; who wants a window puts it into the key. The record is
// one integer, the units granted so far.
// Invariant: each committed write raises the count by the units granted, and to at most the limit
//   it was granted under; a denial writes nothing.
template <versioned_store Store>
  requires std::integral<value_of<Store>>
class ceiling {
 public:
  using count = value_of<Store>;

  enum class verdict : std::uint8_t {
    granted,
    denied,     // it would have gone above the limit; nothing was written
    contended,  // gave up by `retry`; nothing was written. It is no grant: treat it as overload
    // the store lost the answer: the units may or may not be taken. Never asked again blindly
    unknown,
    invalid,  // a bad argument; nothing was read or written
  };
  enum class argument : std::uint8_t { none, limit, units };

  struct [[nodiscard]] answer {
    ceiling::verdict verdict = verdict::contended;
    argument invalid = argument::none;  // which argument was bad: limit accepts >= 1, units >= 1
    count limit{};
    count remaining{};  // after this call, by what it saw; 0 when contended, unknown or invalid
    std::uint32_t attempts = 0;

    explicit operator bool() const noexcept { return verdict == verdict::granted; }
  };

  // `store` must outlive this.
  explicit ceiling(Store& store) noexcept : store_(store) {}

  // Effect: takes `units` if the key's count stays at or below `limit`; all or none.
  // Returns: see `verdict`; `remaining` beside it.
  // Linearization point: the commit, or for a denial the read that showed too little room.
  // Progress: lock-free. A denial reads and never writes.
  // Cost: one read and one conditional put an attempt; a limit of n is granted within n + 1
  // attempts.
  // Throws: what the store throws when it creates the key.
  template <class K>
  answer try_acquire(const K& key, count limit, count units = 1, const retry& bounds = {}) {
    if (limit < 1) return refuse(argument::limit, limit);
    if (units < 1) return refuse(argument::units, limit);
    using decided = decision<count, std::pair<bool, count>>;
    const auto result = mutate(
        store_, key,
        [=](const count* granted) {
          // A count below zero, which only another writer can have left, is no room beyond limit.
          const count taken = granted != nullptr && *granted > 0 ? *granted : 0;
          const count room = taken < limit ? static_cast<count>(limit - taken) : count{0};
          if (units > room) return decided::keep({false, room});
          return decided::put(static_cast<count>(taken + units),
                              {true, static_cast<count>(room - units)});
        },
        bounds);
    answer made;
    made.limit = limit;
    made.attempts = result.attempts;
    made.verdict = judge(result.mutated);
    if (made.verdict == verdict::granted || made.verdict == verdict::denied)
      made.remaining = result.answer->second;
    return made;
  }

  // Units taken so far; 0 where the key does not exist.
  template <class K>
  [[nodiscard]] count taken(const K& key) const {
    const auto seen = store_.read(key);
    return seen ? *seen : count{0};
  }

 private:
  static constexpr verdict judge(mutated how) noexcept {
    switch (how) {
      case mutated::applied:
        return verdict::granted;
      case mutated::unchanged:
        return verdict::denied;
      case mutated::unknown:
        return verdict::unknown;
      case mutated::contended:
        break;
    }
    return verdict::contended;
  }
  static answer refuse(argument which, count limit) noexcept {
    answer made;
    made.verdict = verdict::invalid;
    made.invalid = which;
    made.limit = limit;
    return made;
  }

  Store& store_;
};

}  // namespace ratchet::inline RATCHET_ABI
