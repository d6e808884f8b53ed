// What a read hands out: `entry` is a copy, `view` pins the value where it lies.
#pragma once

#include <ratchet/core/value_traits.hpp>
#include <ratchet/core/version.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace ratchet::inline RATCHET_ABI {

// Keeps whatever a view points to from being destroyed, and lets go of it once. Which store lent it
// does not show: a hazard pointer's cell, a shared owner, a buffer.
class pin {
 public:
  using release_function = void (*)(void* lender) noexcept;

  constexpr pin() noexcept = default;
  pin(void* lender, release_function let_go) noexcept : lender_(lender), let_go_(let_go) {}
  pin(pin&& other) noexcept
      : lender_(std::exchange(other.lender_, nullptr)), let_go_(other.let_go_) {}
  pin& operator=(pin&& other) noexcept {
    pin taken(std::move(other));
    std::swap(lender_, taken.lender_);
    std::swap(let_go_, taken.let_go_);
    return *this;
  }
  ~pin() {
    if (lender_ != nullptr) let_go_(lender_);
  }

 private:
  void* lender_ = nullptr;
  release_function let_go_ = nullptr;
};

namespace detail {

// Not a std::optional: g++ 12 at -O3 takes copies of one that holds less than 8 bytes for reads of
// what was never written, says so in its user's code, and drops the write (tests/unit/shape_unit).
template <class V>
class inlined_value {
 public:
  inlined_value() noexcept : none_(0) {}
  explicit inlined_value(const V& value) noexcept : present_(true), value_(value) {}
  [[nodiscard]] const V* get() const noexcept {
    return present_ ? std::addressof(value_) : nullptr;
  }

 private:
  bool present_ = false;
  union {
    char none_;
    V value_;
  };
};

template <class V>
class pinned_value {
 public:
  pinned_value() noexcept = default;
  pinned_value(const V* value, pin held) noexcept : value_(value), held_(std::move(held)) {}
  pinned_value(pinned_value&& other) noexcept
      : value_(std::exchange(other.value_, nullptr)), held_(std::move(other.held_)) {}
  pinned_value& operator=(pinned_value&& other) noexcept {
    value_ = std::exchange(other.value_, nullptr);
    held_ = std::move(other.held_);
    return *this;
  }
  [[nodiscard]] const V* get() const noexcept { return value_; }

 private:
  const V* value_ = nullptr;
  pin held_;
};

}  // namespace detail

// A value and its version as one atomic observation, without a copy: an inlined value by value, a
// boxed one pinned where it lies. Move-only; may change thread; must end before its store. While it
// lives the value it shows stays as it was, whatever is written meanwhile.
template <class V>
class view {
 public:
  view() noexcept = default;
  // Absent; `at` is the version of the erase, or none.
  explicit view(ratchet::version at) noexcept : version_(at) {}
  view(const V& value, ratchet::version at) noexcept
    requires(is_inlined<V>)
      : value_(value), version_(at) {}
  view(const V* value, ratchet::version at, pin held) noexcept
    requires(!is_inlined<V>)
      : value_(value, std::move(held)), version_(at) {}
  view(view&&) noexcept = default;
  view& operator=(view&&) noexcept = default;

  // Present?
  explicit operator bool() const noexcept { return value_.get() != nullptr; }
  const V& operator*() const noexcept { return *value_.get(); }
  const V* operator->() const noexcept { return value_.get(); }
  // Null when absent.
  [[nodiscard]] const V* get() const noexcept { return value_.get(); }
  // Of an absent key: the erase's version, or none where no record of it is left.
  [[nodiscard]] ratchet::version version() const noexcept { return version_; }

 private:
  std::conditional_t<is_inlined<V>, detail::inlined_value<V>, detail::pinned_value<V>> value_;
  ratchet::version version_;
};

// A copy: any thread, any lifetime, also after its store.
template <class V>
class [[nodiscard]] entry {
 public:
  entry() noexcept = default;
  explicit entry(const view<V>& seen) : version_(seen.version()) {
    if (seen) value_.emplace(*seen);
  }

  explicit operator bool() const noexcept { return value_.has_value(); }
  const V& operator*() const noexcept { return *value_; }
  const V* operator->() const noexcept { return std::addressof(*value_); }
  [[nodiscard]] const V* get() const noexcept { return value_ ? std::addressof(*value_) : nullptr; }
  [[nodiscard]] ratchet::version version() const noexcept { return version_; }

 private:
  std::optional<V> value_;
  ratchet::version version_;
};

}  // namespace ratchet::inline RATCHET_ABI
