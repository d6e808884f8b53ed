// Read, decide, write if nobody wrote since, again on conflict: the only loop around a conditional
// put.
#pragma once

#include <ratchet/base/backoff.hpp>
#include <ratchet/base/limits.hpp>
#include <ratchet/core/decision.hpp>
#include <ratchet/core/store_concept.hpp>

#include <chrono>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <stop_token>

namespace ratchet::inline RATCHET_ABI {

// When to stop trying. Zeros and a default token mean: attempts_max = limits::attempts_default, no
// budget, no stop. At least one attempt is always made.
struct retry {
  std::uint32_t attempts_max = 0;
  std::chrono::nanoseconds budget{0};
  std::stop_token stop{};
};

enum class mutated : std::uint8_t {
  applied,    // f's put or erase committed
  unchanged,  // f wanted nothing written, or erased an absent key
  contended,  // gave up by `retry`: nothing was written
  unknown,    // the store lost the answer of a write, which may or may not have committed
};

template <class R>
struct [[nodiscard]] mutate_result {
  ratchet::mutated mutated = mutated::contended;
  // What f answered in the attempt that decided; empty when contended.
  std::optional<R> answer = std::nullopt;
  // Applied: the version committed. Otherwise: the version last seen.
  ratchet::version version{};
  std::uint32_t attempts = 0;

  explicit operator bool() const noexcept { return mutated == ratchet::mutated::applied; }
};

#ifdef NDEBUG
inline constexpr bool check_purity_by_default = false;
#else
inline constexpr bool check_purity_by_default = true;
#endif

namespace detail {

template <class T>
inline constexpr bool is_decision = false;
template <class V, class R>
inline constexpr bool is_decision<decision<V, R>> = true;

// A function that returns a plain value means: put it.
template <class V, class T>
auto as_decision(T&& wanted) {
  if constexpr (is_decision<std::remove_cvref_t<T>>)
    return std::forward<T>(wanted);
  else
    return decision<V>::put(std::forward<T>(wanted));
}

// Pointers compare by identity, which two calls that each allocate do not share.
template <class T>
concept compares_by_identity = requires(const T& value) {
  *value;
  { value == nullptr } -> std::convertible_to<bool>;
};

// What is not even equal to itself (a NaN) says nothing.
template <class T>
bool same_where_comparable(const T& a, const T& b) {
  if constexpr (std::equality_comparable<T> && !compares_by_identity<T>)
    return a == b || (!(a == a) && !(b == b));
  else
    return true;
}

template <class V, class R>
bool same_decision(const decision<V, R>& a, const decision<V, R>& b) {
  if (a.intent() != b.intent() || !same_where_comparable(a.answer(), b.answer())) return false;
  return a.intent() != intent::put || same_where_comparable(a.value(), b.value());
}

// f may run many times, so it must depend on its arguments alone. Checked by calling it twice.
template <bool CheckPurity, class V, class Decide>
auto decide(Decide& call) {
  auto wanted = as_decision<V>(call());
  if constexpr (CheckPurity) {
    if (!same_decision(wanted, as_decision<V>(call()))) {
      std::fputs(
          "ratchet: the function given to mutate answered two equal calls differently; it may run "
          "many times and must depend on its arguments alone\n",
          stderr);
      std::abort();
    }
  }
  return wanted;
}

template <class S, class V, class R>
put_result<V> write_if_unmoved(S& store, const auto& key, const view<V>& seen,
                               decision<V, R>& wanted) {
  if (wanted.intent() == intent::erase) return store.erase(key, if_match(seen.version()));
  if (seen) return store.put(key, std::move(wanted.value()), if_match(seen.version()));
  return store.put(key, std::move(wanted.value()), if_absent);
}

class patience {
 public:
  explicit patience(const retry& bounds)
      : bounds_(bounds),
        attempts_max_(bounds.attempts_max != 0 ? bounds.attempts_max : limits::attempts_default),
        deadline_(deadline_of(bounds.budget)) {}
  // Asked after each lost attempt.
  [[nodiscard]] bool ends_after(std::uint32_t attempts) const {
    if (attempts >= attempts_max_ || bounds_.stop.stop_requested()) return true;
    return bounds_.budget.count() != 0 && std::chrono::steady_clock::now() >= deadline_;
  }

 private:
  using time_point = std::chrono::steady_clock::time_point;

  // A budget beyond the clock's end never runs out; a negative one has run out.
  static time_point deadline_of(std::chrono::nanoseconds budget) {
    if (budget.count() == 0) return time_point::max();
    const time_point now = std::chrono::steady_clock::now();
    return budget < time_point::max() - now ? now + budget : time_point::max();
  }

  const retry& bounds_;
  std::uint32_t attempts_max_;
  time_point deadline_;
};

template <class V, class Bind>
using answer_of = typename decltype(as_decision<V>(
    std::declval<Bind&>()(std::declval<const V*>())()))::answer_type;

// `bind(value)` is called once an attempt, after the read; what it returns calls the user's
// function. The result is named in the declaration, since clang then makes it in its place: a move
// after the commit could throw.
template <bool CheckPurity, class S, class K, class Bind>
mutate_result<answer_of<value_of<S>, Bind>> mutate_loop(S& store, const K& key, Bind& bind,
                                                        const retry& bounds) {
  using V = value_of<S>;
  view<V> seen = store.read(key);
  const patience limit(bounds);
  base::backoff after_conflict;
  mutate_result<answer_of<V, Bind>> result;
  for (;;) {
    ++result.attempts;
    auto call = bind(seen.get());
    auto wanted = decide<CheckPurity, V>(call);
    // Before the write: what moving the answer throws must find nothing written.
    result.answer.emplace(std::move(wanted.answer()));
    if (wanted.intent() == intent::keep || (wanted.intent() == intent::erase && !seen)) {
      result.mutated = mutated::unchanged;
      result.version = seen.version();
      return result;
    }
    auto written = write_if_unmoved(store, key, seen, wanted);
    if (written.outcome() != outcome::conflict) {
      result.mutated = written ? mutated::applied : mutated::unknown;
      result.version = written ? written.version() : seen.version();
      return result;
    }
    result.version = written.version();
    result.answer.reset();
    if (limit.ends_after(result.attempts)) return result;
    if (result.attempts == 1) {
      seen = std::move(written).current();  // the conflict already paid for what is there now
    } else {
      after_conflict.pause();
      seen = store.read(key);
    }
  }
}

}  // namespace detail

// Effect: replaces the key's value by what `f(const Value*)` makes of it (null when absent); f
//   answers with a Value (put it) or a `decision`.
// Returns: applied | unchanged | contended | unknown, with f's answer and the version. `unknown`
//   only where the store may lose answers; the write is then never repeated.
// Linearization point: the conditional put that committed; when unchanged, the read that f decided
//   on.
// Progress: lock-free: an attempt is lost only to another caller's commit.
// Ordering: f sees everything that happened before the write it reads; a commit is seen by who
//   reads it.
// f: pure, may run many times; debug builds call it twice and compare. It may use any store. What
//   it throws passes through, and nothing was written.
// Lifetime: the pointer f gets is valid during that call.
// Cost: one read and one conditional put an attempt; the second attempt uses what the first
//   conflict showed, later ones back off and read again.
template <bool CheckPurity = check_purity_by_default, versioned_store S, class K, class F>
  requires std::invocable<F&, const value_of<S>*>
[[gnu::always_inline]] inline auto mutate(S& store, const K& key, F&& f, const retry& bounds = {}) {
  auto bind = [&f](const value_of<S>* value) { return [&f, value] { return f(value); }; };
  return detail::mutate_loop<CheckPurity>(store, key, bind, bounds);
}

// As above with `f(const Value*, now)`: the clock is read once an attempt, after the key, so that
// no decision is taken at a time older than the value it is about.
template <bool CheckPurity = check_purity_by_default, versioned_store S, class K, class Clock,
          class F>
  requires requires(Clock& clock, F& f, const value_of<S>* value) { f(value, clock.now()); }
[[gnu::always_inline]] inline auto mutate(S& store, const K& key, Clock& clock, F&& f,
                                          const retry& bounds = {}) {
  auto bind = [&f, &clock](const value_of<S>* value) {
    return [&f, value, now = clock.now()] { return f(value, now); };
  };
  return detail::mutate_loop<CheckPurity>(store, key, bind, bounds);
}

}  // namespace ratchet::inline RATCHET_ABI
