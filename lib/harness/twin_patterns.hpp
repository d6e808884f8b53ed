// Patterns broken on purpose, one fault each, on an honest store.
#pragma once

#include <harness/meeting.hpp>
#include <harness/workload_limiter.hpp>
#include <harness/workload_wallet.hpp>

#include <memory>

namespace ratchet::inline RATCHET_ABI::harness::twins {

// All callers of a round, between what they decided on and what they do.
template <class Base>
struct everybody_meets : Base {
  everybody_meets(std::uint32_t callers_wanted, std::uint32_t limit_wanted)
      : Base{callers_wanted, limit_wanted} {}

  template <class S>
  void prepare(S& store, const key_of<S>& key, std::uint32_t round) const {
    all = std::make_unique<meeting>(this->callers);
    Base::prepare(store, key, round);
  }

  mutable std::unique_ptr<meeting> all;
};

// Looks at the balance once, outside the loop that takes from it.
struct overdraft_wallet : everybody_meets<wallet_scenario> {
  static constexpr std::string_view name = "twin:overdraft";
  using everybody_meets::everybody_meets;

  template <class S, class Caller>
  void call(S& store, const key_of<S>& key, Caller&, answer_counts& counted) const {
    const auto seen = store.read(key);
    const bool covered = seen && *seen >= 1;
    all->wait();
    if (!covered) {
      ++counted.refused;
      return;
    }
    (void)mutate(store, key, [](const std::int64_t* balance) { return *balance - 1; });
    ++counted.done;
  }
};

// Reads the count, then writes it without a condition.
struct over_grant_limiter : everybody_meets<limiter_scenario> {
  static constexpr std::string_view name = "twin:over-grant";
  using everybody_meets::everybody_meets;

  template <class S, class Caller>
  void call(S& store, const key_of<S>& key, Caller&, answer_counts& counted) const {
    const auto seen = store.read(key);
    const value_of<S> granted = seen ? *seen : 0;
    all->wait();
    if (granted >= static_cast<value_of<S>>(limit)) {
      ++counted.refused;
      return;
    }
    store.put(key, granted + 1);
    ++counted.done;
  }
};

// A store as one caller sees it, who after each read waits for the others to have read.
template <class S>
class read_together {
 public:
  using key_type = key_of<S>;
  using value_type = value_of<S>;
  static constexpr bool may_lose_answers = S::may_lose_answers;

  read_together(S& store, meeting& all) noexcept : store_(store), all_(all) {}
  view<value_type> read(const key_type& key) const {
    auto seen = store_.read(key);
    all_.wait();
    return seen;
  }
  template <class Condition>
  put_result<value_type> put(const key_type& key, value_type value, Condition condition) {
    return store_.put(key, value, condition);
  }
  put_result<value_type> erase(const key_type& key, if_match at) { return store_.erase(key, at); }

 private:
  S& store_;
  meeting& all_;
};

// Takes "gave up" for permission.
struct contended_grant_limiter : everybody_meets<limiter_scenario> {
  static constexpr std::string_view name = "twin:contended-grant";
  using everybody_meets::everybody_meets;

  template <class S, class Caller>
  void call(S& store, const key_of<S>& key, Caller&, answer_counts& counted) const {
    read_together<S> together(store, *all);
    ceiling limiter(together);
    using verdict = typename decltype(limiter)::verdict;
    const auto got =
        limiter.try_acquire(key, static_cast<value_of<S>>(limit), 1, {.attempts_max = 1});
    const bool granted = got.verdict == verdict::granted || got.verdict == verdict::contended;
    ++(granted ? counted.done : counted.refused);
  }
};

// Notes a denial in the record.
struct writing_denial_limiter : limiter_scenario {
  static constexpr std::string_view name = "twin:writing-denial";
  writing_denial_limiter(std::uint32_t callers_wanted, std::uint32_t limit_wanted)
      : limiter_scenario{callers_wanted, limit_wanted} {}

  template <class S, class Caller>
  void call(S& store, const key_of<S>& key, Caller&, answer_counts& counted) const {
    const auto all_granted = static_cast<value_of<S>>(limit);
    using decided = decision<value_of<S>, bool>;
    const auto result = mutate(store, key, [=](const value_of<S>* granted) {
      const value_of<S> taken = granted != nullptr ? *granted : 0;
      return taken < all_granted ? decided::put(taken + 1, true) : decided::put(taken, false);
    });
    ++(*result.answer ? counted.done : counted.refused);
  }
};

// Always starts without the key, for the twin that breaks creation.
struct cold_limiter : limiter_scenario {
  static constexpr std::string_view name = "twin:double-create";
  cold_limiter(std::uint32_t callers_wanted, std::uint32_t limit_wanted)
      : limiter_scenario{callers_wanted, limit_wanted} {}

  static bool cold(std::uint32_t) noexcept { return true; }
  template <class S>
  void prepare(S&, const key_of<S>&, std::uint32_t) const {}
};

}  // namespace ratchet::inline RATCHET_ABI::harness::twins
