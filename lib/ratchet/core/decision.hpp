// What the function given to `mutate` wants done, and the answer it carries out.
#pragma once

#include <ratchet/core/value_traits.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

namespace ratchet::inline RATCHET_ABI {

using no_answer = std::monostate;

enum class intent : std::uint8_t { put, erase, keep };

// put: store this value (creates the key where it is absent). erase: remove the key (absent:
// nothing to do).
// keep: write nothing.
template <class V, class R = no_answer>
class [[nodiscard]] decision {
 public:
  using value_type = V;
  using answer_type = R;

  [[nodiscard]] static decision put(V value, R answer = R()) {
    return decision(ratchet::intent::put, std::optional<V>(std::move(value)), std::move(answer));
  }
  [[nodiscard]] static decision erase(R answer = R()) {
    return decision(ratchet::intent::erase, std::nullopt, std::move(answer));
  }
  [[nodiscard]] static decision keep(R answer = R()) {
    return decision(ratchet::intent::keep, std::nullopt, std::move(answer));
  }

  [[nodiscard]] ratchet::intent intent() const noexcept { return intent_; }
  [[nodiscard]] V& value() noexcept { return *value_; }
  [[nodiscard]] const V& value() const noexcept { return *value_; }
  [[nodiscard]] R& answer() noexcept { return answer_; }
  [[nodiscard]] const R& answer() const noexcept { return answer_; }

 private:
  decision(ratchet::intent wanted, std::optional<V> value, R answer)
      : intent_(wanted), value_(std::move(value)), answer_(std::move(answer)) {}

  ratchet::intent intent_;
  std::optional<V> value_;
  R answer_;
};

}  // namespace ratchet::inline RATCHET_ABI
