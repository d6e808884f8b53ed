// A peer: std::unordered_map in 64 shards, each under a std::mutex, with the same versioned work.
//
// What many would write. Each verb hashes once, holds one lock, and builds no std::string to look
// one up. It gives up what the store promises: an erased key forgets its version, and a stopped
// thread stops others.
#pragma once

#include <ratchet/base/limits.hpp>
#include <ratchet/core/condition.hpp>
#include <ratchet/core/hash.hpp>
#include <ratchet/core/key_traits.hpp>

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

namespace ratchet_bench {

template <class Key, class Value>
class sharded_map {
  struct versioned {
    ratchet::version at;
    Value value;
  };

 public:
  class seen {
   public:
    seen() = default;
    explicit seen(const versioned& now) : value_(now.value), at_(now.at) {}
    explicit operator bool() const noexcept { return value_.has_value(); }
    const Value& operator*() const noexcept { return *value_; }
    [[nodiscard]] ratchet::version version() const noexcept { return at_; }

   private:
    std::optional<Value> value_;
    ratchet::version at_;
  };

  // An entry and its lock. The entry must not be erased meanwhile.
  class handle {
   public:
    handle(std::mutex& lock, versioned& entry) : mutex_(&lock), entry_(&entry) {}
    [[nodiscard]] seen get() const {
      const std::lock_guard lock(*mutex_);
      return seen(*entry_);
    }
    bool put(Value value, ratchet::if_match condition) {
      const std::lock_guard lock(*mutex_);
      return write_at(*entry_, value, condition.at);
    }

   private:
    std::mutex* mutex_;
    versioned* entry_;
  };

  template <class K>
  [[nodiscard]] seen get(const K& key) {
    return with(key, [](auto& entries, const auto& wanted) {
      const auto found = entries.find(wanted);
      return found == entries.end() ? seen() : seen(found->second);
    });
  }
  template <class K>
  bool put(const K& key, Value value, ratchet::if_match condition) {
    return with(key, [&](auto& entries, const auto& wanted) {
      const auto found = entries.find(wanted);
      return found != entries.end() && write_at(found->second, value, condition.at);
    });
  }
  template <class K>
  bool put(const K& key, Value value, ratchet::if_absent_t) {
    return with(key, [&](auto& entries, const auto& wanted) {
      if (entries.find(wanted) != entries.end()) return false;
      entries.try_emplace(stored{Key(wanted.key), wanted.hash},
                          versioned{ratchet::version::from_u64(1), std::move(value)});
      return true;
    });
  }
  template <class K>
  ratchet::version put(const K& key, Value value) {
    return with(key, [&](auto& entries, const auto& wanted) {
      const auto found = entries.find(wanted);
      if (found != entries.end()) {
        write(found->second, value);
        return found->second.at;
      }
      const auto first = ratchet::version::from_u64(1);
      entries.try_emplace(stored{Key(wanted.key), wanted.hash}, versioned{first, std::move(value)});
      return first;
    });
  }
  template <class K>
  bool erase(const K& key) {
    return with(key, [&](auto& entries, const auto& wanted) {
      const auto found = entries.find(wanted);
      if (found == entries.end()) return false;
      entries.erase(found);
      return true;
    });
  }
  // Under the lock nobody else writes: once is enough. `f` as the store's mutate, the key present.
  template <class K, class F>
  bool mutate(const K& key, F&& f) {
    return with(key, [&](auto& entries, const auto& wanted) {
      const auto found = entries.find(wanted);
      if (found == entries.end()) return false;
      Value made = f(&found->second.value);
      write(found->second, made);
      return true;
    });
  }
  template <class K>
  [[nodiscard]] handle at(const K& key) {
    std::mutex& lock = shard_of(hash_of(key)).mutex;
    return with(key, [&](auto& entries, const auto& wanted) {
      return handle(lock, entries.find(wanted)->second);
    });
  }

  [[nodiscard]] std::size_t size() {
    std::size_t sum = 0;
    for (shard& one : shards_) {
      const std::lock_guard lock(one.mutex);
      sum += one.entries.size();
    }
    return sum;
  }

 private:
  // A key with its hash, so that choosing the shard and the bucket costs one.
  template <class K>
  struct hashed {
    K key;
    std::uint64_t hash;
  };
  using stored = hashed<Key>;
  struct hash_in {
    using is_transparent = void;
    template <class K>
    std::size_t operator()(const hashed<K>& one) const noexcept {
      return one.hash;
    }
  };
  struct same_key {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const hashed<A>& a, const hashed<B>& b) const {
      return a.hash == b.hash && a.key == b.key;
    }
  };
  struct alignas(ratchet::limits::padding_bytes) shard {
    std::mutex mutex;
    std::unordered_map<stored, versioned, hash_in, same_key> entries;
  };

  static void write(versioned& now, Value& value) {
    now.at = ratchet::version::from_u64(now.at.to_u64() + 1);
    now.value = std::move(value);
  }
  static bool write_at(versioned& now, Value& value, ratchet::version at) {
    if (now.at != at) return false;
    write(now, value);
    return true;
  }

  template <class K>
  static std::uint64_t hash_of(const K& key) {
    return ratchet::hash_key<hashing>(ratchet::canonical<Key>(key), 0x5eed);
  }
  struct hashing {
    using hash = ratchet::seeded_hash;
  };
  shard& shard_of(std::uint64_t hash) noexcept { return shards_[hash >> 58]; }

  template <class K, class F>
  auto with(const K& key, F&& f) {
    const auto form = ratchet::canonical<Key>(key);
    const hashed<std::remove_const_t<decltype(form)>> wanted{form, hash_of(key)};
    shard& mine = shard_of(wanted.hash);
    const std::lock_guard lock(mine.mutex);
    return f(mine.entries, wanted);
  }

  std::array<shard, 64> shards_;
};

}  // namespace ratchet_bench
