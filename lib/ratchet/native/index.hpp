// From a key's hash to its record.
#pragma once

#include <ratchet/native/migration.hpp>

#include <bit>
#include <optional>

namespace ratchet::inline RATCHET_ABI::native {

// Where a path ended without the key.
struct path_end {
  table* base = nullptr;  // the root the walk began in, protected
  table* in = nullptr;    // the table of the first empty word: `base` or its next
  std::size_t index = 0;
  bool full = false;  // a whole cycle without an empty word: there is no place for the key
};

template <class Record>
class index : public index_state {
 public:
  using index_state::index_state;

  // What one creation has earned so far, over its attempts.
  struct room {
    std::uint64_t credit = 0;  // generation of a table of which a word is reserved; 0: none
    // Of a table of which a chunk was moved: may create before its migration ends.
    std::uint64_t chunk = 0;
  };

  // The key's record, protected by `frame`, and its slot as it was loaded last: not sealed. Null:
  // the key was absent at an instant inside the call, and `end` says where its path ended.
  template <class Matches>
  Record* find(hazard_frame& frame, std::uint64_t hash, const Matches& matches, slot_state& state,
               path_end& end) {
    table* base = protect_root(frame);
    const walked way = walk(frame, *base, *base, hash, matches, state);
    if (way.how == ending::record) [[likely]]
      return way.record;
    if (way.how == ending::empty) {
      end = {base, base, way.index, false};
      return nullptr;
    }
    return find_further(frame, hash, matches, state, end, *base, way.how);
  }

  // The right to use one empty word (rule 20). False: the root has moved, or may have: look the key
  // up again. Throws std::bad_alloc when the index must grow and cannot.
  bool make_room(hazard_frame& frame, const path_end& end, room& has, stripe& mine) {
    table& base = *end.base;
    if (!end.full && base.next.load(acquire) == nullptr) {  // acquire [next]: only compared
      if (has.credit == base.generation || take_credit(base, mine)) {
        has.credit = base.generation;
        return true;
      }
    }
    // acquire [next]: only compared
    if (base.next.load(acquire) == nullptr) start_growth(base);
    if (!end.full && has.chunk == base.generation) return true;
    migration<Record> move(*this, frame, base, mine);
    switch (move.help()) {
      case helped::chunk:
        has.chunk = base.generation;
        break;
      case helped::none_left:
        move.finish();
        break;
      case helped::over:
        break;
    }
    return false;
  }

  [[nodiscard]] static bool still_empty(const path_end& end) {
    return end.in->at(end.index).load(acquire).is_empty();  // acquire [word]: only compared
  }

  // Links `record` where `end` says, at the version after the floor; the caller made room. True:
  // linked, and that was the commit if the record is present. False: look the key up again. Throws
  // limit_error when the floor has no version left.
  bool link(const path_end& end, Record& record, kind what, std::uint64_t payload, room& has,
            version& made) {
    // acquire [floor]: read after the empty word, so that whatever dropped an older record of this
    // key raised it
    const version last = version::from_u64(floor.load(acquire));
    made = what == kind::absent ? last : next_version(last);
    new (&record.state) slot(slot_state(made, what, payload));
    index_word expected;
    // release [word]: the record, to who finds it; relaxed for a loser, who looks the key up again
    const bool won = end.in->at(end.index).compare_exchange(
        expected, index_word(&record, record.hash), release, relaxed);
    if (won) has.credit = 0;
    return won;
  }

  // Gives back a reserved word that no record was linked into.
  void give_back(room& has, stripe& mine) {
    if (has.credit == 0) return;
    word_credit credit = mine.credit.load(relaxed);  // relaxed: counts, here and below
    while (
        !credit.is_after(has.credit) &&
        !mine.credit.compare_exchange(credit, credit.plus_one_of(has.credit), relaxed, relaxed)) {
    }
    has.credit = 0;
  }

  // After an erase: helps a migration under way, or starts one when most words lead to erased keys.
  // Throws std::bad_alloc.
  void after_erase(hazard_frame& frame, stripe& mine) {
    table* base = protect_root(frame);
    if (base->next.load(acquire) != nullptr) {  // acquire [next]: only compared
      migration<Record> move(*this, frame, *base, mine);
      if (move.help() == helped::none_left) move.finish();
      return;
    }
    // relaxed: a count that says when to look
    const std::uint32_t erases = mine.erases.fetch_add(1, relaxed) + 1;
    if (erases < base->words_count() / (16 * stripes_count)) return;
    mine.erases.store(0, relaxed);  // relaxed: as above
    const std::size_t live = present();
    if (used_words(*base) < live + base->words_count() / 4 || live >= base->words_count() / 8)
      return;
    start_clean_up(*base, live);
  }

  // Makes room for `keys` keys: moves the whole index if it must. Throws std::bad_alloc.
  void grow_for(hazard_frame& frame, std::size_t keys, stripe& mine) {
    for (;;) {
      table* base = protect_root(frame);
      if (base->words_count() >= words_for(keys)) return;
      migration<Record>::start(*this, *base, words_for(keys));
      finish_migration(frame, *base, mine);
    }
  }

  // Gives `take(Record&)` every record, protected while it looks, that a lookup of a key with a
  // hash from `first` to the end of its bucket may find now; some twice. Returns the first hash
  // after those, 0 at the end; or nothing, when the root moved: what was given then may lack some.
  template <class Take>
  std::optional<std::uint64_t> records_from(hazard_frame& frame, std::uint64_t first,
                                            const Take& take) {
    table* base = protect_root(frame);
    const std::size_t bucket = base->bucket_of(first);
    const std::uint64_t after_last =
        bucket + 1 == base->buckets_count() ? 0 : base->first_hash(bucket + 1);
    const range wanted{first, after_last - 1};
    switch (each_on_path(frame, *base, *base, bucket, wanted, take)) {
      case path::ended:
        return after_last;
      case path::stale:
        return std::nullopt;
      case path::frozen:
      case path::full:
        break;
    }
    table* next = base->next.load(acquire);  // acquire [next]: the table, from who made it
    if (next == nullptr) return after_last;
    frame.publish_next(next);
    if (root.load(seq_cst) != base) return std::nullopt;  // seq_cst [root]: re-check for claim H
    const std::size_t last_bucket = next->bucket_of(wanted.last);
    for (std::size_t b = next->bucket_of(first); b <= last_bucket; ++b) {
      const path how = each_on_path(frame, *base, *next, b, wanted, take);
      if (how == path::frozen || how == path::stale) return std::nullopt;
    }
    return after_last;
  }

  [[nodiscard]] table* protect_root(hazard_frame& frame) {
    table* base = root.load(acquire);  // acquire [root]: the table with its copies
    for (;;) {
      frame.publish_table(base);
      table* again = root.load(seq_cst);  // seq_cst [root]: re-check for claim H
      if (again == base) return base;
      base = again;
    }
  }

  // The same of a protected root and, while it is left, its next table.
  [[nodiscard]] std::uint64_t words_in_use(hazard_frame& frame, const table& base) {
    std::uint64_t words = used_words(base);
    table* next = base.next.load(acquire);  // acquire [next]: its counts
    if (next == nullptr) return words;
    frame.publish_next(next);
    // seq_cst [root]: re-check for claim H
    if (root.load(seq_cst) == &base) words += used_words(*next);
    return words;
  }

  // Words of a table that lead to records, or may soon: an upper bound.
  [[nodiscard]] static std::uint64_t used_words(const table& of) {
    // relaxed: counts; `kept` came with the root
    return of.kept.load(relaxed) + (of.reserved.load(relaxed) & ~table::closed);
  }

 private:
  struct range {
    std::uint64_t first;
    std::uint64_t last;
  };
  enum class path : std::uint8_t { ended, frozen, full, stale };

  template <class Take>
  path each_on_path(hazard_frame& frame, table& base, table& in, std::size_t bucket, range wanted,
                    const Take& take) {
    std::size_t i = bucket * limits::bucket_words;
    for (std::size_t left = in.words_count(); left != 0; --left, i = in.after(i)) {
      const index_word word =
          in.at(i).load(acquire);  // acquire [word]: the record, from its creator
      if (word.is_empty()) return path::ended;
      if (word.is_frozen()) return path::frozen;
      if (word.mark() == mark::drop) continue;
      auto* record = static_cast<Record*>(word.record());
      frame.publish_record(record);
      if (in.at(i).load(seq_cst).mark() == mark::drop) continue;  // seq_cst [word]: as in walk
      if (root.load(seq_cst) != &base) return path::stale;        // seq_cst [root]: as in walk
      base::note_touched(record, sizeof(Record));
      if (record->hash >= wanted.first && record->hash <= wanted.last) take(*record);
    }
    return path::full;
  }

  enum class ending : std::uint8_t {
    record,
    empty,
    further,  // frozen, or no empty word: the path goes on in the next table
    stale,    // the root has moved: nothing that this table says holds
  };
  struct walked {
    ending how;
    Record* record;
    std::size_t index;  // of the empty word
  };

  // Follows the path of `hash` in table `in`.
  template <class Matches>
  [[gnu::always_inline]] walked walk(hazard_frame& frame, table& base, table& in,
                                     std::uint64_t hash, const Matches& matches,
                                     slot_state& state) {
    std::size_t bucket = in.bucket_of(hash);
    for (std::size_t left = in.buckets_count(); left != 0; --left) {
      const std::size_t first = bucket * limits::bucket_words;
      for (unsigned bits = index_word::worth_a_look(&in.at(first), hash); bits != 0;
           bits &= bits - 1) {
        const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(bits));
        table::word& at = in.at(i);
        // acquire [word]: the record and its key, from its creator
        const index_word word = at.load(acquire);
        if (word.may_lead_to(hash)) {
          auto* record = static_cast<Record*>(word.record());
          frame.publish_record(record);
          // seq_cst [word]: re-check for claim H, this table's half: a dropped word shows it
          if (at.load(seq_cst).mark() == mark::drop) continue;
          // seq_cst [root]: the other half: an older table says `keep` for ever, while a newer one
          // may have dropped
          if (root.load(seq_cst) != &base) return {ending::stale, nullptr, 0};
          base::note_touched(record, sizeof(Record));
          if (record->hash != hash || !matches(*record)) continue;
          state = record->state.look();
          // Not this key's record any more: a newer one is further on.
          if (state.kind() == kind::sealed) continue;
          return {ending::record, record, i};
        }
        if (word.is_empty()) return {ending::empty, nullptr, i};
        if (word.is_frozen()) return {ending::further, nullptr, 0};
      }
      bucket = bucket + 1 == in.buckets_count() ? 0 : bucket + 1;
    }
    return {ending::further, nullptr, 0};
  }

  // A migration is under way, or has just ended: the rest of `find`.
  template <class Matches>
  [[gnu::noinline]] Record* find_further(hazard_frame& frame, std::uint64_t hash,
                                         const Matches& matches, slot_state& state, path_end& end,
                                         table& first, ending how) {
    for (table* base = &first;;) {
      if (how == ending::further) {
        table* next = base->next.load(acquire);  // acquire [next]: the table, from who made it
        if (next == nullptr) {
          end = {base, base, 0, true};
          return nullptr;
        }
        frame.publish_next(next);
        // seq_cst [root]: re-check for claim H
        if (root.load(seq_cst) == base) {
          const walked way = walk(frame, *base, *next, hash, matches, state);
          if (way.how == ending::record) return way.record;
          if (way.how == ending::empty) {
            end = {base, next, way.index, false};
            return nullptr;
          }
          // Frozen or full: that table is being left already, so the root has moved on.
        }
      }
      base = protect_root(frame);
      const walked way = walk(frame, *base, *base, hash, matches, state);
      how = way.how;
      if (how == ending::record) return way.record;
      if (how == ending::empty) {
        end = {base, base, way.index, false};
        return nullptr;
      }
    }
  }

  // One word of the table's room, through a batch that the stripe holds. False: the table is to be
  // left.
  bool take_credit(table& base, stripe& mine) {
    word_credit credit = mine.credit.load(relaxed);  // relaxed: counts, here and below
    while (credit.is_of(base.generation) && credit.words() != 0)
      if (mine.credit.compare_exchange(credit, credit.less_one(), relaxed, relaxed)) return true;
    const std::uint64_t batch = reserve_words(base);
    if (batch == 0) return false;
    if (batch > 1 && !mine.credit.compare_exchange(credit, word_credit(base.generation, batch - 1),
                                                   relaxed, relaxed))
      base.reserved.fetch_sub(batch - 1, relaxed);  // relaxed: somebody else refilled the stripe
    return true;
  }

  // Hands out words up to the table's cap. 0: it is time to leave.
  std::uint64_t reserve_words(table& base) {
    const std::uint64_t words = base.words_count();
    const std::uint64_t cap = base.words_cap();
    // relaxed: counts; `kept` came with the root
    const std::uint64_t kept = base.kept.load(relaxed);
    std::uint64_t reserved = base.reserved.load(relaxed);
    for (;;) {
      if ((reserved & table::closed) != 0 || kept + reserved >= cap) return 0;
      const std::uint64_t batch = std::min(
          std::clamp<std::uint64_t>(words / (64 * stripes_count), 1, 64), cap - kept - reserved);
      if (base.reserved.compare_exchange(reserved, reserved + batch, relaxed, relaxed))
        return batch;
    }
  }

  // Words that the table after `base` must have: for all that `base` can come to hold, and for one
  // creation a chunk of it.
  [[nodiscard]] static std::size_t words_needed(const table& base) {
    return std::max<std::size_t>(base.words_cap(), used_words(base)) + base.chunks;
  }

  // Large enough that what is live fills half, and never smaller than `base`. Where most of it had
  // to be kept last time, erased or not (pinned records), only more words make room.
  void start_growth(table& base) {
    const std::size_t live = present();
    const std::size_t words = base.words_count();
    const std::size_t wanted = words <= 1024 ? 4 * live : 2 * live;
    const std::size_t kept = base.kept.load(relaxed);  // relaxed: came with the root
    const bool stuck = (kept + base.chunks) * 4 > base.words_cap() * 3;
    migration<Record>::start(*this, base,
                             std::max({words, wanted, stuck ? 2 * words : 0, words_needed(base)}));
  }

  // Drops erased records; smaller where that is safe. No more words are handed out first, so that
  // what `base` can come to hold is known.
  void start_clean_up(table& base, std::size_t live) {
    base.reserved.fetch_or(table::closed, relaxed);  // relaxed: a count
    const std::size_t holds = used_words(base) + base.chunks;
    const std::size_t words = base.words_count();
    const std::size_t least = std::min(words, std::max(2 * holds, words / 8));
    migration<Record>::start(*this, base, std::max(std::clamp(4 * live, least, words), holds));
  }

  void finish_migration(hazard_frame& frame, table& base, stripe& mine) {
    migration<Record> move(*this, frame, base, mine);
    while (move.help() == helped::chunk) {
    }
    move.finish();
  }
};

}  // namespace ratchet::inline RATCHET_ABI::native
