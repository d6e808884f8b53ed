// Giving back what was unlinked, once no hazard names it.
#pragma once

#include <ratchet/native/index_state.hpp>

#include <algorithm>
#include <vector>

namespace ratchet::inline RATCHET_ABI::native {

// How many objects a stripe lets wait. All stripes together let a multiple of the CPUs wait, since
// the barrier interrupts every CPU; measured so that it stays a small part of a boxed put
// (docs/design.md).
[[nodiscard]] inline std::uint32_t batch_of_stripe(std::size_t stripes) noexcept {
  constexpr std::uint32_t per_cpu = RATCHET_EXPLORE || RATCHET_SMALL_LIMITS ? 1 : 1024;
  const auto all = std::max<std::uint32_t>(limits::retired_batch_min, per_cpu * domain_now().cpus);
  return std::max<std::uint32_t>(1, all / static_cast<std::uint32_t>(stripes));
}
// Or how much: 1 MiB, in cache lines.
inline constexpr std::uint32_t waiting_lines_max = 1u << 14;

// Owner: has `bool pinned(retired_ref)` and `void dispose(retired_ref)`; disposing may run user
// code that uses the store again, so it happens outside every guard and turn.
template <class Owner>
class collector {
 public:
  collector(index_state& index, Owner& owner) noexcept
      : index_(index), owner_(owner), batch_(batch_of_stripe(index.stripes_count)) {}

  // Works when enough waits in the caller's stripe. Garbage is bounded, also when a reclaimer stops
  // for good: at twice the batch a caller no longer leaves it to the one whose turn it is.
  void work_if_due(thread_record& me, stripe& mine) {
    if (!due(mine, 1) || me.reclaiming) return;
    me.reclaiming = true;
    while (due(mine, 1) && round(mine)) {
    }
    me.reclaiming = false;
  }

  // Everything that no hazard names, whatever the amount.
  void work_now(thread_record& me, stripe& mine) {
    if (me.reclaiming) return;
    me.reclaiming = true;
    (void)round(mine);
    me.reclaiming = false;
  }

  // Clause M: objects that wait at most, while no thread is stopped inside a reclaim; each such
  // thread may hold back as many again.
  [[nodiscard]] std::size_t waiting_max(const domain_facts& facts) const noexcept {
    return index_.stripes_count * (2 * std::size_t{batch_} + facts.hazards);
  }

  // Disposes of all that waits. No call is in flight: nothing is protected.
  void drain() {
    for (bool found = true; found;) {
      found = false;
      for (std::size_t i = 0; i < index_.stripes_count; ++i) {
        retired_ref one = index_.stripes[i].waiting.take_all();
        found = found || one;
        dispose_chain(one);
      }
    }
  }

 private:
  [[nodiscard]] bool due(const stripe& mine, std::uint32_t times) const {
    const waiting_amount waits = mine.waiting.amount();
    // relaxed: what the last reclaimer could not free, a hint for when to look again
    const waiting_amount stuck = waiting_amount::from(mine.survivors.load(relaxed));
    // 64 bits, so that a sum with what is stuck does not wrap. Where all 2^32 are stuck, nothing is
    // due until somebody else's turn, or store.reclaim(), finds that they are not.
    const std::uint64_t objects = std::uint64_t{times} * batch_ + stuck.objects;
    const std::uint64_t lines = std::uint64_t{times} * waiting_lines_max + stuck.lines;
    return waits.objects >= objects || (waits.lines >= lines && waits.objects > stuck.objects);
  }

  struct chain {
    retired_ref first;
    retired* last = nullptr;
    waiting_amount amount;

    void add(retired_ref one, std::uint32_t lines) noexcept {
      one.get()->set_next(first);
      if (last == nullptr) last = one.get();
      first = one;
      amount = amount + waiting_amount{1, lines};
    }
  };

  // False: nothing came of it; try when more waits.
  bool round(stripe& mine) {
    chain free;
    {
      const reclaimer_turn turn;
      if (!turn.taken() && !due(mine, 2)) return false;
      std::vector<const void*> hazards;
      const bool all = turn.taken();
      // Taken before the barrier: everything in it was unlinked before.
      retired_ref lists[index_state::stripes_max];
      for (std::size_t i = 0; i < index_.stripes_count; ++i)
        if (all || &index_.stripes[i] == &mine) lists[i] = index_.stripes[i].waiting.take_all();
      const bool known = read_hazards(hazards);
      chain kept;
      for (std::size_t i = 0; i < index_.stripes_count; ++i)
        sort_out(lists[i], known, hazards, free, kept);
      if (kept.first) mine.waiting.push(kept.first, kept.last, kept.amount);
      mine.survivors.store(kept.amount.bits(), relaxed);  // relaxed: a hint
      if (!known) return false;
    }
    const bool any = static_cast<bool>(free.first);
    dispose_chain(free.first);
    return any;
  }

  void sort_out(retired_ref one, bool known, const std::vector<const void*>& hazards, chain& free,
                chain& kept) {
    while (one) {
      const retired_ref next = one.get()->next();
      // Hazards first, then pins: a pin is made under a hazard.
      const bool stays =
          !known ||
          std::binary_search(hazards.begin(), hazards.end(), static_cast<const void*>(one.get())) ||
          owner_.pinned(one);
      (stays ? kept : free).add(one, owner_.lines(one));
      one = next;
    }
  }

  void dispose_chain(retired_ref one) {
    while (one) {
      const retired_ref next = one.get()->next();
      owner_.dispose(one);
      one = next;
    }
  }

  index_state& index_;
  Owner& owner_;
  std::uint32_t batch_;  // 32 bits: 1024 a CPU
};

}  // namespace ratchet::inline RATCHET_ABI::native
