// Stores broken on purpose, one fault each, to show that the checks see it.
#pragma once

#include <harness/meeting.hpp>
#include <ratchet/core/store_concept.hpp>

#include <map>
#include <mutex>

namespace ratchet::inline RATCHET_ABI::harness::twins {

// The honest part: one mutex, one map. Each twin hides the verb it breaks.
class honest_store {
 public:
  using key_type = std::uint64_t;
  using value_type = std::int64_t;
  using result = put_result<value_type>;
  static constexpr bool may_lose_answers = false;

  view<value_type> read(key_type key) const {
    const std::lock_guard lock(mutex_);
    return show(find(key));
  }
  version put(key_type key, value_type value) {
    const std::lock_guard lock(mutex_);
    return version::from_u64(write(key, value, true));
  }
  result put(key_type key, value_type value, if_match at) {
    return put_where(key, value, [at](const state& s) { return matches(s, at); });
  }
  result put(key_type key, value_type value, if_absent_t) {
    return put_where(key, value, [](const state& s) { return !s.present; });
  }
  result put(key_type key, value_type value, if_present_t) {
    return put_where(key, value, [](const state& s) { return s.present; });
  }
  view<value_type> erase(key_type key) {
    const std::lock_guard lock(mutex_);
    const state before = find(key);
    if (before.present) write(key, 0, false);
    return show(before);
  }
  result erase(key_type key, if_match at) {
    const std::lock_guard lock(mutex_);
    const state now = find(key);
    if (!matches(now, at)) return result::conflict_with(show(now));
    return result::committed_at(version::from_u64(write(key, 0, false)));
  }

 protected:
  struct state {
    std::uint64_t version = 0;
    value_type value = 0;
    bool present = false;
  };

  static bool matches(const state& s, if_match at) {
    return s.present && s.version == at.at.to_u64();
  }
  static view<value_type> show(const state& s) {
    const auto at = version::from_u64(s.version);
    return s.present ? view<value_type>(s.value, at) : view<value_type>(at);
  }
  // The rest with the mutex held.
  state find(key_type key) const {
    const auto found = states_.find(key);
    return found == states_.end() ? state{} : found->second;
  }
  std::uint64_t write(key_type key, value_type value, bool present) {
    state& now = states_[key];
    now = {now.version + 1, value, present};
    return now.version;
  }
  void forget(key_type key) { states_.erase(key); }

  mutable std::mutex mutex_;

 private:
  template <class Holds>
  result put_where(key_type key, value_type value, Holds holds) {
    const std::lock_guard lock(mutex_);
    const state now = find(key);
    if (!holds(now)) return result::conflict_with(show(now));
    return result::committed_at(version::from_u64(write(key, value, true)));
  }

  std::map<key_type, state> states_;
};

// Checks the version, lets go, then stores.
class lost_update_store : public honest_store {
 public:
  using honest_store::put;
  result put(key_type key, value_type value, if_match at) {
    {
      const std::lock_guard lock(mutex_);
      const state now = find(key);
      if (!matches(now, at)) return result::conflict_with(show(now));
    }
    two_.wait();
    return result::committed_at(put(key, value));
  }

 private:
  meeting two_{2};
};

// Checks that the key is absent, lets go, then creates it.
class double_create_store : public honest_store {
 public:
  using honest_store::put;
  result put(key_type key, value_type value, if_absent_t) {
    {
      const std::lock_guard lock(mutex_);
      const state now = find(key);
      if (now.present) return result::conflict_with(show(now));
    }
    two_.wait();
    return result::committed_at(put(key, value));
  }

 private:
  meeting two_{2};
};

// A conflict shows what was there some writes ago.
class stale_conflict_store : public honest_store {
 public:
  using honest_store::put;
  result put(key_type key, value_type value, if_match at) {
    two_.wait();
    const std::lock_guard lock(mutex_);
    const state now = find(key);
    if (!matches(now, at)) return result::conflict_with(show(older_));
    older_ = old_;
    old_ = now;
    return result::committed_at(version::from_u64(write(key, value, true)));
  }

 private:
  meeting two_{2};
  state old_;
  state older_;
};

// Takes version and value at two instants.
class torn_read_store : public honest_store {
 public:
  using honest_store::put;
  view<value_type> read(key_type key) const {
    std::unique_lock lock(mutex_);
    const state first = find(key);
    if (!first.present || commits_ == 0 || torn_) return show(first);
    torn_ = true;
    state second = first;
    for (int turns = 0; turns < 200'000 && second.version == first.version; ++turns) {
      lock.unlock();
      base::thread_yield();
      lock.lock();
      second = find(key);
    }
    return show({first.version, second.value, first.present});
  }
  result put(key_type key, value_type value, if_match at) {
    auto made = honest_store::put(key, value, at);
    const std::lock_guard lock(mutex_);
    if (made) ++commits_;
    return made;
  }

 private:
  mutable bool torn_ = false;
  std::uint64_t commits_ = 0;
};

// Forgets the version with the key.
class version_reset_store : public honest_store {
 public:
  view<value_type> erase(key_type key) {
    const std::lock_guard lock(mutex_);
    const state before = find(key);
    forget(key);
    return show(before);
  }
  result erase(key_type key, if_match at) {
    const std::lock_guard lock(mutex_);
    const state now = find(key);
    if (!matches(now, at)) return result::conflict_with(show(now));
    forget(key);
    return result::committed_at(version::from_u64(now.version + 1));
  }
};

}  // namespace ratchet::inline RATCHET_ABI::harness::twins
