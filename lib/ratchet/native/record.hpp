// A key's home in memory: stable address, one cache line for keys of up to 24 bytes.
//
//   0  retired link | hash | slot (16) | pins : 4 | key size : 4 | key bytes (24), or their address
// 64

#pragma once

#include <ratchet/core/hash.hpp>
#include <ratchet/core/key_traits.hpp>
#include <ratchet/native/memory.hpp>
#include <ratchet/native/slot.hpp>
#include <ratchet/native/waiting_list.hpp>

#include <memory>
#include <new>

namespace ratchet::inline RATCHET_ABI::native {

// The key of a record, in the form it is compared in. Any type; bytes for strings.
template <class Key>
class key_holder {
 public:
  key_holder(const auto& key, memory&) : key_(canonical<Key>(key)) {}
  [[nodiscard]] const Key& get() const noexcept { return key_; }
  [[nodiscard]] const Key& made() const noexcept { return key_; }
  void free_with(memory&) noexcept {}
  [[nodiscard]] std::size_t outside_bytes() const noexcept { return 0; }

 private:
  Key key_;
};

template <string_like Key>
class key_holder<Key> {
 public:
  key_holder(const auto& key, memory& from) {
    const std::string_view bytes = canonical<Key>(key);
    if (bytes.size() > key_bytes_max)
      throw limit_error(limit::key_bytes, "the key has " + std::to_string(bytes.size()) +
                                              " bytes, accepted are 0 to " +
                                              std::to_string(key_bytes_max));
    size_ = static_cast<std::uint32_t>(bytes.size());
    char* at = inside_;
    if (size_ > sizeof inside_) {
      at = static_cast<char*>(from.allocate(size_, 1));
      std::memcpy(inside_, &at, sizeof at);
    }
    if (size_ != 0) std::memcpy(at, bytes.data(), size_);
  }
  [[nodiscard]] std::string_view get() const noexcept { return {data(), size_}; }
  [[nodiscard]] Key made() const { return Key(get()); }
  void free_with(memory& from) noexcept {
    if (outside_bytes() != 0) from.deallocate(const_cast<char*>(data()), size_, 1);
  }
  [[nodiscard]] std::size_t outside_bytes() const noexcept {
    return size_ > sizeof inside_ ? size_ : 0;
  }

 private:
  static constexpr std::size_t key_bytes_max = 0xffffffff;

  [[nodiscard]] const char* data() const noexcept {
    if (size_ <= sizeof inside_) return inside_;
    const char* at;
    std::memcpy(&at, inside_, sizeof at);
    return at;
  }

  std::uint32_t size_;  // 32 bits: longer keys are refused above
  char inside_[24];
};

template <class Key>
class alignas(limits::cache_line_bytes) record : public retired {
  static_assert(alignof(Key) <= limits::cache_line_bytes,
                "ratchet: a key's alignment is at most 64: records are placed on cache lines");

 public:
  record(const auto& named, std::uint64_t key_hash, memory& from)
      : hash(key_hash), state(slot_state()), key(named, from) {}

  const std::uint64_t hash;
  slot state;
  // Handles that name this record, and walks that show it. A retired record with pins stays. 32
  // bits: a pin beyond limits::pins_max is refused.
  base::atomic<std::uint32_t> pins;
  key_holder<Key> key;
};

}  // namespace ratchet::inline RATCHET_ABI::native
