// The store: keys in a lock-free index, versions and values in 128-bit slots.
#pragma once

#include <ratchet/core/mutate.hpp>
#include <ratchet/core/options.hpp>
#include <ratchet/native/handle.hpp>

namespace ratchet::inline RATCHET_ABI {

// A versioned key-value store in this process: not durable, not shared with other processes.
//
// Keys: strings (looked up by anything that reads as a string_view, without a copy), integers,
// enums, structs with unique object representations, or any type with a hash and an equality in
// Options. Values: up to 8 trivially copyable bytes live in the slot; anything else is boxed,
// move-only types included. Any thread may call, without registration; threads may end at any time.
// Neither copied nor moved: views and handles point into it, and must end before it.
// Throws: std::bad_alloc, limit_error, and what user code (hash, equality, copy, f) throws; the
// store is then as it was. Clauses in brackets: docs/contract.md.
template <class Key, storable Value, class Options = options>
class store {
  using engine = native::engine<Key, Value, Options>;

 public:
  using key_type = Key;
  using value_type = Value;
  static constexpr bool may_lose_answers = false;
  using handle = native::handle<Key, Value, Options>;

  // Throws std::invalid_argument when config.first leaves no version, or config.reserve is beyond
  // 2^48.
  explicit store(const config& wanted = {}) : engine_(wanted) {}
  store(const store&) = delete;
  store& operator=(const store&) = delete;
  // Frees all of its own, values included, before it returns. No call is in flight, no view or
  // handle alive.
  ~store() = default;

  // Effect: none. Returns: a copy of the value and its version as one observation [V3]; absent with
  //   the erase's version, or with none where no record of the key is left.
  // Linearization point: the load of the slot; absent without a record: the load of the empty index
  // word.
  // Progress: by key lock-free, in practice a bounded walk [P3]; never waits.
  // Ordering: sees all that happened before the write it returns. Cost: no write to shared memory.
  // Throws: what the value's copy constructor throws.
  template <lookup_key<Key> K>
  [[nodiscard]] entry<Value> get(const K& key) const
    requires std::copy_constructible<Value>
  {
    return entry<Value>(engine_.read(key));
  }

  // As get, without the copy: the view pins a boxed value until it ends (one hazard pointer).
  template <lookup_key<Key> K>
  [[nodiscard]] view<Value> read(const K& key) const {
    return engine_.read(key);
  }

  // Effect: stores the value, whatever is there. Returns: the new version [V1].
  // Linearization point: the compare-and-swap of the slot, or of the index word for a key without a
  // record.
  // Progress: lock-free. Ordering: release to whoever reads the value, acquire from what it
  // replaced.
  // Cost: one 128-bit compare-and-swap when uncontended; a boxed value one allocation; a new key
  // one record.
  // Throws: std::bad_alloc, limit_error (keys, key_bytes, version).
  template <lookup_key<Key> K>
  version put(const K& key, Value value) {
    return engine_.put(key, value, native::always{}).version();
  }

  // Effect: stores the value if the key is present and still at `condition.at`; never on an absent
  // key.
  // Returns: committed with the new version, which is at + 1 [V1]; or conflict with what is there
  //   now and with the value that was not stored.
  // Linearization point: commit: the compare-and-swap; conflict: the load or the failed
  // compare-and-swap.
  // Progress: on a record already found, wait-free for an inlined value: one load, one
  // compare-and-swap [P1].
  // Ordering: a commit as put; a conflict acquires what won. Throws: std::bad_alloc (boxed),
  // limit_error (version).
  template <lookup_key<Key> K>
  put_result<Value> put(const K& key, Value value, if_match condition) {
    return engine_.put(key, value, native::when_at{condition.at});
  }
  // Effect: creates the key if it does not exist. Otherwise as above; also throws limit_error
  // (keys, key_bytes).
  template <lookup_key<Key> K>
  put_result<Value> put(const K& key, Value value, if_absent_t) {
    return engine_.put(key, value, native::when_absent{});
  }
  // Effect: replaces the value if the key exists, at whatever version. Otherwise as above.
  // Progress: lock-free.
  template <lookup_key<Key> K>
  put_result<Value> put(const K& key, Value value, if_present_t) {
    return engine_.put(key, value, native::when_present{});
  }

  // Effect: removes the key; an absent key is not written. Returns: what was removed, at its own
  //   version (the erase has the next one); or absent. Linearization point: the compare-and-swap,
  //   or the read
  // that found nothing.
  // Progress: lock-free. Cost: one compare-and-swap; helps to drop erased records when many have
  // gathered.
  template <lookup_key<Key> K>
  view<Value> erase(const K& key) {
    return engine_.erase(key);
  }
  // Effect: removes the key if it is present and still at `condition.at`. Returns: committed with
  //   the erase's version, or conflict. Otherwise as the conditional put.
  template <lookup_key<Key> K>
  put_result<Value> erase(const K& key, if_match condition) {
    return engine_.erase(key, native::when_at{condition.at});
  }

  // mutate(key, [clock,] f, [retry]): ratchet::mutate on this store (core/mutate.hpp).
  template <lookup_key<Key> K, class... Rest>
  auto mutate(const K& key, Rest&&... rest) {
    return ratchet::mutate(*this, key, std::forward<Rest>(rest)...);
  }

  // The same verbs without the key: names the key, not one life of it. A key without a record gets
  // one, absent.
  // Throws: std::bad_alloc, limit_error (key_bytes).
  template <lookup_key<Key> K>
  [[nodiscard]] handle at(const K& key) {
    return handle(engine_, key);
  }

  // Calls f(const Key&, const Value&, version) for each key: one that is present throughout exactly
  // once, any key at most once, each value current at an instant inside the call. f runs outside
  // all guards and may use the store.
  template <class F>
  void for_each(F&& f) const {
    engine_.for_each(
        [&](const Key& key, const view<Value>& seen, auto&) { f(key, *seen, seen.version()); });
  }

  // Erases each key that is still at the version for which f(const Key&, const Value&, version)
  // said yes.
  // Returns: how many.
  template <class F>
  std::size_t erase_if(F&& f) {
    std::size_t erased = 0;
    engine_.for_each([&](const Key& key, const view<Value>& seen, auto& record) {
      if (f(key, *seen, seen.version()) && engine_.erase_in(record, seen.version())) ++erased;
    });
    return erased;
  }

  // Keys present: exact when nobody writes; else off by at most the creations and erases under way.
  [[nodiscard]] std::size_t size() const noexcept { return engine_.size(); }

  // Makes room for that many keys before the index next grows. O(index) when it must move. Throws
  // std::bad_alloc, and std::invalid_argument beyond 2^48 keys.
  void reserve(std::size_t keys) { engine_.reserve(keys); }

  [[nodiscard]] stats stats_now() const { return engine_.stats_now(); }

  // Reclaims what no guard protects now, rather than when enough of it waits.
  void reclaim() { engine_.reclaim(); }

 private:
  // Reads publish hazards and may meet a migration, but change no state that a caller can see.
  mutable engine engine_;
};

}  // namespace ratchet::inline RATCHET_ABI
