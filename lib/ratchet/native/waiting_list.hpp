// Objects that were unlinked and wait until no hazard names them: a stack that everybody pushes to
// and a reclaimer takes whole.
#pragma once

#include <ratchet/base/word128.hpp>
#include <ratchet/native/hazard.hpp>

namespace ratchet::inline RATCHET_ABI::native {

// What an object is, in the low bits of the pointers to it.
enum class retired_kind : std::uint8_t { box = 0, record = 1, table = 2 };

class retired;

// A pointer to a waiting object and what it is.
class retired_ref {
 public:
  constexpr retired_ref() noexcept = default;
  explicit constexpr retired_ref(std::uintptr_t bits) noexcept : bits_(bits) {}
  retired_ref(retired* object, retired_kind kind) noexcept
      : bits_(reinterpret_cast<std::uintptr_t>(object) | static_cast<std::uintptr_t>(kind)) {}

  [[nodiscard]] retired* get() const noexcept { return reinterpret_cast<retired*>(bits_ & ~mask); }
  [[nodiscard]] retired_kind kind() const noexcept {
    return static_cast<retired_kind>(bits_ & mask);
  }
  [[nodiscard]] constexpr std::uintptr_t bits() const noexcept { return bits_; }
  explicit constexpr operator bool() const noexcept { return bits_ != 0; }

 private:
  static constexpr std::uintptr_t mask = 3;
  std::uintptr_t bits_ = 0;
};

// First base of everything that can be retired, so that its address is what hazards name. Its
// holder alone writes the link: the retirer before the push, the reclaimer after the take, the pool
// while the memory is free. It is atomic, and no constructor touches it, since a pop from the pool
// may read the link of memory that was just reused.
class retired {
 public:
  retired() noexcept {}
  retired(const retired&) = delete;
  retired& operator=(const retired&) = delete;

  // relaxed: travels with the push and the take of the list
  [[nodiscard]] retired_ref next() const { return retired_ref(link_.load(relaxed)); }
  void set_next(retired_ref to) { link_.store(to.bits(), relaxed); }  // relaxed: as above

 private:
  union {
    base::atomic<std::uintptr_t> link_;
  };
};
static_assert(sizeof(retired) == 8);

// How much waits: objects, and their size in cache lines. 32 bits each, and both stay at their end:
// 2^32 objects are at least 64 GiB. Only triggers and people look at them: a list that long is
// still taken whole.
struct waiting_amount {
  std::uint32_t objects = 0;
  std::uint32_t lines = 0;

  [[nodiscard]] constexpr std::uint64_t bits() const noexcept {
    return (std::uint64_t{objects} << 32) | lines;
  }
  static constexpr waiting_amount from(std::uint64_t bits) noexcept {
    return {static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)};
  }
  friend constexpr waiting_amount operator+(waiting_amount a, waiting_amount b) noexcept {
    const auto sum = [](std::uint32_t one, std::uint32_t other) noexcept {
      const std::uint64_t all = std::uint64_t{one} + other;
      return all > 0xffffffff ? 0xffffffff : static_cast<std::uint32_t>(all);
    };
    return {sum(a.objects, b.objects), sum(a.lines, b.lines)};
  }
};

[[nodiscard]] constexpr std::uint32_t lines_of(std::size_t bytes) noexcept {
  const std::size_t lines = (bytes + limits::cache_line_bytes - 1) / limits::cache_line_bytes;
  return lines > 0xffffffff ? 0xffffffff : static_cast<std::uint32_t>(lines);
}

// Head and amount change in one compare-and-swap, so the amount is exact. An address that comes
// back between load and swap does no harm: a push links whatever head the swap then finds.
class waiting_list {
 public:
  // Returns what waits now.
  waiting_amount push(retired_ref first, retired* last, waiting_amount amount) {
    // relaxed: the compare-exchange checks it, nothing is read through it
    base::word128 head = head_.load(relaxed);
    for (;;) {
      last->set_next(retired_ref(head.low));
      const waiting_amount total = waiting_amount::from(head.high) + amount;
      // release [waiting]: the object as its retirer left it, to the reclaimer; relaxed for a loser
      if (head_.compare_exchange(head, {first.bits(), total.bits()}, release, relaxed))
        return total;
    }
  }
  waiting_amount push(retired_ref object, std::size_t bytes) {
    return push(object, object.get(), {1, lines_of(bytes)});
  }

  retired_ref take_all() {
    base::word128 head = head_.load(relaxed);  // relaxed: the compare-exchange checks it
    // acquire [waiting]: the objects, from everybody who pushed; relaxed for a loser
    while (head.low != 0 && !head_.compare_exchange(head, {0, 0}, acquire, relaxed)) {
    }
    return retired_ref(head.low);
  }

  [[nodiscard]] waiting_amount amount() const {
    return waiting_amount::from(head_.load(relaxed).high);  // relaxed: a number that moves anyway
  }

 private:
  base::atomic_word128 head_;
};

}  // namespace ratchet::inline RATCHET_ABI::native
