// Programs over the shipped store, and the question whether what its callers saw can be explained
// by one order.
#pragma once

#include <harness/explore/execution_memory.hpp>
#include <harness/explore/explorer.hpp>
#include <ratchet/native/store.hpp>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace world {

namespace explore = ratchet::explore;
using ratchet::if_absent;
using ratchet::if_match;
using ratchet::version;

// Keys say where they live: the hash is the key's high byte, so that a test chooses buckets and
// collisions.
struct placed_hash {
  std::uint64_t operator()(std::uint64_t key, std::uint64_t) const noexcept { return key << 56; }
};
struct placed : ratchet::options {
  using hash = placed_hash;
};

// A boxed value that knows whether it is alive: its bytes outlast it, so that a use after its end
// is seen.
struct witness {
  std::uint64_t value = 0;
  std::uint64_t alive = 0x600d;
  explicit witness(std::uint64_t v) : value(v) {}
  witness(const witness& other) : value(other.checked()) {}
  witness(witness&& other) noexcept : value(other.value) {}
  witness& operator=(const witness&) = delete;
  ~witness() { alive = 0xdead; }
  [[nodiscard]] std::uint64_t checked() const {
    explore::touched(this, sizeof *this);
    explore::require(alive == 0x600d, "a value is used after its end");
    return value;
  }
};
inline std::uint64_t number_of(std::uint64_t value) { return value; }
inline std::uint64_t number_of(const witness& value) { return value.checked(); }

enum class verb { get, get_by_new_handle, put, put_match, put_absent, erase, erase_match, reclaim };

struct call {
  verb what;
  std::uint64_t key = 1;
  bool by_handle = false;
};

struct answer {
  call made;
  std::uint64_t token = 0;  // expected version
  std::uint64_t value = 0;  // written
  bool committed = false;
  bool present = false;  // what was seen or removed
  std::uint64_t seen_value = 0;
  std::uint64_t at = 0;  // version committed, or seen
  explore::moment started{};
  explore::moment ended{};
};

struct key_state {
  bool present = false;
  std::uint64_t at = 0;
  std::uint64_t value = 0;
};
using all_keys = std::map<std::uint64_t, key_state>;

// Whether the answer is right if the call takes effect on this state; changes the state if it is.
inline bool explains(const answer& a, key_state& now) {
  const bool shows_now =
      a.present == now.present && (!a.present || (a.at == now.at && a.seen_value == now.value));
  const auto become = [&](bool present) {
    // A record dropped and made anew starts above the floor: higher, by one or more.
    const bool right =
        now.present || a.made.what == verb::erase ? a.at == now.at + 1 : a.at > now.at;
    now = {present, a.at, a.value};
    return right;
  };
  switch (a.made.what) {
    case verb::get:
    case verb::get_by_new_handle:
      return shows_now;
    case verb::put:
      return become(true);
    case verb::put_match: {
      const bool holds = now.present && now.at == a.token;
      if (!a.committed) return !holds && shows_now;
      return holds && become(true);
    }
    case verb::put_absent:
      if (!a.committed) return now.present && shows_now;
      return !now.present && become(true);
    case verb::erase:
      if (!shows_now) return false;
      if (now.present) now = {false, now.at + 1, 0};
      return true;
    case verb::erase_match: {
      const bool holds = now.present && now.at == a.token;
      if (!a.committed) return !holds && shows_now;
      return holds && become(false);
    }
    case verb::reclaim:
      return true;
  }
  return false;
}

inline bool writes(const answer& a) {
  switch (a.made.what) {
    case verb::get:
    case verb::get_by_new_handle:
    case verb::reclaim:
      return false;
    case verb::put:
      return true;
    case verb::erase:
      return a.present;
    default:
      return a.committed;
  }
}

// Tries every order that keeps calls apart which did not overlap. What wrote nothing and is right
// now is taken at once: it is in nobody's way.
inline bool linearizable(std::vector<answer> left, const all_keys& now, const all_keys& end) {
  if (left.empty()) {
    return std::all_of(end.begin(), end.end(), [&](const auto& one) {
      const auto found = now.find(one.first);
      const key_state mine = found == now.end() ? key_state{} : found->second;
      return mine.present == one.second.present &&
             (!mine.present || (mine.at == one.second.at && mine.value == one.second.value));
    });
  }
  std::stable_partition(left.begin(), left.end(), [](const answer& a) { return !writes(a); });
  for (std::size_t i = 0; i < left.size(); ++i) {
    const bool first = std::none_of(left.begin(), left.end(), [&](const answer& other) {
      return &other != &left[i] && explore::before(other.ended, left[i].started);
    });
    if (!first) continue;
    all_keys next = now;
    if (!explains(left[i], next[left[i].made.key])) continue;
    std::vector<answer> rest = left;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (linearizable(std::move(rest), next, end)) return true;
    if (!writes(left[i])) return false;
  }
  return false;
}

// In time, all calls have one order. With older values there is no time, and each key has an order
// of its own that agrees with what happened before; more is not promised (clause L).
inline bool explained(const std::vector<answer>& all, const all_keys& initial, const all_keys& end,
                      explore::memory memory) {
  if (memory != explore::memory::older_values) return linearizable(all, initial, end);
  return std::all_of(initial.begin(), initial.end(), [&](const auto& one) {
    std::vector<answer> of_key;
    std::copy_if(all.begin(), all.end(), std::back_inserter(of_key),
                 [&](const answer& a) { return a.made.key == one.first; });
    return linearizable(of_key, {one}, {*end.find(one.first)});
  });
}

// One store, what was in it at the start, and what its callers saw.
template <class Value>
class program_over {
 public:
  using store = ratchet::store<std::uint64_t, Value, placed>;
  using handle = typename store::handle;

  // `before` runs unscheduled on the new store; handles are taken after it.
  program_over(std::function<void(store&)> before, std::vector<std::vector<call>> threads)
      : before_(std::move(before)), calls_(std::move(threads)) {}

  explore::program get() {
    explore::program p;
    p.setup = [this] { begin(); };
    for (std::size_t t = 0; t < calls_.size(); ++t) p.threads.push_back([this, t] { run(t); });
    p.probe = [this] { look(); };
    p.finish = [this] { check(); };
    p.teardown = [this] {
      handles_.destroy();
      store_.destroy();
    };
    return p;
  }

 private:
  void begin() {
    ratchet::native::forget_threads();
    ratchet::native::set_this_thread_record(nullptr);
    answers_.clear();
    initial_.clear();
    handles_.emplace();
    store_.emplace(ratchet::config{.memory = &explore::memory_of_execution(), .hash_seed = 0});
    before_(*store_);
    for (const auto& calls : calls_)
      for (const call& one : calls) initial_[one.key] = state_of(one.key);
    for (std::size_t t = 0; t < calls_.size(); ++t)
      for (const call& one : calls_[t])
        if (one.by_handle && !handles_->contains({t, one.key}))
          handles_->emplace(std::pair{t, one.key}, store_->at(one.key));
    // Each thread gets a record made here: attaching has programs of its own. What is looked at
    // between the steps has the one that setup made.
    auto* const mine = ratchet::native::this_thread_record();
    records_.assign(calls_.size(), nullptr);
    for (auto& record : records_) {
      ratchet::native::set_this_thread_record(nullptr);
      record = &ratchet::native::attach_thread();
    }
    ratchet::native::set_this_thread_record(mine);
    seen_ = initial_;
  }

  // At every instant each key has one state: its version never goes back, and one version is one
  // value.
  void look() {
    for (auto& [key, before] : seen_) {
      const key_state now = state_of(key);
      if (now.at == 0) continue;  // without a record there is no version to see
      explore::require(now.at >= before.at, "a version goes back");
      explore::require(
          now.at > before.at || (now.present == before.present && now.value == before.value),
          "one version has two states");
      before = now;
    }
  }

  key_state state_of(std::uint64_t key) {
    const auto seen = store_->read(key);
    return {static_cast<bool>(seen), seen.version().to_u64(), seen ? number_of(*seen) : 0};
  }

  void run(std::size_t thread) {
    ratchet::native::set_this_thread_record(records_[thread]);
    std::map<std::uint64_t, std::uint64_t> tokens;
    for (const auto& [key, state] : initial_) tokens[key] = state.at;
    std::uint64_t number = 10 * (thread + 1);
    for (const call& one : calls_[thread]) {
      answer a{.made = one, .token = tokens[one.key], .value = ++number};
      a.started = explore::this_moment();
      if (one.by_handle)
        perform(a, handles_->at({thread, one.key}));
      else
        perform(a, by_key{*store_, one.key});
      a.ended = explore::this_moment();
      if (a.present || a.committed) tokens[one.key] = a.at;
      answers_.push_back(a);
    }
  }

  struct by_key {
    store& in;
    std::uint64_t key;
    auto read() { return in.read(key); }
    auto put(Value v) { return in.put(key, std::move(v)); }
    auto put(Value v, if_match c) { return in.put(key, std::move(v), c); }
    auto put(Value v, ratchet::if_absent_t c) { return in.put(key, std::move(v), c); }
    auto erase() { return in.erase(key); }
    auto erase(if_match c) { return in.erase(key, c); }
  };

  template <class Place>
  void perform(answer& a, Place&& place) {
    const auto token = if_match(version::from_u64(a.token));
    switch (a.made.what) {
      case verb::get:
        note(a, place.read());
        break;
      case verb::get_by_new_handle: {
        const auto taken = store_->at(a.made.key);
        note(a, taken.read());
        break;
      }
      case verb::put:
        a.at = place.put(Value(a.value)).to_u64();
        break;
      case verb::put_match:
        note(a, place.put(Value(a.value), token));
        break;
      case verb::put_absent:
        note(a, place.put(Value(a.value), if_absent));
        break;
      case verb::erase:
        note(a, place.erase());
        break;
      case verb::erase_match:
        note(a, place.erase(token));
        break;
      case verb::reclaim:
        store_->reclaim();
        break;
    }
  }
  static void note(answer& a, const ratchet::view<Value>& seen) {
    a.present = static_cast<bool>(seen);
    a.at = seen.version().to_u64();
    if (a.present) a.seen_value = number_of(*seen);
  }
  static void note(answer& a, const ratchet::put_result<Value>& result) {
    a.committed = static_cast<bool>(result);
    if (a.committed)
      a.at = result.version().to_u64();
    else
      note(a, result.current());
    explore::require(
        a.committed || !a.present || a.token != a.at || a.made.what == verb::put_absent,
        "a conflict shows the version that was expected");
  }

  void check() {
    if (explore::stopped_thread()) return;  // its last call may or may not have happened
    all_keys end;
    for (const auto& [key, state] : initial_) end[key] = state_of(key);
    explore::require(explained(answers_, initial_, end, explore::memory_mode()),
                     "no order explains the answers");
    std::size_t counted = 0;
    store_->for_each([&](std::uint64_t, const Value&, version) { ++counted; });
    explore::require(counted == store_->size(), "size differs from what for_each shows");
  }

  std::function<void(store&)> before_;
  std::vector<std::vector<call>> calls_;
  explore::shared_state<store> store_;
  explore::shared_state<std::map<std::pair<std::size_t, std::uint64_t>, handle>> handles_;
  std::vector<ratchet::native::thread_record*> records_;
  std::vector<answer> answers_;
  all_keys initial_;
  all_keys seen_;  // by the probe, last
};

using inlined = program_over<std::uint64_t>;
using boxed = program_over<witness>;

}  // namespace world
