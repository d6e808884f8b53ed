// A balance that never goes below zero, in 8 bytes.
#pragma once

#include <ratchet/core/mutate.hpp>

#include <cstdint>
#include <limits>

namespace ratchet::inline RATCHET_ABI {

// Money is counted in whole minor units (cents): there are no fractions to round.
// Invariant: 0 <= balance; each committed write changes it by exactly the amount of its call.
template <versioned_store Store>
  requires std::same_as<value_of<Store>, std::int64_t>
class wallet {
 public:
  enum class verdict : std::uint8_t {
    done,
    insufficient,  // the balance is smaller than the amount; nothing was written
    overflow,      // the balance would not fit in 63 bits; nothing was written
    missing,       // no such wallet; nothing was written
    exists,        // open: there is a wallet already; nothing was written
    contended,     // gave up by `retry`; nothing was written
    unknown,  // the store lost the answer: it may or may not have happened. Never repeated blindly
    invalid,  // a bad amount (accepted: 1 to 2^63 - 1; open also 0); nothing was read or written
  };

  struct [[nodiscard]] answer {
    wallet::verdict verdict = verdict::contended;
    std::int64_t balance_minor =
        0;                       // after the call; when not done: as it was seen. 0 when not seen
    ratchet::version version{};  // of that balance
    std::uint32_t attempts = 0;

    explicit operator bool() const noexcept { return verdict == verdict::done; }
  };

  // `store` must outlive this.
  explicit wallet(Store& store) noexcept : store_(store) {}

  // Effect: creates the wallet with this balance. Returns: done | exists | unknown | invalid.
  // Linearization point: the create-once. Progress: lock-free. Throws: what the store throws at a
  // creation.
  template <class K>
  answer open(const K& key, std::int64_t balance_minor) {
    if (balance_minor < 0) return {.verdict = verdict::invalid};
    const auto created = store_.put(key, balance_minor, if_absent);
    switch (created.outcome()) {
      case outcome::committed:
        return {verdict::done, balance_minor, created.version(), 1};
      case outcome::unknown:
        return {.verdict = verdict::unknown, .attempts = 1};
      case outcome::conflict:
        break;
    }
    const auto& there = created.current();
    return {verdict::exists, there ? *there : 0, created.version(), 1};
  }

  // Effect: takes the amount if the balance covers it. Returns: done | insufficient | missing |
  // contended |

  //   unknown | invalid.
  // Linearization point: the commit; for a refusal the read that showed too little.
  // Progress: lock-free; a refusal reads and never writes. Cost: one read and one conditional put
  // an attempt.
  template <class K>
  answer debit(const K& key, std::int64_t amount_minor, const retry& bounds = {}) {
    if (amount_minor < 1) return {.verdict = verdict::invalid};
    return change(key, bounds, [=](std::int64_t balance) {
      return balance >= amount_minor ? step{verdict::done, balance - amount_minor}
                                     : step{verdict::insufficient, balance};
    });
  }

  // Effect: adds the amount. Returns: done | overflow | missing | contended | unknown | invalid.
  // Linearization point: the commit; for a refusal the read. Progress: lock-free. Cost: as debit.
  template <class K>
  answer credit(const K& key, std::int64_t amount_minor, const retry& bounds = {}) {
    if (amount_minor < 1) return {.verdict = verdict::invalid};
    return change(key, bounds, [=](std::int64_t balance) {
      return balance <= std::numeric_limits<std::int64_t>::max() - amount_minor
                 ? step{verdict::done, balance + amount_minor}
                 : step{verdict::overflow, balance};
    });
  }

  // Returns: done with the balance | missing. Linearization point: the read.
  template <class K>
  answer balance(const K& key) const {
    const auto seen = store_.read(key);
    if (!seen) return {.verdict = verdict::missing, .version = seen.version()};
    return {verdict::done, *seen, seen.version(), 1};
  }

 private:
  struct step {
    wallet::verdict verdict;
    std::int64_t balance_minor;
    friend bool operator==(const step&, const step&) = default;
  };

  template <class K, class Next>
  answer change(const K& key, const retry& bounds, Next next) {
    using decided = decision<std::int64_t, step>;
    const auto result = mutate(
        store_, key,
        [&next](const std::int64_t* balance) {
          if (balance == nullptr) return decided::keep({verdict::missing, 0});
          const step wanted = next(*balance);
          return wanted.verdict == verdict::done ? decided::put(wanted.balance_minor, wanted)
                                                 : decided::keep(wanted);
        },
        bounds);
    answer made{.version = result.version, .attempts = result.attempts};
    if (result.mutated == mutated::contended) return made;
    if (result.mutated == mutated::unknown) {
      made.verdict = verdict::unknown;
      return made;
    }
    made.verdict = result.answer->verdict;
    made.balance_minor = result.answer->balance_minor;
    return made;
  }

  Store& store_;
};

}  // namespace ratchet::inline RATCHET_ABI
