#include <harness/explore/spin.hpp>

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

std::uint64_t mix(std::uint64_t sum, std::uint64_t value) {
  const std::uint64_t x = (sum ^ value) * 0x9e3779b97f4a7c15u;
  return x ^ (x >> 29);
}

bool only_writes(action what) {
  return what == action::store || what == action::buffered_store || what == action::touch ||
         what == action::release || what == action::barrier_begin || what == action::barrier_end;
}

}  // namespace

void spin_watch::reset() {
  reads_.clear();
  watched_.clear();
  round_ = round_before_ = 0;
  operations_ = operations_before_ = 0;
  empty_yields_ = 0;
}

void spin_watch::note(const operation& op, const effect& did) {
  ++operations_;
  empty_yields_ = 0;
  round_ = mix(round_, static_cast<std::uint64_t>(op.what) + 1);
  round_ = mix(round_, reinterpret_cast<std::uintptr_t>(op.at) + op.bytes);
  if (op.what == action::store || op.what == action::buffered_store) {
    round_ = mix(round_, op.operand.low);
  } else {
    round_ = mix(mix(round_, did.value.low), did.value.high + (did.wrote ? 1 : 0));
  }
  // A clock never reads the same twice: its round differs from the one before.
  if (only_writes(op.what) || op.what == action::clock || reads_.size() > reads_max) return;
  reads_.push_back({op.at, op.bytes, did.value});
}

bool spin_watch::yield() {
  if (operations_ == 0) return ++empty_yields_ > yields_without_access;
  const bool repeats =
      operations_ == operations_before_ && round_ == round_before_ && reads_.size() <= reads_max;
  round_before_ = round_;
  operations_before_ = operations_;
  round_ = 0;
  operations_ = 0;
  watched_.swap(reads_);
  reads_.clear();
  return repeats;
}

bool spin_watch::stays_same(const store_buffers& buffers, std::size_t thread) const {
  for (const auto& r : watched_) {
    const word16 now = buffers.load(thread, r.at, r.bytes).value;
    if (now.low != r.value.low || now.high != r.value.high) return false;
  }
  return true;
}

}  // namespace ratchet::inline RATCHET_ABI::explore
