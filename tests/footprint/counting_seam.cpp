#include "footprint/counting_seam.hpp"

#include <ratchet/native/hazard.hpp>

#include <cstring>

namespace footprint {
namespace {

enum class effect : std::uint8_t { looked, wrote };

struct counter {
  bool counting = false;
  footprint so_far;
  std::set<std::uintptr_t> fresh;  // lines the operation allocated

  void note(const void* at, std::size_t bytes, effect what, bool atomic) {
    if (!counting || is_own(at)) return;
    const std::uintptr_t last = line_of(static_cast<const char*>(at) + bytes - 1);
    bool shared = false;
    for (std::uintptr_t line = line_of(at); line <= last; ++line) {
      if (fresh.contains(line)) continue;
      shared = true;
      (what == effect::wrote ? so_far.written : so_far.read).insert(line);
    }
    if (shared && atomic) ++so_far.accesses;
  }
  void note_fresh(const void* block, std::size_t bytes) {
    if (!counting) return;
    // A block that does not fill its first or last line shares it with a neighbour of its own.
    for (std::uintptr_t line = line_of(block);
         line <= line_of(static_cast<const char*>(block) + bytes - 1); ++line)
      fresh.insert(line);
  }

 private:
  static bool is_own(const void* at) {
    const auto* mine = ratchet::native::this_thread_record();
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    const auto first = reinterpret_cast<std::uintptr_t>(mine);
    return mine != nullptr && address >= first && address < first + sizeof *mine;
  }
};

counter& the_counter() {
  static counter one;
  return one;
}

}  // namespace

void begin() {
  (void)ratchet::native::self();  // a thread's first call registers it; that is no operation
  the_counter().so_far = {};
  the_counter().fresh.clear();
  the_counter().counting = true;
}

footprint end() {
  the_counter().counting = false;
  footprint found = the_counter().so_far;
  for (const std::uintptr_t line : found.written) found.read.erase(line);
  return found;
}

}  // namespace footprint

namespace ratchet::inline RATCHET_ABI::explore {

using footprint::effect;
using footprint::the_counter;

namespace {

std::uint64_t peek(const void* at, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, bytes);
  return value;
}

std::uint64_t combined(rmw what, std::uint64_t now, std::uint64_t operand) {
  switch (what) {
    case rmw::exchange:
      return operand;
    case rmw::add:
      return now + operand;
    case rmw::subtract:
      return now - operand;
    case rmw::bit_or:
      return now | operand;
  }
  return now;
}

}  // namespace

std::uint64_t load(const void* at, std::size_t bytes, std::memory_order) {
  the_counter().note(at, bytes, effect::looked, true);
  return peek(at, bytes);
}

void store(void* at, std::size_t bytes, std::uint64_t value, std::memory_order) {
  the_counter().note(at, bytes, effect::wrote, true);
  std::memcpy(at, &value, bytes);
}

std::uint64_t read_modify_write(void* at, std::size_t bytes, rmw what, std::uint64_t operand,
                                std::memory_order) {
  the_counter().note(at, bytes, effect::wrote, true);
  const std::uint64_t before = peek(at, bytes);
  const std::uint64_t after = combined(what, before, operand);
  std::memcpy(at, &after, bytes);
  return before;
}

bool compare_exchange(void* at, std::size_t bytes, std::uint64_t& expected, std::uint64_t desired,
                      std::memory_order, std::memory_order) {
  the_counter().note(at, bytes, effect::wrote, true);
  const std::uint64_t now = peek(at, bytes);
  if (now != expected) {
    expected = now;
    return false;
  }
  std::memcpy(at, &desired, bytes);
  return true;
}

word16 load16(const void* at, std::memory_order) {
  the_counter().note(at, sizeof(word16), effect::looked, true);
  word16 seen;
  std::memcpy(&seen, at, sizeof seen);
  return seen;
}

bool compare_exchange16(void* at, word16& expected, word16 desired, std::memory_order,
                        std::memory_order) {
  the_counter().note(at, sizeof(word16), effect::wrote, true);
  if (std::memcmp(at, &expected, sizeof expected) != 0) {
    std::memcpy(&expected, at, sizeof expected);
    return false;
  }
  std::memcpy(at, &desired, sizeof desired);
  return true;
}

void allocated(const void* block, std::size_t bytes) { the_counter().note_fresh(block, bytes); }
void released(const void*, std::size_t) {}
void touched(const void* at, std::size_t bytes) {
  the_counter().note(at, bytes, effect::looked, false);
}

void yield() {}
void membarrier() {}
bool asymmetric() { return true; }
std::uint64_t now_ns() {
  static std::uint64_t now = 0;
  return ++now;
}
void*& thread_slot() {
  static void* mine = nullptr;
  return mine;
}

}  // namespace ratchet::inline RATCHET_ABI::explore
