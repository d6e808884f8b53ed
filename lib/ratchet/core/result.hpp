// What a conditional write answers.
#pragma once

#include <ratchet/core/entry.hpp>

#include <optional>

namespace ratchet::inline RATCHET_ABI {

enum class outcome : std::uint8_t {
  committed,
  conflict,  // the condition did not hold: nothing was written, and `current` shows what is there
  // The answer was lost on the way: it may or may not have committed. Only where
  // S::may_lose_answers.
  unknown,
};

// `bool` means committed. A conflict is no error: it hands back what won, as one atomic observation
// that was current at an instant inside the call, and the value that was not stored.
template <class V>
class [[nodiscard]] put_result {
 public:
  [[nodiscard]] static put_result committed_at(ratchet::version at) noexcept {
    return put_result(outcome::committed, view<V>(at));
  }
  [[nodiscard]] static put_result conflict_with(view<V> won) noexcept {
    return put_result(outcome::conflict, std::move(won));
  }
  [[nodiscard]] static put_result conflict_with(view<V> won, V&& not_stored) {
    put_result made(outcome::conflict, std::move(won));
    made.rejected_.emplace(std::move(not_stored));
    return made;
  }
  [[nodiscard]] static put_result lost() noexcept {
    return put_result(outcome::unknown, view<V>());
  }

  explicit operator bool() const noexcept { return outcome_ == outcome::committed; }
  [[nodiscard]] ratchet::outcome outcome() const noexcept { return outcome_; }
  // Committed: the version this write made. Conflict: the version that won. Unknown: none.
  [[nodiscard]] ratchet::version version() const noexcept { return current_.version(); }
  // Conflict: what is there now. Otherwise empty.
  [[nodiscard]] const view<V>& current() const& noexcept { return current_; }
  [[nodiscard]] view<V> current() && noexcept { return std::move(current_); }
  // The value a put did not store; null after a commit, an unknown outcome or an erase.
  [[nodiscard]] V* rejected() noexcept { return rejected_ ? std::addressof(*rejected_) : nullptr; }

 private:
  put_result(ratchet::outcome how, view<V> current) noexcept
      : outcome_(how), current_(std::move(current)) {}

  ratchet::outcome outcome_;
  view<V> current_;
  std::optional<V> rejected_;
};

}  // namespace ratchet::inline RATCHET_ABI
