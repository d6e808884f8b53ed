// Making records and taking them back.
#pragma once

#include <ratchet/native/index_state.hpp>

#include <cstdint>
#include <new>

namespace ratchet::inline RATCHET_ABI::native {

template <class Record>
class record_source {
 public:
  using record_type = Record;

  record_source(index_state& index, memory& keys_from) noexcept
      : index_(index), memory_(keys_from) {}

  // A record nobody else knows, absent. Throws std::bad_alloc, limit_error, and what the key's copy
  // throws.
  template <class Form>
  Record* make(const Form& key, std::uint64_t hash, stripe& mine) {
    void* place = take(mine);
    base::note_allocated(place, sizeof(Record));
    try {
      return new (place) Record(key, hash, memory_);
    } catch (...) {
      give(place, mine);
      throw;
    }
  }
  void free(Record* dead, stripe& mine) noexcept(!RATCHET_EXPLORE) {
    dead->key.free_with(memory_);
    dead->~Record();
    give(dead, mine);
  }

 private:
  // From the caller's stripe, or another's, or a slab.
  void* take(stripe& mine) {
    if (retired* one = mine.free_records.pop()) return one;
    for (std::size_t i = 0; i < index_.stripes_count; ++i)
      if (retired* one = index_.stripes[i].free_records.pop()) return one;
    const auto batch = index_.pool.carve();
    const auto place = [&](std::size_t i) {
      return reinterpret_cast<retired*>(batch.first + i * sizeof(Record));
    };
    for (std::size_t i = 1; i + 1 < batch.records; ++i)
      place(i)->set_next(retired_ref(place(i + 1), retired_kind::box));
    if (batch.records > 1) mine.free_records.push(place(1), place(batch.records - 1));
    return batch.first;
  }
  static void give(void* place, [[maybe_unused]] stripe& mine) {
    base::note_released(place, sizeof(Record));
#if !RATCHET_EXPLORE  // there a record is used once, so that each use after its end is seen
    auto* one = static_cast<retired*>(place);
    mine.free_records.push(one, one);
#endif
  }

  index_state& index_;
  memory& memory_;
};

}  // namespace ratchet::inline RATCHET_ABI::native
