// F29: tables are told apart by numbers that never come round, however long a store lives and its
// index moves: each word that leads to a record is counted, in whatever table.
#include <limits>

#include "stores.hpp"

#if RATCHET_TESTS_NATIVE

namespace {

namespace native = ratchet::native;
using native::relaxed;

// The index of a store whose next table is the `number`-th.
class aged_index {
 public:
  using record = native::record<std::uint64_t>;

  explicit aged_index(std::uint64_t number) {
    native::table::destroy(index_.root.load(relaxed), memory_);
    index_.root.store(native::table::make(memory_, 1, number, 0), native::release);
  }
  aged_index(const aged_index&) = delete;
  aged_index& operator=(const aged_index&) = delete;
  ~aged_index() {
    drain();
    native::free_tables(index_, records_);
  }

  void create(std::uint64_t key) {
    native::thread_record& me = native::self();
    native::hazard_frame frame(me);
    native::creation<record> fresh(index_, records_, keys_, index_.stripe_of(me));
    const std::uint64_t hash = ratchet::detail::hash_word(key, 1);
    for (;;) {
      native::slot_state seen;
      native::path_end end;
      const auto same = [&](const record& in) { return in.key.get() == key; };
      if (index_.find(frame, hash, same, seen, end) != nullptr) return;
      if (fresh.link(frame, end, key, hash, native::kind::inlined, 0)) return;
    }
  }
  // Between two migrations: words that the root says may lead to records. Null: in the middle.
  [[nodiscard]] std::optional<std::uint64_t> counted_words() {
    const native::table& root = *index_.root.load(native::acquire);
    if (root.next.load(native::acquire) != nullptr) return std::nullopt;
    return native::index<record>::used_words(root);
  }
  [[nodiscard]] std::uint64_t migrations() const { return index_.migrations.load(relaxed); }

 private:
  void drain() {
    for (std::size_t i = 0; i < index_.stripes_count; ++i)
      for (auto one = index_.stripes[i].waiting.take_all(); one;) {
        const auto next = one.get()->next();
        native::table::destroy(static_cast<native::table*>(one.get()), memory_);
        one = next;
      }
  }

  native::memory memory_{nullptr};
  native::index<record> index_{memory_, sizeof(record), 0, ratchet::version()};
  native::record_source<record> records_{index_, memory_};
  native::key_limit keys_{std::numeric_limits<std::size_t>::max()};
};

TEST(room, F29_every_word_is_counted_in_every_table_that_a_store_may_live_to_see) {
  for (const unsigned bits : {8u, 16u, 24u, 32u, 48u, 56u}) {
    for (const std::uint64_t before : {3u, 2u, 1u, 0u}) {
      SCOPED_TRACE("table 2^" + std::to_string(bits) + " - " + std::to_string(before));
      aged_index index((std::uint64_t{1} << bits) - before);
      std::uint64_t looks = 0;
      for (std::uint64_t key = 1; key <= 1'000; ++key) {
        index.create(key);
        const auto counted = index.counted_words();
        if (!counted) continue;
        ++looks;
        ASSERT_GE(*counted, key);
      }
      EXPECT_GT(looks, 100u);
      EXPECT_GE(index.migrations(), 3u);
    }
  }
}

}  // namespace

#endif
