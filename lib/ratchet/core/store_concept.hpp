// What a pattern asks of a store, and all it may use.
#pragma once

#include <ratchet/core/condition.hpp>
#include <ratchet/core/result.hpp>

#include <concepts>

namespace ratchet::inline RATCHET_ABI {

template <class S>
using key_of = typename S::key_type;
template <class S>
using value_of = typename S::value_type;

// Reads show one atomic observation; conditional writes commit only under their condition. A store
// whose answers can be lost on the way (`may_lose_answers`) may answer `outcome::unknown`.
template <class S>
concept versioned_store = requires(S& store, const key_of<S>& key, value_of<S> value, if_match at) {
  { S::may_lose_answers } -> std::convertible_to<bool>;
  { store.read(key) } -> std::same_as<view<value_of<S>>>;
  { store.put(key, std::move(value), at) } -> std::same_as<put_result<value_of<S>>>;
  { store.put(key, std::move(value), if_absent) } -> std::same_as<put_result<value_of<S>>>;
  { store.erase(key, at) } -> std::same_as<put_result<value_of<S>>>;
};

}  // namespace ratchet::inline RATCHET_ABI
