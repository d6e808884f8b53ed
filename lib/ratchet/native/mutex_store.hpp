// The reference: the same verbs over one mutex and std::unordered_map. Slow, obviously right, and
// what the tests compare the lock-free store with.
#pragma once

#include <ratchet/base/limits.hpp>
#include <ratchet/core/hash.hpp>
#include <ratchet/core/key_traits.hpp>
#include <ratchet/core/limit_error.hpp>
#include <ratchet/core/mutate.hpp>
#include <ratchet/core/options.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace ratchet::inline RATCHET_ABI {

template <class Key, storable Value, class Options = options>
class mutex_store {
 public:
  using key_type = Key;
  using value_type = Value;
  static constexpr bool may_lose_answers = false;

  explicit mutex_store(const config& wanted = {})
      : keys_max_(wanted.keys_max),
        first_(wanted.first),
        records_(wanted.reserve, hasher{wanted.hash_seed.value_or(0)}) {
    if (wanted.first.to_u64() >= limits::version_max)
      throw std::invalid_argument("ratchet: config.first is " +
                                  std::to_string(wanted.first.to_u64()) + ", accepted are 0 to " +
                                  std::to_string(limits::version_max - 1));
  }
  mutex_store(const mutex_store&) = delete;
  mutex_store& operator=(const mutex_store&) = delete;

  template <lookup_key<Key> K>
  [[nodiscard]] entry<Value> get(const K& key) const
    requires std::copy_constructible<Value>
  {
    return entry<Value>(read(key));
  }

  template <lookup_key<Key> K>
  [[nodiscard]] view<Value> read(const K& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(canonical<Key>(key));
    return found == records_.end() ? view<Value>() : show(found->second);
  }

  template <lookup_key<Key> K>
  version put(const K& key, Value value) {
    owner outside_the_lock;
    const std::lock_guard lock(mutex_);
    return store(key, value, outside_the_lock);
  }

  template <lookup_key<Key> K>
  put_result<Value> put(const K& key, Value value, if_match condition) {
    return put_where(key, value, [&](const record* now) {
      return now != nullptr && now->value && now->at == condition.at;
    });
  }
  template <lookup_key<Key> K>
  put_result<Value> put(const K& key, Value value, if_absent_t) {
    return put_where(key, value, [](const record* now) { return now == nullptr || !now->value; });
  }
  template <lookup_key<Key> K>
  put_result<Value> put(const K& key, Value value, if_present_t) {
    return put_where(key, value, [](const record* now) { return now != nullptr && now->value; });
  }

  template <lookup_key<Key> K>
  view<Value> erase(const K& key) {
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(canonical<Key>(key));
    if (found == records_.end()) return view<Value>();
    view<Value> removed = show(found->second);
    if (removed) remove(found->second);
    return removed;
  }
  template <lookup_key<Key> K>
  put_result<Value> erase(const K& key, if_match condition) {
    owner outside_the_lock;
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(canonical<Key>(key));
    if (found == records_.end()) return put_result<Value>::conflict_with(view<Value>());
    record& now = found->second;
    if (!now.value || now.at != condition.at) return put_result<Value>::conflict_with(show(now));
    outside_the_lock = now.value;
    remove(now);
    return put_result<Value>::committed_at(now.at);
  }

  template <class K, class... Rest>
  auto mutate(const K& key, Rest&&... rest) {
    return ratchet::mutate(*this, key, std::forward<Rest>(rest)...);
  }

  // Calls f(const Key&, const Value&, version) for each present key, outside the lock.
  template <class F>
  void for_each(F&& f) const {
    std::unique_lock lock(mutex_);
    std::vector<std::pair<Key, view<Value>>> present;
    for (const auto& [key, now] : records_)
      if (now.value) present.emplace_back(key, show(now));
    lock.unlock();
    for (const auto& [key, seen] : present) f(key, *seen, seen.version());
  }

  // Erases each key that is still at the version for which f(const Key&, const Value&, version)
  // said yes.
  template <class F>
  std::size_t erase_if(F&& f) {
    std::size_t erased = 0;
    for_each([&](const Key& key, const Value& value, version at) {
      if (f(key, value, at) && erase(key, if_match(at))) ++erased;
    });
    return erased;
  }

  [[nodiscard]] std::size_t size() const noexcept {
    const std::lock_guard lock(mutex_);
    return present_;
  }

 private:
  using owner = std::shared_ptr<const Value>;
  struct record {
    version at;
    owner value;  // null: a tombstone, which keeps the version
  };
  struct hasher {
    using is_transparent = void;
    std::uint64_t seed;
    template <class K>
    std::size_t operator()(const K& key) const {
      return hash_key<Options>(key, seed);
    }
  };

  static view<Value> show(const record& now) {
    if (!now.value) return view<Value>(now.at);
    if constexpr (is_inlined<Value>) {
      return view<Value>(*now.value, now.at);
    } else {
      auto* held = new owner(now.value);
      return view<Value>(held->get(), now.at, pin(held, [](void* lender) noexcept {
                           delete static_cast<owner*>(lender);
                         }));
    }
  }

  template <class K, class Condition>
  put_result<Value> put_where(const K& key, Value& value, Condition holds) {
    owner outside_the_lock;
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(canonical<Key>(key));
    const record* now = found == records_.end() ? nullptr : &found->second;
    if (!holds(now)) {
      view<Value> won = now == nullptr ? view<Value>() : show(*now);
      return put_result<Value>::conflict_with(std::move(won), std::move(value));
    }
    return put_result<Value>::committed_at(store(key, value, outside_the_lock));
  }

  // Whatever does not stay in the store is left to `boxed`, which the caller destroys outside the
  // lock: a value's destructor may use this store.
  template <class K>
  version store(const K& key, Value& value, owner& boxed) {
    boxed = std::make_shared<const Value>(std::move(value));
    auto found = records_.find(canonical<Key>(key));
    const bool creates = found == records_.end() || !found->second.value;
    if (creates && present_ >= keys_max_)
      throw limit_error(limit::keys, "the store holds keys_max = " + std::to_string(keys_max_) +
                                         " keys and takes no other");
    if (found == records_.end())
      found = records_.try_emplace(Key(canonical<Key>(key)), record{first_, nullptr}).first;
    record& now = found->second;
    now.at = after(now.at);
    std::swap(now.value, boxed);
    if (creates) ++present_;
    return now.at;
  }

  void remove(record& now) {
    now.at = after(now.at);
    now.value = nullptr;
    --present_;
  }

  static version after(version at) {
    if (at.to_u64() >= limits::version_max)
      throw limit_error(limit::version, "the key is at version " + std::to_string(at.to_u64()) +
                                            ", the last of its 60 bits");
    return version::from_u64(at.to_u64() + 1);
  }

  mutable std::mutex mutex_;
  std::size_t keys_max_;
  version first_;
  std::size_t present_ = 0;
  std::unordered_map<Key, record, hasher, typename Options::key_equal> records_;
};

}  // namespace ratchet::inline RATCHET_ABI
