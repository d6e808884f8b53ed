// The end of a store. Its owner is alone: no call is in flight, no view or handle alive.
#pragma once

#include <ratchet/native/box.hpp>
#include <ratchet/native/index_state.hpp>

namespace ratchet::inline RATCHET_ABI::native {

template <class Record, class Visit>
void each_record(table& in, Visit visit) {
  for (std::size_t i = 0; i < in.words_count(); ++i) {
    const index_word word = in.at(i).load(relaxed);  // relaxed: the owner is alone
    if (word.is_record() && word.mark() != mark::drop) visit(*static_cast<Record*>(word.record()));
  }
}

// Values end first, while the store still answers: their destructors may use it. True: there were
// some, and they wait for the collector; look again when it is done.
template <class Value, class Record>
bool unlink_boxes(index_state& index) {
  bool found = false;
  const auto unlink = [&](Record& in) {
    slot_state seen = in.state.look();
    if (seen.kind() != kind::boxed) return;
    const auto payload = seen.payload();
    if (!in.state.commit(seen, slot_state(seen.at(), kind::absent, 0))) return;
    index.stripes[0].waiting.push(retired_ref(box<Value>::from_payload(payload), retired_kind::box),
                                  sizeof(box<Value>));
    found = true;
  };
  table* root = index.root.load(acquire);  // acquire [root]: the owner is alone
  each_record<Record>(*root, unlink);
  table* next = root->next.load(acquire);  // acquire [next]: as above
  if (next != nullptr) each_record<Record>(*next, unlink);
  return found;
}

// A record may be in two tables: the old one's are marked by a pin, and freed last.
template <class Records>
void free_tables(index_state& index, Records& records) {
  using record = typename Records::record_type;
  table* root = index.root.load(acquire);  // acquire [root]: the owner is alone
  table* next = root->next.load(acquire);  // acquire [next]: as above
  stripe& any = index.stripes[0];
  if (next != nullptr) {
    each_record<record>(*root, [](record& in) { in.pins.store(1, relaxed); });  // relaxed: as above
    each_record<record>(*next, [&](record& in) {
      if (in.pins.load(relaxed) == 0) records.free(&in, any);  // relaxed: as above
    });
    table::destroy(next, index.mem);
  }
  each_record<record>(*root, [&](record& in) { records.free(&in, any); });
  table::destroy(root, index.mem);
}

}  // namespace ratchet::inline RATCHET_ABI::native
