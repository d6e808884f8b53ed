// A key looked up once.
#pragma once

#include <ratchet/core/mutate.hpp>
#include <ratchet/native/engine.hpp>

namespace ratchet::inline RATCHET_ABI {

template <class Key, storable Value, class Options>
class store;

namespace native {

// Pins the key's record, so that each call goes straight to its slot. Names the key, not one life
// of it: when the record was dropped after an erase, writes look the key up again. Move-only; one
// thread at a time; must end before its store. The verbs and their answers are those of store, at
// the cost of the slot alone.
template <class Key, storable Value, class Options>
class handle {
  using engine_type = engine<Key, Value, Options>;
  using record_type = typename engine_type::record_type;
  using written = typename engine_type::written;

 public:
  handle(handle&& other) noexcept
      : engine_(other.engine_), record_(std::exchange(other.record_, nullptr)) {}
  handle& operator=(handle&& other) noexcept {
    std::swap(engine_, other.engine_);
    std::swap(record_, other.record_);
    return *this;
  }
  ~handle() noexcept(!RATCHET_EXPLORE) {
    if (record_ != nullptr) engine_type::unpin(*record_);
  }

  // Progress: wait-free for an inlined value: one 16-byte load [P1].
  [[nodiscard]] entry<Value> get() const
    requires std::copy_constructible<Value>
  {
    return entry<Value>(read());
  }
  [[nodiscard]] view<Value> read() const {
    slot_state seen = record_->state.look();
    if (seen.kind() == kind::sealed) [[unlikely]]
      return read_by_key();
    if constexpr (is_inlined<Value>)
      return seen.present() ? view<Value>(decode<Value>(seen.payload()), seen.at())
                            : view<Value>(seen.at());
    else
      return engine_->show(*record_, seen, self());
  }

  version put(Value value) { return write(value, always{}).version(); }
  // Progress: wait-free for an inlined value: one load, one compare-and-swap [P1].
  put_result<Value> put(Value value, if_match condition) {
    return write(value, when_at{condition.at});
  }
  put_result<Value> put(Value value, if_absent_t) { return write(value, when_absent{}); }
  put_result<Value> put(Value value, if_present_t) { return write(value, when_present{}); }

  view<Value> erase() {
    thread_record& me = self();
    slot_state seen = record_->state.look();
    view<Value> removed = engine_->erase_in(*record_, seen, me);
    if (removed)
      engine_->after_erase(me);
    else if (seen.kind() == kind::sealed)
      return engine_->erase(record_->key.get());
    return removed;
  }
  put_result<Value> erase(if_match condition) {
    thread_record& me = self();
    slot_state seen = record_->state.look();
    if (seen.kind() == kind::sealed)
      return engine_->erase(record_->key.get(), when_at{condition.at});
    auto result = engine_->erase_in(*record_, seen, when_at{condition.at}, me);
    if (result) engine_->after_erase(me);
    return result;
  }

  // mutate([clock,] f, [retry]): ratchet::mutate on this key.
  template <class... Rest>
  auto mutate(Rest&&... rest) {
    one_key only{*this};
    return ratchet::mutate(only, here{}, std::forward<Rest>(rest)...);
  }

 private:
  friend class store<Key, Value, Options>;

  template <class K>
  handle(engine_type& owner, const K& key) : engine_(&owner), record_(owner.pin_record(key)) {}

  [[gnu::noinline]] view<Value> read_by_key() const { return engine_->read(record_->key.get()); }

  template <class Condition>
  put_result<Value> write(Value& value, Condition condition) {
    if constexpr (is_inlined<Value> && !Condition::creates) {
      // The whole of it: no thread record, no hazard, nothing to give back.
      slot_state seen = record_->state.look();
      while (condition.holds(seen, kind_of<Value>)) {
        const slot_state next(next_version(seen.at()), kind::inlined, encode(value));
        if (record_->state.commit(seen, next)) return put_result<Value>::committed_at(next.at());
      }
      if (seen.kind() != kind::sealed) [[likely]]
        return put_result<Value>::conflict_with(show_inlined(seen), std::move(value));
    }
    return write_slowly(value, condition);
  }

  template <class Condition>
  [[gnu::noinline]] put_result<Value> write_slowly(Value& value, Condition condition) {
    thread_record& me = self();
    put_result<Value> result = [&] {
      pending_value<Value> wanted(value, engine_->values_memory());
      auto fresh = engine_->creation_for(me);
      for (;;) {
        slot_state seen = record_->state.look();
        switch (engine_->put_in(*record_, seen, condition, wanted, fresh)) {
          case written::committed:
            return put_result<Value>::committed_at(fresh.made);
          case written::conflict: {
            view<Value> won = engine_->show(*record_, seen, me);
            // As by key: what is shown must be in the way.
            if (!condition.holds(seen, kind_of<Value>))
              return put_result<Value>::conflict_with(std::move(won), wanted.take_back());
            break;
          }
          case written::sealed:
            look_up_again();
            break;
        }
      }
    }();
    engine_->after_write(me);
    return result;
  }

  static view<Value> show_inlined(slot_state seen) noexcept {
    return seen.present() ? view<Value>(decode<Value>(seen.payload()), seen.at())
                          : view<Value>(seen.at());
  }

  // The record has left the index: pins the key's present one, made where there is none.
  void look_up_again() {
    record_type* found = engine_->pin_record(record_->key.get());
    engine_type::unpin(*std::exchange(record_, found));
  }

  struct here {};
  // This key as a store of one: what mutate needs.
  struct one_key {
    using key_type = here;
    using value_type = Value;
    static constexpr bool may_lose_answers = false;
    handle& at;
    view<Value> read(here) const { return at.read(); }
    put_result<Value> put(here, Value value, if_match condition) {
      return at.put(std::move(value), condition);
    }
    put_result<Value> put(here, Value value, if_absent_t) {
      return at.put(std::move(value), if_absent);
    }
    put_result<Value> erase(here, if_match condition) { return at.erase(condition); }
  };

  engine_type* engine_;
  record_type* record_;
};

}  // namespace native
}  // namespace ratchet::inline RATCHET_ABI
