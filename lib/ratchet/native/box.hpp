// Values on their way into a slot and out of it: inlined ones as bits, all others in boxes.
#pragma once

#include <ratchet/core/entry.hpp>
#include <ratchet/native/memory.hpp>
#include <ratchet/native/slot.hpp>
#include <ratchet/native/waiting_list.hpp>

#include <cstring>
#include <new>

namespace ratchet::inline RATCHET_ABI::native {

// An immutable value outside its slot; replaced as a whole, retired by who replaced it.
template <class V>
class box : public retired {
 public:
  static box* make(memory& from, V&& value) {
    void* block = from.allocate(sizeof(box), alignof(box));
    base::note_allocated(block, sizeof(box));
    try {
      return new (block) box(std::move(value));
    } catch (...) {
      free(block, from);
      throw;
    }
  }
  static void destroy(box* dead, memory& to) noexcept(!RATCHET_EXPLORE) {
    dead->~box();
    free(dead, to);
  }
  static box* from_payload(std::uint64_t payload) noexcept {
    return reinterpret_cast<box*>(payload);
  }
  [[nodiscard]] std::uint64_t payload() const noexcept {
    return reinterpret_cast<std::uint64_t>(this);
  }

  V value;

 private:
  explicit box(V&& from) : value(std::move(from)) {}
  static void free(void* block, memory& to) noexcept(!RATCHET_EXPLORE) {
    base::note_released(block, sizeof(box));
    to.deallocate(block, sizeof(box), alignof(box));
  }
};

template <class V>
inline constexpr kind kind_of = is_inlined<V> ? kind::inlined : kind::boxed;

template <class V>
[[nodiscard]] V decode(std::uint64_t payload) noexcept {
  alignas(V) std::byte bytes[sizeof(V)];
  std::memcpy(bytes, &payload, sizeof(V));
  return *std::launder(reinterpret_cast<V*>(bytes));
}

template <class V>
[[nodiscard]] std::uint64_t encode(const V& value) noexcept {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(V));
  return bits;
}

// A value that is to be stored: nothing is boxed before it is known that a write will be tried.
template <class V>
class pending_value {
 public:
  pending_value(V& value, memory& from) noexcept : value_(value), memory_(from) {}
  pending_value(const pending_value&) = delete;
  pending_value& operator=(const pending_value&) = delete;
  ~pending_value() noexcept(!RATCHET_EXPLORE) {
    if (box_ != nullptr) box<V>::destroy(box_, memory_);
  }

  [[nodiscard]] std::uint64_t payload() {
    if constexpr (is_inlined<V>) {
      return encode(value_);
    } else {
      if (box_ == nullptr) box_ = box<V>::make(memory_, std::move(value_));
      return box_->payload();
    }
  }
  // The slot owns the box now.
  void stored() noexcept { box_ = nullptr; }
  // The value, wherever it is.
  [[nodiscard]] V&& take_back() noexcept {
    return std::move(box_ != nullptr ? box_->value : value_);
  }

 private:
  V& value_;
  memory& memory_;
  box<V>* box_ = nullptr;
};

}  // namespace ratchet::inline RATCHET_ABI::native
