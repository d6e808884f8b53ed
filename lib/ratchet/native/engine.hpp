// The life of each verb: index, record, slot, box, guard, in one place.
#pragma once

#include <ratchet/core/hash.hpp>
#include <ratchet/core/options.hpp>
#include <ratchet/core/result.hpp>
#include <ratchet/native/box.hpp>
#include <ratchet/native/collector.hpp>
#include <ratchet/native/creation.hpp>
#include <ratchet/native/record.hpp>
#include <ratchet/native/seed.hpp>
#include <ratchet/native/stats.hpp>
#include <ratchet/native/teardown.hpp>

#include <stdexcept>
#include <vector>

namespace ratchet::inline RATCHET_ABI::native {

// When a write commits, and whether it may create the key. `what` is the kind of the store's
// values.
struct always {
  static constexpr bool creates = true;
  static constexpr bool holds(slot_state, kind) noexcept { return true; }
};
struct when_at {
  version at;
  static constexpr bool creates = false;
  [[nodiscard]] constexpr bool holds(slot_state now, kind what) const noexcept {
    return now.present_at(at, what);
  }
};
struct when_absent {
  static constexpr bool creates = true;
  static constexpr bool holds(slot_state now, kind) noexcept { return !now.present(); }
};
struct when_present {
  static constexpr bool creates = false;
  static constexpr bool holds(slot_state now, kind) noexcept { return now.present(); }
};

template <class Key, class Value, class Options>
class engine {
 public:
  using record_type = record<Key>;

  explicit engine(const config& wanted)
      : memory_(wanted.memory),
        seed_(wanted.hash_seed ? *wanted.hash_seed : random_seed()),
        keys_(wanted.keys_max),
        index_(memory_, sizeof(record_type), wanted.reserve, first_of(wanted)),
        records_(index_, memory_),
        collector_(index_, *this) {}
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  ~engine() {
    if constexpr (!is_inlined<Value>)
      while (unlink_boxes<Value, record_type>(index_)) collector_.drain();
    collector_.drain();
    free_tables(index_, records_);
  }

  // ---- by key ----

  template <class K>
  view<Value> read(const K& key) {
    decltype(auto) form = canonical<Key>(key);
    thread_record& me = self();
    hazard_frame frame(me);
    slot_state seen;
    path_end end;
    record_type* found = index_.find(frame, hash_of(form), equals(form), seen, end);
    return found != nullptr ? show(*found, seen, me) : view<Value>();
  }

  template <class K, class Condition>
  put_result<Value> put(const K& key, Value& value, Condition condition) {
    decltype(auto) form = canonical<Key>(key);
    const std::uint64_t hash = hash_of(form);
    thread_record& me = self();
    stripe& mine = index_.stripe_of(me);
    put_result<Value> result = [&] {
      hazard_frame frame(me);
      pending_value<Value> wanted(value, memory_);
      creation fresh(index_, records_, keys_, mine);
      for (;;) {
        slot_state seen;
        path_end end;
        record_type* found = index_.find(frame, hash, equals(form), seen, end);
        if (found != nullptr) {
          const auto how = put_in(*found, seen, condition, wanted, fresh);
          if (how == written::committed) return put_result<Value>::committed_at(fresh.made);
          if (how == written::conflict || !Condition::creates) {
            view<Value> won = show(*found, seen, me);
            // What could be pinned is newer than what was in the way: it must be in the way too.
            if (!Condition::creates || !condition.holds(seen, kind_of<Value>))
              return put_result<Value>::conflict_with(std::move(won), wanted.take_back());
          }
        } else if constexpr (Condition::creates) {
          if (fresh.link(frame, end, form, hash, kind_of<Value>, wanted.payload())) {
            wanted.stored();
            return put_result<Value>::committed_at(fresh.made);
          }
        } else {
          return put_result<Value>::conflict_with(view<Value>(), wanted.take_back());
        }
      }
    }();
    if constexpr (Condition::creates || !is_inlined<Value>) collector_.work_if_due(me, mine);
    return result;
  }

  template <class K>
  view<Value> erase(const K& key) {
    decltype(auto) form = canonical<Key>(key);
    thread_record& me = self();
    slot_state seen;
    view<Value> removed;
    {
      hazard_frame frame(me);
      path_end end;
      record_type* found = index_.find(frame, hash_of(form), equals(form), seen, end);
      if (found == nullptr) return view<Value>();
      removed = erase_in(*found, seen, me);
    }
    if (removed) after_erase(me);
    return removed;
  }

  template <class K>
  put_result<Value> erase(const K& key, when_at condition) {
    decltype(auto) form = canonical<Key>(key);
    thread_record& me = self();
    put_result<Value> result = [&] {
      hazard_frame frame(me);
      slot_state seen;
      path_end end;
      record_type* found = index_.find(frame, hash_of(form), equals(form), seen, end);
      if (found == nullptr) return put_result<Value>::conflict_with(view<Value>());
      return erase_in(*found, seen, condition, me);
    }();
    if (result) after_erase(me);
    return result;
  }

  // ---- in a record that the caller protects or pins ----

  // What the slot showed: the value pinned, or absent. A boxed value that was replaced before it
  // was pinned is followed, and `seen` with it.
  view<Value> show(record_type& in, slot_state& seen, thread_record& me) {
    if constexpr (is_inlined<Value>) {
      return seen.present() ? view<Value>(decode<Value>(seen.payload()), seen.at())
                            : view<Value>(seen.at());
    } else {
      if (!seen.present()) return view<Value>(seen.at());
      hazard_cell* cell = borrow_cells(me, 1);
      if (!protect_box(in, seen, me, *cell)) {
        clear(*cell);
        return view<Value>(seen.at());
      }
      auto* held = box<Value>::from_payload(seen.payload());
      return view<Value>(&held->value, seen.at(), pin(cell, [](void* lent) noexcept {
        clear(*static_cast<hazard_cell*>(lent));
      }));
    }
  }

  using creation = native::creation<record_type>;
  enum class written : std::uint8_t { committed, conflict, sealed };

  // One compare-and-swap while the condition holds; a lost one shows what won, and the condition
  // looks again. An if_match never holds twice: versions do not come back.
  template <class Condition>
  written put_in(record_type& in, slot_state& seen, Condition condition,
                 pending_value<Value>& wanted, creation& fresh) {
    for (;;) {
      if (seen.kind() == kind::sealed) [[unlikely]]
        return written::sealed;
      if (!condition.holds(seen, kind_of<Value>)) return written::conflict;
      const bool creates = !seen.present();
      const slot_state next(next_version(seen.at()), kind_of<Value>, wanted.payload());
      const auto still_absent = [&] {
        const slot_state was = seen;
        seen = in.state.look();
        return seen == was;
      };
      if (creates && !fresh.admit(still_absent)) continue;
      if (!in.state.commit(seen, next)) continue;
      wanted.stored();
      fresh.made = next.at();
      if (creates)
        fresh.is_present();
      else
        retire_box(seen);
      return written::committed;
    }
  }

  // Removes whatever is there. Returns it, or absent.
  view<Value> erase_in(record_type& in, slot_state& seen, thread_record& me) {
    for (;;) {
      view<Value> there = show(in, seen, me);
      if (!there) return there;
      const slot_state next(next_version(seen.at()), kind::absent, 0);
      if (in.state.commit(seen, next)) {
        retire_box(seen);
        return there;
      }
    }
  }

  put_result<Value> erase_in(record_type& in, slot_state& seen, when_at condition,
                             thread_record& me) {
    while (condition.holds(seen, kind_of<Value>)) {
      const slot_state next(next_version(seen.at()), kind::absent, 0);
      if (!in.state.commit(seen, next)) continue;
      retire_box(seen);
      return put_result<Value>::committed_at(next.at());
    }
    return put_result<Value>::conflict_with(show(in, seen, me));
  }

  // After an erase that committed: counts, and helps the index to drop erased records.
  void after_erase(thread_record& me) {
    stripe& mine = index_.stripe_of(me);
    mine.present.fetch_sub(1, relaxed);  // relaxed: a count
    keys_.leave();
    clean_up(me, mine);
    collector_.work_if_due(me, mine);
  }

  [[nodiscard]] memory& values_memory() noexcept { return memory_; }
  [[nodiscard]] creation creation_for(const thread_record& me) noexcept {
    return creation(index_, records_, keys_, index_.stripe_of(me));
  }
  void after_write(thread_record& me) { collector_.work_if_due(me, index_.stripe_of(me)); }

  // ---- records for handles ----

  // The key's record, pinned once; made absent where there is none.
  template <class K>
  record_type* pin_record(const K& key) {
    decltype(auto) form = canonical<Key>(key);
    const std::uint64_t hash = hash_of(form);
    thread_record& me = self();
    stripe& mine = index_.stripe_of(me);
    record_type* pinned = pin_found_or_made(form, hash, me, mine);
    collector_.work_if_due(me, mine);
    return pinned;
  }
  template <class Form>
  record_type* pin_found_or_made(const Form& form, std::uint64_t hash, thread_record& me,
                                 stripe& mine) {
    hazard_frame frame(me);
    creation fresh(index_, records_, keys_, mine);
    for (;;) {
      slot_state seen;
      path_end end;
      record_type* found = index_.find(frame, hash, equals(form), seen, end);
      if (found != nullptr) {
        pin_protected(*found);
        return found;
      }
      if (fresh.link(frame, end, form, hash, kind::absent, 0, 1)) return fresh.linked;
    }
  }
  static void unpin(record_type& pinned) {
    // release [pin]: all use of the record, to the reclaimer that frees it
    pinned.pins.fetch_sub(1, release);
  }

  // ---- the whole store ----

  // f(const Key&, const view<Value>&, record_type&); the record is pinned meanwhile.
  template <class F>
  void for_each(F&& f) {
    std::uint64_t cursor = 0;
    do {
      pinned_records batch;
      cursor = collect(cursor, batch);
      thread_record& me = self();
      std::vector<record_type*> shown;
      for (record_type* one : batch.records) {
        if (seen_before(shown, *one)) continue;
        slot_state seen = one->state.look();
        const view<Value> there = show(*one, seen, me);
        if (!there) continue;
        shown.push_back(one);
        f(one->key.made(), there, *one);
      }
    } while (cursor != 0);
  }

  // Erases through a record that for_each lent.
  bool erase_in(record_type& in, version at) {
    thread_record& me = self();
    slot_state seen = in.state.look();
    if (!erase_in(in, seen, when_at{at}, me)) return false;
    after_erase(me);
    return true;
  }

  [[nodiscard]] std::size_t size() const noexcept(!RATCHET_EXPLORE) { return index_.present(); }

  void reserve(std::size_t keys) {
    thread_record& me = self();
    stripe& mine = index_.stripe_of(me);
    {
      hazard_frame frame(me);
      index_.grow_for(frame, keys, mine);
    }
    collector_.work_if_due(me, mine);
  }

  void reclaim() {
    thread_record& me = self();
    collector_.work_now(me, index_.stripe_of(me));
  }

  [[nodiscard]] stats stats_now() {
    stats now{};
    hazard_frame frame(self());
    const table& root = *index_.protect_root(frame);
    const domain_facts facts = domain_now();
    now.keys = size();
    now.records = index_.words_in_use(frame, root);
    now.index_words = root.words_count();
    now.index_bytes = root.bytes();
    now.record_bytes = index_.pool.bytes();
    now.floor = version::from_u64(index_.floor.load(relaxed));  // relaxed: a number for people
    now.migrations = index_.migrations.load(relaxed);           // relaxed: as above
    for (std::size_t i = 0; i < index_.stripes_count; ++i) {
      const waiting_amount waits = index_.stripes[i].waiting.amount();
      now.waiting_objects += waits.objects;
      now.waiting_bytes += std::size_t{waits.lines} * limits::cache_line_bytes;
    }
    now.waiting_objects_max = collector_.waiting_max(facts);
    now.barriers = facts.barriers;
    now.barriers_failed = facts.barriers_failed;
    now.asymmetric = facts.asymmetric;
    return now;
  }

  // ---- for the collector ----

  [[nodiscard]] static bool pinned(retired_ref one) {
    // acquire [pin]: all use of the record through handles that have ended
    return one.kind() == retired_kind::record &&
           static_cast<record_type*>(one.get())->pins.load(acquire) != 0;
  }
  [[nodiscard]] static std::uint32_t lines(retired_ref one) noexcept {
    switch (one.kind()) {
      case retired_kind::box:
        return lines_of(sizeof(box<Value>));
      case retired_kind::record:
        return lines_of(sizeof(record_type));
      case retired_kind::table:
        return lines_of(static_cast<table*>(one.get())->bytes());
    }
    return 0;
  }
  void dispose(retired_ref one) {
    switch (one.kind()) {
      case retired_kind::box:
        if constexpr (!is_inlined<Value>)
          box<Value>::destroy(static_cast<box<Value>*>(one.get()), memory_);
        break;
      case retired_kind::record: {
        const thread_record* me = this_thread_record();
        records_.free(static_cast<record_type*>(one.get()),
                      me != nullptr ? index_.stripe_of(*me) : index_.stripes[0]);
        break;
      }
      case retired_kind::table:
        table::destroy(static_cast<table*>(one.get()), memory_);
        break;
    }
  }

 private:
  template <class Form>
  struct matcher {
    const Form& form;
    bool operator()(const record_type& in) const {
      return typename Options::key_equal{}(in.key.get(), form);
    }
  };
  template <class Form>
  static matcher<Form> equals(const Form& form) noexcept {
    return {form};
  }
  template <class Form>
  [[nodiscard]] std::uint64_t hash_of(const Form& form) const {
    return hash_key<Options>(form, seed_);
  }
  static version first_of(const config& wanted) {
    if (wanted.first.to_u64() >= limits::version_max)
      throw std::invalid_argument("ratchet: config.first is " +
                                  std::to_string(wanted.first.to_u64()) + ", accepted are 0 to " +
                                  std::to_string(limits::version_max - 1));
    return wanted.first;
  }

  void clean_up(thread_record& me, stripe& mine) {
    try {
      hazard_frame frame(me);
      index_.after_erase(frame, mine);
    } catch (const std::bad_alloc&) {
      return;  // the erase is done; the next one tries again
    }
  }

  // Publishes the box that `seen` shows and looks again; follows the slot. False: absent by now.
  bool protect_box(record_type& in, slot_state& seen, const thread_record& me, hazard_cell& cell) {
    while (seen.present()) {
      publish(me, cell, box<Value>::from_payload(seen.payload()));
      const slot_state again = in.state.look_again();
      if (again == seen) {
        base::note_touched(box<Value>::from_payload(seen.payload()), sizeof(box<Value>));
        return true;
      }
      seen = again;
    }
    return false;
  }
  void retire_box(slot_state replaced) {
    if constexpr (!is_inlined<Value>) {
      if (replaced.kind() != kind::boxed) return;
      index_.stripe_of(self()).waiting.push(
          retired_ref(box<Value>::from_payload(replaced.payload()), retired_kind::box),
          sizeof(box<Value>));
    }
  }

  static void pin_protected(record_type& in) {
    // relaxed [pin]: the hazard that protects the record is cleared with a release after it, and a
    // reclaimer reads hazards before pins
    if (in.pins.fetch_add(1, relaxed) < limits::pins_max) [[likely]]
      return;
    unpin(in);
    throw limit_error(limit::handles,
                      "as many handles name the key as may: " + std::to_string(limits::pins_max));
  }

  struct pinned_records {
    std::vector<record_type*> records;
    pinned_records() = default;
    pinned_records(const pinned_records&) = delete;
    pinned_records& operator=(const pinned_records&) = delete;
    ~pinned_records() noexcept(!RATCHET_EXPLORE) { let_go(); }
    void let_go() {
      for (record_type* one : records) unpin(*one);
      records.clear();
    }
  };

  // One bucket's worth of records, pinned. Returns the hash to go on from; 0 at the end.
  std::uint64_t collect(std::uint64_t first, pinned_records& into) {
    hazard_frame frame(self());
    for (;;) {
      const auto next = index_.records_from(frame, first, [&](record_type& one) {
        into.records.reserve(into.records.size() + 1);
        pin_protected(one);
        into.records.push_back(&one);
      });
      if (next) return *next;
      into.let_go();
    }
  }
  // The same key again: a record copied meanwhile, or the key's next record.
  static bool seen_before(const std::vector<record_type*>& shown, const record_type& one) {
    return std::any_of(shown.begin(), shown.end(), [&](const record_type* other) {
      return other == &one || (other->hash == one.hash &&
                               typename Options::key_equal{}(other->key.get(), one.key.get()));
    });
  }

  memory memory_;
  std::uint64_t seed_;
  key_limit keys_;
  index<record_type> index_;
  record_source<record_type> records_;
  collector<engine> collector_;
};

}  // namespace ratchet::inline RATCHET_ABI::native
