// Any store, seen by one caller: every call is stamped, logged and counted, and the caller may be
// held up before each conditional write. Models versioned_store.
#pragma once

#include <harness/caller.hpp>
#include <ratchet/core/store_concept.hpp>

#include <cstring>
#include <string_view>

namespace ratchet::inline RATCHET_ABI::harness {

// 64 bits that stand for a value in a history: the value itself where it fits.
template <class V>
std::uint64_t word_of(const V& value) noexcept {
  if constexpr (requires {
                  { value.history_word() } -> std::same_as<std::uint64_t>;
                }) {
    return value.history_word();
  } else if constexpr (std::is_integral_v<V>) {
    return static_cast<std::uint64_t>(value);
  } else {
    static_assert(std::is_trivially_copyable_v<V> && sizeof(V) <= 8,
                  "give the value a history_word()");
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof(V));
    return word;
  }
}

// Keys are numbers; the history calls them by their distance from `first_key`.
template <class S>
class recorded_store {
 public:
  using key_type = typename S::key_type;
  using value_type = typename S::value_type;
  static constexpr bool may_lose_answers = S::may_lose_answers;

  recorded_store(S& store, caller& me, key_type first_key = {}) noexcept
      : store_(store), me_(me), first_key_(first_key) {}

  view<value_type> read(const key_type& key) const {
    operation op = start(key, verb::read);
    view<value_type> seen = store_.read(key);
    op.end = me_.clock->end();
    saw(op, seen);
    keep(op);
    return seen;
  }

  version put(const key_type& key, value_type value) {
    const std::uint64_t word = word_of(value);
    return writing(key, verb::put, 0, word, [&](operation& op) {
      const version made = store_.put(key, std::move(value));
      op.end = me_.clock->end();
      committed(op, made, word);
      return made;
    });
  }
  put_result<value_type> put(const key_type& key, value_type value, if_match condition) {
    return put_where(key, value, verb::put_match, condition.at.to_u64(), condition);
  }
  put_result<value_type> put(const key_type& key, value_type value, if_absent_t condition) {
    return put_where(key, value, verb::put_absent, 0, condition);
  }
  put_result<value_type> put(const key_type& key, value_type value, if_present_t condition) {
    return put_where(key, value, verb::put_present, 0, condition);
  }

  view<value_type> erase(const key_type& key) {
    return writing(key, verb::erase, 0, 0, [&](operation& op) {
      view<value_type> removed = store_.erase(key);
      op.end = me_.clock->end();
      if (removed) {
        // The answer shows the version removed; the erase made the one after it.
        op.expected = removed.version().to_u64();
        committed(op, version::from_u64(op.expected + 1), word_of(*removed));
      } else {
        saw(op, removed);
      }
      return removed;
    });
  }
  put_result<value_type> erase(const key_type& key, if_match condition) {
    return writing(key, verb::erase_match, condition.at.to_u64(), 0, [&](operation& op) {
      auto result = store_.erase(key, condition);
      op.end = me_.clock->end();
      answered(op, result, 0);
      return result;
    });
  }

 private:
  template <class Condition>
  put_result<value_type> put_where(const key_type& key, value_type& value, verb v,
                                   std::uint64_t expected, Condition condition) {
    const std::uint64_t word = word_of(value);
    return writing(key, v, expected, word, [&](operation& op) {
      auto result = store_.put(key, std::move(value), condition);
      op.end = me_.clock->end();
      answered(op, result, word);
      return result;
    });
  }

  // A call that throws is logged as one without an answer: the check must not rely on what it
  // did.
  template <class Call>
  auto writing(const key_type& key, verb v, std::uint64_t expected, std::uint64_t value,
               Call call) {
    me_.stand();
    operation op = start(key, v);
    op.expected = expected;
    try {
      auto result = call(op);
      me_.pass();
      keep(op);
      return result;
    } catch (...) {
      me_.pass();
      unanswered(op, value);
      keep(op);
      throw;
    }
  }

  operation start(const key_type& key, verb v) const noexcept {
    operation op;
    op.key = static_cast<std::uint16_t>(key - first_key_);
    op.verb = v;
    op.begin = me_.clock->begin();
    return op;
  }

  static void saw(operation& op, const view<value_type>& seen) noexcept {
    op.version = seen.version().to_u64();
    op.answer = seen ? answer::saw_value : answer::saw_absent;
    if (seen) op.value = word_of(*seen);
  }
  void committed(operation& op, version made, std::uint64_t value) noexcept {
    op.version = made.to_u64();
    op.value = value;
    op.answer = answer::committed;
    ++me_.counts.commits;
    if (op.verb == verb::put_absent) me_.counts.created_at = op.version;
  }
  void answered(operation& op, const put_result<value_type>& result, std::uint64_t value) noexcept {
    switch (result.outcome()) {
      case outcome::committed:
        return committed(op, result.version(), value);
      case outcome::unknown:
        return unanswered(op, value);
      case outcome::conflict:
        break;
    }
    ++me_.counts.conflicts;
    saw(op, result.current());
  }
  void unanswered(operation& op, std::uint64_t value) noexcept {
    op.answer = answer::pending;
    op.value = value;
    op.version = 0;
    op.end = never;
    ++me_.counts.unanswered;
  }
  void keep(const operation& op) const {
    ++me_.counts.operations;
    if (me_.records) me_.log.append(op);
  }

  S& store_;
  caller& me_;
  key_type first_key_;
};

}  // namespace ratchet::inline RATCHET_ABI::harness
