// Making a key present: what that takes, and gives back when it does not come to it.
#pragma once

#include <ratchet/native/index.hpp>
#include <ratchet/native/record_source.hpp>

#include <limits>
#include <string>
#include <utility>

namespace ratchet::inline RATCHET_ABI::native {

// Keys present or about to be, counted only where config.keys_max asks for it: the one store-wide
// counter, which creations and erases then share.
class key_limit {
 public:
  explicit key_limit(std::size_t keys_max) noexcept : keys_max_(keys_max) {}

  // False: all places are taken.
  bool enter() {
    // relaxed: a count; never above the limit, since each takes its place before it commits
    if (!limited() || keys_.fetch_add(1, relaxed) < keys_max_) return true;
    leave();
    return false;
  }
  void leave() noexcept(!RATCHET_EXPLORE) {
    if (!limited()) return;
    keys_.fetch_sub(1, relaxed);  // relaxed: a count
  }
  [[noreturn, gnu::cold]] void refuse() const {
    throw limit_error(limit::keys, "the store holds keys_max = " + std::to_string(keys_max_) +
                                       " keys and takes no other");
  }

 private:
  [[nodiscard]] bool limited() const noexcept {
    return keys_max_ != std::numeric_limits<std::size_t>::max();
  }

  std::size_t keys_max_;
  // On a line of its own: creations write it, and every look-up reads what would lie beside it.
  // 64 bits: above keys_max by one a caller at most, and never with keys_max at the end.
  alignas(limits::cache_line_bytes) base::atomic<std::size_t> keys_;
};

// What one write may need on its way: a key's admission, a word's room, a record.
template <class Record>
class creation {
 public:
  creation(index<Record>& index, record_source<Record>& records, key_limit& keys,
           stripe& mine) noexcept
      : index_(index), records_(records), keys_(keys), mine_(mine) {}
  creation(const creation&) = delete;
  creation& operator=(const creation&) = delete;
  ~creation() noexcept(!RATCHET_EXPLORE) {
    if (record_ != nullptr) records_.free(record_, mine_);
    index_.give_back(room_, mine_);
    if (admitted_) keys_.leave();
  }

  // Before a commit that makes the key present. `still_absent` is asked when all places are taken:
  // somebody else may have made the key meanwhile. False: so it is, look again. Throws
  // limit_error{limit::keys}.
  template <class Absent>
  bool admit(Absent still_absent) {
    if (admitted_ || keys_.enter()) return admitted_ = true;
    if (still_absent()) keys_.refuse();
    return false;
  }
  // After that commit.
  void is_present() {
    admitted_ = false;
    mine_.present.fetch_add(1, relaxed);  // relaxed: a count
  }

  // True: the key's record is linked, and for a present kind the value committed.
  template <class Form>
  bool link(hazard_frame& frame, const path_end& end, const Form& key, std::uint64_t hash,
            kind what, std::uint64_t payload, std::uint32_t pins = 0) {
    if (record_ == nullptr) record_ = records_.make(key, hash, mine_);
    record_->pins.store(pins, relaxed);  // relaxed: published with the record
    if (!index_.make_room(frame, end, room_, mine_)) return false;
    // Last, so that nothing that takes time holds a place.
    if (what != kind::absent && !admit([&] { return index_.still_empty(end); })) return false;
    if (!index_.link(end, *record_, what, payload, room_, made)) return false;
    linked = std::exchange(record_, nullptr);
    if (what != kind::absent) is_present();
    return true;
  }

  version made;              // the version committed
  Record* linked = nullptr;  // by link

 private:
  index<Record>& index_;
  record_source<Record>& records_;
  key_limit& keys_;
  stripe& mine_;
  Record* record_ = nullptr;
  typename index<Record>::room room_;
  bool admitted_ = false;
};

}  // namespace ratchet::inline RATCHET_ABI::native
