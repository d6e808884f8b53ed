#include <harness/explore/buffers.hpp>

#include <algorithm>
#include <cstring>

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

word16 outcome(const operation& op, word16 before) {
  switch (op.what) {
    case action::add:
      return {before.low + op.operand.low, 0};
    case action::subtract:
      return {before.low - op.operand.low, 0};
    case action::bit_or:
      return {before.low | op.operand.low, 0};
    default:
      return op.operand;
  }
}

}  // namespace

word16 peek(const void* at, std::size_t bytes) {
  word16 value{};
  std::memcpy(&value, at, bytes);
  return value;
}

void poke(void* at, std::size_t bytes, word16 value) { std::memcpy(at, &value, bytes); }

bool would_write(const operation& op) {
  return op.what != action::compare_exchange || same(peek(op.at, op.bytes), op.expected);
}

effect apply(const operation& op) {
  const word16 before = peek(op.at, op.bytes);
  if (op.what == action::compare_exchange && !same(before, op.expected)) return {before};
  poke(const_cast<void*>(op.at), op.bytes, outcome(op, before));
  return {before, true};
}

void store_buffers::reset(std::size_t threads) {
  buffers_.resize(threads);
  for (auto& buffer : buffers_) buffer.clear();
}

void store_buffers::push(std::size_t thread, void* at, std::size_t bytes, std::uint64_t value) {
  buffers_[thread].push_back({at, bytes, value, false});
}

buffered_store store_buffers::drain(std::size_t thread) {
  auto& buffer = buffers_[thread];
  const buffered_store oldest = buffer.front();
  buffer.erase(buffer.begin());
  poke(oldest.at, oldest.bytes, {oldest.value, 0});
  return oldest;
}

void store_buffers::outlive(std::size_t thread, const void* block, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(block);
  for (auto& store : buffers_[thread]) {
    const auto* const at = static_cast<const std::byte*>(store.at);
    if (at < begin + bytes && begin < at + store.bytes) store.outlived = true;
  }
}

effect store_buffers::load(std::size_t thread, const void* at, std::size_t bytes) const {
  effect found{peek(at, bytes)};
  if (buffers_[thread].empty()) return found;
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  auto* const out = reinterpret_cast<std::byte*>(&found.value);
  for (const auto& store : buffers_[thread]) {
    const auto target = reinterpret_cast<std::uintptr_t>(store.at);
    const auto from = std::max(begin, target);
    const auto to = std::min(begin + bytes, target + store.bytes);
    if (from >= to) continue;
    const auto* const value = reinterpret_cast<const std::byte*>(&store.value);
    std::memcpy(out + (from - begin), value + (from - target), to - from);
    found.forwarded = true;
  }
  return found;
}

}  // namespace ratchet::inline RATCHET_ABI::explore
