// A boxed value that knows how many of its kind are alive and notices its own death.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace tests {

class counted {
 public:
  explicit counted(std::uint64_t number) : number_(number) { ++alive; }
  counted(const counted& other) : number_(other.number()) { ++alive; }
  counted(counted&& other) noexcept : number_(other.number()) { ++alive; }
  counted& operator=(const counted&) = delete;
  ~counted() {
    if (mark_ != living) std::abort();
    mark_ = dead;
    number_ = ~number_;
    --alive;
  }

  // Aborts when the value has been destroyed.
  [[nodiscard]] std::uint64_t number() const noexcept {
    if (mark_ != living) std::abort();
    return number_;
  }

  inline static std::atomic<std::int64_t> alive{0};

 private:
  static constexpr std::uint64_t living = 0x600df00d600df00d;
  static constexpr std::uint64_t dead = 0xdeadbeefdeadbeef;
  // Volatile: a mark set by a destructor must not be thought useless.
  volatile std::uint64_t mark_ = living;
  std::uint64_t number_;
};

}  // namespace tests
