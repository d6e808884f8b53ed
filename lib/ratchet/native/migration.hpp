// Moving an index to its next table, and dropping erased records on the way. The rules and what
// breaks without each: docs/design.md. In short:
//   The old word is the decision. One compare-and-swap makes it record|keep or record|drop;
// everybody obeys it.

//     A record is dropped only when its slot is sealed, and sealed only when absent, after the
// floor was raised.
//   An empty word is frozen before the end, and only after `next` was seen set.
//   A record is copied into the first empty word of its path, and only after `keep`.
//   The root moves when every chunk is done, whoever did it; a chunk may be done twice.
#pragma once

#include <ratchet/native/index_state.hpp>
#include <ratchet/native/slot.hpp>

namespace ratchet::inline RATCHET_ABI::native {

enum class helped : std::uint8_t {
  chunk,      // moved one that nobody had claimed
  none_left,  // all are claimed: finish, then start over at the new root
  over,       // this migration has ended
};

// Record: has `hash`, `state` (a slot), `pins`.
template <class Record>
class migration {
 public:
  // `base` is a root protected by `frame`.
  migration(index_state& index, hazard_frame& frame, table& base, stripe& mine) noexcept
      : index_(index), frame_(frame), base_(base), mine_(mine) {}

  // Sets `next`, if nobody has. Throws std::bad_alloc.
  static void start(index_state& index, table& base, std::size_t words) {
    if (base.next.load(acquire) != nullptr) return;  // acquire [next]: only compared
    table* made = table::make(index.mem, words, base.generation + 1, base.chunks);
    table* none = nullptr;
    // release [next]: an empty table, to everybody who goes on there; relaxed for a loser, who
    // frees its own
    if (!base.next.compare_exchange(none, made, release, relaxed)) table::destroy(made, index.mem);
  }

  // Moves one chunk.
  helped help() {
    if (!enter()) return helped::over;
    // relaxed: hands out numbers; what a chunk's mover did travels with its flag
    const std::size_t chunk = base_.chunks_claimed.fetch_add(1, relaxed);
    if (chunk >= base_.chunks) return helped::none_left;
    if (!move_chunk(chunk)) return helped::over;
    if (chunk % table::group_chunks == table::group_chunks - 1)
      close_group(chunk / table::group_chunks, only_done);
    if (chunk + 1 == base_.chunks) end(only_done);
    return helped::chunk;
  }

  // Does what others have claimed and not done, and moves the root.
  void finish() {
    if (enter()) end(redo);
  }

 private:
  enum whose : bool { only_done, redo };

  bool enter() {
    next_ = base_.next.load(acquire);  // acquire [next]: the table, from who made it
    if (next_ == nullptr) return false;
    frame_.publish_next(next_);
    // seq_cst [root]: re-check for claim H. `next` never changes, so looking at it again would
    // prove nothing
    return index_.root.load(seq_cst) == &base_;
  }

  // False: the migration is over.
  bool move_chunk(std::size_t chunk) {
    const std::size_t first = chunk * limits::chunk_words;
    prefetch_records(first);
    std::uint8_t kept = 0;
    for (std::size_t i = first; i < first + limits::chunk_words; ++i) {
      switch (settle(base_.at(i))) {
        case settled::kept:
          ++kept;
          break;
        case settled::gone:
          break;
        case settled::over:
          return false;
      }
    }
    // release [chunk]: the copies, to whoever moves the root; the count is the same whoever
    // computes it
    base_.chunk_done(chunk).store(static_cast<std::uint8_t>(1 + kept), release);
    return true;
  }

  void prefetch_records(std::size_t first) {
    for (std::size_t i = first; i < first + limits::chunk_words; ++i) {
      const index_word word = base_.at(i).load(relaxed);  // relaxed: a hint to the cache
      if (word.is_record()) __builtin_prefetch(word.record());
    }
  }

  enum class settled : std::uint8_t { kept, gone, over };

  // Decides one word, for everybody, and copies what is kept.
  settled settle(table::word& at) {
    // acquire [word]: the record, from its creator
    index_word word = at.load(acquire);
    for (;;) {
      if (word.is_empty()) {
        // release [word]: `next`, which we saw set, to who reads FROZEN; acquire [word] for a loser
        if (at.compare_exchange(word, index_word::frozen(), release, acquire)) return settled::gone;
        continue;
      }
      if (word.is_frozen() || word.mark() == mark::drop) return settled::gone;
      auto& record = *static_cast<Record*>(word.record());
      frame_.publish_record(&record);
      word = at.load(seq_cst);  // seq_cst [word]: re-check for claim H
      if (word.mark() == mark::drop) return settled::gone;
      if (index_.root.load(seq_cst) != &base_) return settled::over;  // seq_cst [root]: as above
      if (word.mark() == mark::none && !decide(at, word, record)) continue;
      if (word.mark() == mark::drop) return settled::gone;
      return copy(record) ? settled::kept : settled::over;
    }
  }

  // True: `word` is decided now. False: look again.
  bool decide(table::word& at, index_word& word, Record& record) {
    const slot_state state = record.state.look();
    mark wanted = mark::keep;
    if (state.kind() == kind::sealed) {
      wanted = mark::drop;
    } else if (may_drop(state, record)) {
      raise_floor(state.at());
      slot_state seen = state;
      record.state.commit(seen, slot_state(state.at(), kind::sealed, 0));
      return false;  // sealed, or written meanwhile
    }
    index_word seen = word;
    // seq_cst [word]: a drop is an unlink for claim H; a keep orders nothing. acquire [word] for a
    // loser, who obeys
    if (at.compare_exchange(seen, word.with(wanted), seq_cst, acquire)) {
      word = word.with(wanted);
      if (wanted == mark::drop)
        mine_.waiting.push(retired_ref(&record, retired_kind::record), sizeof(Record));
    } else {
      word = seen;
    }
    return true;
  }

  // Keeping is always right. Pinned: a handle would only look it up again. Near the end of its
  // versions: its floor would leave none to its successors.
  static bool may_drop(slot_state state, const Record& record) {
    return state.kind() == kind::absent && state.at().to_u64() < limits::version_droppable_max &&
           record.pins.load(relaxed) == 0;  // relaxed: a hint
  }

  void raise_floor(version to) {
    std::uint64_t now = index_.floor.load(relaxed);  // relaxed: the compare-exchange checks it
    // release [floor]: before the seal, and so before anybody creates the key anew; relaxed for a
    // loser
    while (now < to.to_u64() &&
           !index_.floor.compare_exchange(now, to.to_u64(), release, relaxed)) {
    }
  }

  // False: the next table is being left already, so this migration is long over.
  bool copy(Record& record) {
    base::note_touched(&record, sizeof record);
    std::size_t index = next_->home(record.hash);
    for (std::size_t steps = 0; steps < next_->words_count();) {
      table::word& at = next_->at(index);
      index_word word = at.load(acquire);  // acquire [word]: only compared
      if (word.is_empty() &&
          // release [word]: the record, as its creator published it to us; acquire [word] for a
          // loser
          at.compare_exchange(word, index_word(&record, record.hash), release, acquire))
        return true;
      if (word.is_frozen()) return false;
      if (word.record() == &record) return true;
      index = next_->after(index);
      ++steps;
    }
    __builtin_trap();  // room is kept by rule 20
  }

  // Words kept of a group of chunks, once all are done; 0: not yet, or over.
  std::uint32_t close_group(std::size_t group, whose undone) {
    const std::size_t first = group * table::group_chunks;
    const std::size_t last = std::min(first + table::group_chunks, base_.chunks);
    std::uint32_t sum = 1;
    for (std::size_t chunk = first; chunk < last; ++chunk) {
      std::uint8_t done = base_.chunk_done(chunk).load(acquire);  // acquire [chunk]: its copies
      if (done == 0) {
        if (undone == only_done || !move_chunk(chunk)) return 0;
        done = base_.chunk_done(chunk).load(acquire);  // acquire [chunk]: ours
      }
      sum += done - 1u;
    }
    base_.group_done(group).store(sum, release);  // release [group]: the copies of all its chunks
    return sum;
  }

  void end(whose undone) {
    std::uint64_t kept = 0;
    for (std::size_t group = 0; group < base_.groups_count(); ++group) {
      std::uint32_t sum = base_.group_done(group).load(acquire);  // acquire [group]: the copies
      if (sum == 0) sum = close_group(group, undone);
      if (sum == 0) return;
      kept += sum - 1;
    }
    next_->kept.store(kept,
                      relaxed);  // relaxed: travels with the root; every finisher stores the same
    table* expected = &base_;
    // seq_cst [root]: the table with all copies; an unlink of the old one for claim H. relaxed for
    // a loser
    if (!index_.root.compare_exchange(expected, next_, seq_cst, relaxed)) return;
    index_.migrations.fetch_add(1, relaxed);  // relaxed: a count
    mine_.waiting.push(retired_ref(&base_, retired_kind::table), base_.bytes());
  }

  index_state& index_;
  hazard_frame& frame_;
  table& base_;
  stripe& mine_;
  table* next_ = nullptr;
};

}  // namespace ratchet::inline RATCHET_ABI::native
