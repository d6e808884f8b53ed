#include <harness/explore/blocks.hpp>

#include <algorithm>

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

std::uintptr_t number(const void* at) { return reinterpret_cast<std::uintptr_t>(at); }

std::string with_offset(std::string text, std::uintptr_t offset) {
  return offset == 0 ? text : text + "+" + std::to_string(offset);
}

}  // namespace

void block_registry::reset() {
  blocks_.clear();
  names_.clear();
  mentioned_.clear();
  allocations_ = 0;
  released_ = 0;
}

std::vector<block>::iterator block_registry::first_after(std::uintptr_t at) {
  return std::upper_bound(blocks_.begin(), blocks_.end(), at,
                          [](std::uintptr_t key, const block& b) { return key < b.at + b.bytes; });
}

const block* block_registry::find(std::uintptr_t at, std::size_t bytes) const {
  const auto found = const_cast<block_registry*>(this)->first_after(at);
  return found != blocks_.end() && found->at < at + bytes ? &*found : nullptr;
}

unsigned block_registry::allocate(const void* at, std::size_t bytes) {
  auto from = first_after(number(at));
  auto to = from;
  for (; to != blocks_.end() && to->at < number(at) + bytes; ++to)  // memory used again
    if (to->released) --released_;
  from = blocks_.erase(from, to);
  blocks_.insert(from, {number(at), bytes, allocations_, false});
  return allocations_++;
}

bool block_registry::release(const void* at, std::size_t bytes) {
  auto found = first_after(number(at));
  if (found == blocks_.end() || found->at >= number(at) + bytes) {
    allocate(at, bytes);
    found = first_after(number(at));
  }
  if (found->released) return false;
  found->released = true;
  ++released_;
  return true;
}

const block* block_registry::find(const void* at, std::size_t bytes) const {
  return find(number(at), bytes);
}

const block* block_registry::released_at(const void* at, std::size_t bytes) const {
  if (released_ == 0) return nullptr;
  const block* const found = find(number(at), bytes);
  return found != nullptr && found->released ? found : nullptr;
}

block_count block_registry::live() const {
  block_count count;
  for (const auto& b : blocks_) {
    if (b.released) continue;
    ++count.blocks;
    count.bytes += b.bytes;
  }
  return count;
}

void block_registry::name(const void* at, std::size_t bytes, const char* what) {
  names_.push_back({number(at), bytes, what});
}

std::string block_registry::describe(const void* at) {
  const auto place = number(at);
  for (const auto& n : names_)
    if (place >= n.at && place < n.at + n.bytes) return with_offset(n.what, place - n.at);
  if (const block* const found = find(place, 1))
    return with_offset("block " + std::to_string(found->number), place - found->at);
  auto seen = std::find(mentioned_.begin(), mentioned_.end(), place);
  if (seen == mentioned_.end()) seen = mentioned_.insert(seen, place);
  return "word " + std::to_string(seen - mentioned_.begin());
}

void end_actions::run() {
  // An action may add to the lists.
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    const auto action = std::move(actions_[i]);
    action();
  }
  actions_.clear();
  for (std::size_t i = 0; i < quarantined_.size(); ++i) {
    const quarantined q = quarantined_[i];
    q.give_back(q.block, q.bytes);
  }
  quarantined_.clear();
}

}  // namespace ratchet::inline RATCHET_ABI::explore
