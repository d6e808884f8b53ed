#include <harness/explore/messages.hpp>

#include <algorithm>

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

bool acquires(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst || order == std::memory_order_consume;
}
bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

void raise(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}
void raise(std::vector<std::uint32_t>& to, std::size_t place, std::uint32_t value) {
  if (to.size() <= place) to.resize(place + 1);
  to[place] = std::max(to[place], value);
}
std::uint32_t at(const std::vector<std::uint32_t>& in, std::size_t place) {
  return place < in.size() ? in[place] : 0;
}

}  // namespace

void message_memory::view::join(const view& other) {
  raise(oldest, other.oldest);
  raise(steps, other.steps);
}

void message_memory::reset(std::size_t threads) {
  views_.assign(threads, {});
  locations_.clear();
  numbers_.clear();
  lives_.clear();
}

void message_memory::step(std::size_t thread) {
  raise(views_[thread].steps, thread, at(views_[thread].steps, thread) + 1);
}

// What stands in memory and was not written through here was written by a constructor, or by
// unscheduled code: a location's first message, or the next one, which then everybody has seen.
std::uint32_t message_memory::number_of(const operation& op) {
  const auto [found, fresh] =
      numbers_.try_emplace(op.at, static_cast<std::uint32_t>(locations_.size()));
  const word16 now = peek(op.at, op.bytes);
  if (fresh) {
    locations_.push_back({{{now, {}}}});
  } else if (location& there = locations_[found->second]; !same(there.messages.back().value, now)) {
    there.messages.push_back({now, {}});
    for (view& each : views_)
      raise(each.oldest, found->second, static_cast<std::uint32_t>(there.messages.size() - 1));
  }
  return found->second;
}

std::uint32_t message_memory::oldest(std::size_t thread, std::uint32_t number,
                                     std::memory_order order) const {
  const std::uint32_t known = at(views_[thread].oldest, number);
  return order == std::memory_order_seq_cst ? std::max(known, locations_[number].seq_cst_from)
                                            : known;
}

unsigned message_memory::ages(std::size_t thread, const operation& op) {
  if (op.what != action::load && op.what != action::compare_exchange) return 1;
  const std::uint32_t number = number_of(op);
  const auto& messages = locations_[number].messages;
  const bool exchanges = op.what == action::compare_exchange;
  if (exchanges && same(messages.back().value, op.expected)) return 1;
  std::size_t from = oldest(thread, number, exchanges ? op.failure : op.order);
  // One that fails read something else than it expected.
  if (exchanges)
    for (std::size_t i = messages.size(); i-- > from;)
      if (same(messages[i].value, op.expected)) from = i + 1;
  return static_cast<unsigned>(messages.size() - from);
}

void message_memory::read(std::size_t thread, std::uint32_t number, std::uint32_t index,
                          std::memory_order order) {
  location& from = locations_[number];
  raise(views_[thread].oldest, number, index);
  if (order == std::memory_order_seq_cst) from.seq_cst_from = std::max(from.seq_cst_from, index);
  const auto& carried = from.messages[index].carried;
  if (carried && acquires(order)) views_[thread].join(*carried);
}

void message_memory::write(std::size_t thread, std::uint32_t number, word16 value,
                           std::memory_order order, bool replaces) {
  location& to = locations_[number];
  const auto index = static_cast<std::uint32_t>(to.messages.size());
  raise(views_[thread].oldest, number, index);
  if (order == std::memory_order_seq_cst) to.seq_cst_from = index;
  std::optional<view> carried;
  if (replaces) carried = to.messages.back().carried;
  if (releases(order)) {
    if (carried)
      carried->join(views_[thread]);
    else
      carried = views_[thread];
  }
  to.messages.push_back({value, std::move(carried)});
}

effect message_memory::perform(std::size_t thread, const operation& op, unsigned age) {
  const std::uint32_t number = number_of(op);
  const auto newest = static_cast<std::uint32_t>(locations_[number].messages.size() - 1);
  if (op.what == action::load || (op.what == action::compare_exchange && !would_write(op))) {
    effect did{locations_[number].messages[newest - age].value};
    did.age = age;
    read(thread, number, newest - age, op.what == action::load ? op.order : op.failure);
    return did;
  }
  const bool replaces = op.what != action::store;
  if (replaces) read(thread, number, newest, op.order);
  const effect did = apply(op);
  write(thread, number, peek(op.at, op.bytes), op.order, replaces);
  return did;
}

void message_memory::membarrier() {
  view all;
  for (const view& each : views_) all.join(each);
  for (view& each : views_) each = all;
}

void message_memory::made(std::optional<std::size_t> thread, unsigned block) {
  if (lives_.size() <= block) lives_.resize(block + 1);
  lives_[block] = {thread, thread ? at(views_[*thread].steps, *thread) + 1 : 0, {}};
}

std::optional<std::string> message_memory::used(std::size_t thread, unsigned block) {
  if (block >= lives_.size()) return std::nullopt;
  life& of = lives_[block];
  raise(of.used_at, thread, at(views_[thread].steps, thread));
  if (!of.maker || at(views_[thread].steps, *of.maker) >= of.made_at) return std::nullopt;
  return "thread " + std::to_string(thread) + " uses block " + std::to_string(block) +
         ", whose making by thread " + std::to_string(*of.maker) + " did not happen before";
}

std::optional<std::string> message_memory::given_up(std::size_t thread, unsigned block) {
  if (block >= lives_.size()) return std::nullopt;
  for (std::size_t other = 0; other < lives_[block].used_at.size(); ++other)
    if (at(views_[thread].steps, other) < lives_[block].used_at[other])
      return "thread " + std::to_string(thread) + " gives up block " + std::to_string(block) +
             ", whose use by thread " + std::to_string(other) + " did not happen before";
  return std::nullopt;
}

}  // namespace ratchet::inline RATCHET_ABI::explore
