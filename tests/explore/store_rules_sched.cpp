// Programs in which one rule of the store alone stands between a caller and what has been freed, or
// between two callers and one place. What a thread keeps over its calls is kept here.
#include "store_rows.hpp"

using namespace world;

namespace {

namespace native = ratchet::native;

template <class Value>
struct scene {
  using store = ratchet::store<std::uint64_t, Value, placed>;
  using body = std::function<void(store&)>;

  body before = [](store&) {};
  std::vector<body> threads;
  body finish = [](store&) {};
  body let_go = [](store&) {};  // of what the threads kept
  std::size_t keys_max = ratchet::config{}.keys_max;
  std::size_t reserve = 0;
};

struct ready {
  explore::program as_is;
  explore::program get() const { return as_is; }
};

// Wants no use after the end, none that the scene finds fault with, and nothing left over.
template <class Value>
void expect_none_wrong(const scene<Value>& s, explore::options options) {
  explore::shared_state<typename scene<Value>::store> shared;
  std::vector<native::thread_record*> records(s.threads.size());
  explore::program p;
  p.setup = [&] {
    native::forget_threads();
    native::set_this_thread_record(nullptr);
    ratchet::config wanted{.memory = &explore::memory_of_execution(), .hash_seed = 0};
    wanted.keys_max = s.keys_max;
    wanted.reserve = s.reserve;
    s.before(shared.emplace(wanted));
    for (auto& record : records) {
      native::set_this_thread_record(nullptr);
      record = &native::attach_thread();
    }
    native::set_this_thread_record(records[0]);
  };
  for (std::size_t t = 0; t < s.threads.size(); ++t)
    p.threads.push_back([&, t] {
      native::set_this_thread_record(records[t]);
      s.threads[t](*shared);
    });
  p.finish = [&] { s.finish(*shared); };
  p.teardown = [&] {
    s.let_go(*shared);
    shared.destroy();
    explore::require(explore::live_blocks().blocks == 0, "the store left blocks behind");
  };
  row covered;
  EXPECT_TRUE(covered.covers(ready{std::move(p)}, options));
}

explore::options sequential(unsigned preemptions) {
  return bounded(explore::memory::sequential, preemptions);
}
explore::options older(bool asymmetric = true) {
  return bounded(explore::memory::older_values, 1, asymmetric, 1);
}

using words = scene<std::uint64_t>;
using boxes = scene<witness>;

void create(words::store& s, std::initializer_list<std::uint64_t> keys) {
  for (const std::uint64_t key : keys) (void)s.put(key, key, if_absent);
}
void require_a_drop(words::store& s) {
  explore::require(s.stats_now().floor != version(), "no record was dropped: nothing is shown");
}

// The reader's table says `keep` for ever, while a later one dropped the record.
TEST(generations, a_reader_tables_behind_does_not_touch_what_was_dropped_since) {
  expect_none_wrong<std::uint64_t>({.before = one_key<words::store>,
                                    .threads = {[](auto& s) {
                                                  create(s, {2});
                                                  (void)s.erase(1);
                                                  create(s, {3, 4, 5});
                                                  s.reclaim();
                                                },
                                                [](auto& s) { (void)s.read(1); }},
                                    .finish = require_a_drop},
                                   sequential(1));
}

// The reader goes on to the next table, which is left and freed meanwhile.
TEST(generations, a_reader_on_its_way_to_the_next_table_does_not_touch_a_freed_one) {
  expect_none_wrong<std::uint64_t>({.before = one_key<words::store>,
                                    .threads = {[](auto& s) {
                                                  create(s, {2, 3, 4, 5});
                                                  s.reclaim();
                                                },
                                                [](auto& s) { (void)s.read(2); }},
                                    .finish =
                                        [](auto& s) {
                                          explore::require(
                                              s.stats_now().migrations >= 2,
                                              "one table alone was left: nothing is shown");
                                        }},
                                   sequential(2));
}

// Two erased keys beside each other: who drops them lets go of the first for the second, before the
// root has moved. From then on only the dropped word shows that the first is not to be touched.
void two_tombstones(words::store& s) {
  create(s, {1, 2});
  (void)s.erase(1);
  (void)s.erase(2);
}

TEST(readers, look_again_at_the_word_of_a_record_that_may_be_freed_already) {
  expect_none_wrong<std::uint64_t>(
      {.before = two_tombstones,
       .threads = {[](auto& s) { (void)s.read(1); }, [](auto& s) { create(s, {3}); },
                   [](auto& s) { s.reclaim(); }},
       .finish = require_a_drop,
       .reserve = 2},
      sequential(2));
}

// The second creation does over what the first thread has claimed.
TEST(movers, look_again_at_the_word_of_a_record_that_may_be_freed_already) {
  expect_none_wrong<std::uint64_t>(
      {.before = two_tombstones,
       .threads = {[](auto& s) { create(s, {3}); }, [](auto& s) { create(s, {4, 5}); },
                   [](auto& s) { s.reclaim(); }},
       .finish = require_a_drop,
       .reserve = 2},
      sequential(2));
}

// The helper saw the key present, and lost the decision to one that saw it erased.
TEST(movers, a_helper_obeys_the_decision_that_stands) {
  expect_none_wrong<std::uint64_t>({.before = one_key<words::store>,
                                    .threads = {[](auto& s) { create(s, {2}); },
                                                [](auto& s) {
                                                  (void)s.erase(1);
                                                  create(s, {3});
                                                  s.reclaim();
                                                }},
                                    .finish = [](auto& s) { (void)s.read(1); }},
                                   sequential(1));
}

// Taken while its record is dropped, and used after the reclaimer has been there.
TEST(handles, one_that_is_kept_keeps_its_record) {
  explore::shared_state<words::store::handle> kept;
  expect_none_wrong<std::uint64_t>({.before = one_tombstone<words::store>,
                                    .threads = {[](auto& s) {
                                                  create(s, {2});
                                                  s.reclaim();
                                                },
                                                [&](auto& s) { kept.emplace(s.at(1)); }},
                                    .finish = [&](auto&) { (void)kept->read(); },
                                    .let_go = [&](auto&) { kept.destroy(); }},
                                   sequential(2));
}

using shared_handle = explore::shared_state<boxes::store::handle>;

boxes::body one_key_held(shared_handle& by) {
  return [&by](boxes::store& s) {
    one_key(s);
    by.emplace(s.at(1));
  };
}

// The value is read and replaced between two steps of the reclaimer.
TEST(views, one_that_is_kept_keeps_what_its_own_thread_replaced) {
  shared_handle by;
  expect_none_wrong<witness>({.before = one_key_held(by),
                              .threads = {[&](auto&) {
                                            const auto seen = by->read();
                                            by->put(witness(6));
                                            (void)seen->checked();
                                          },
                                          [](auto& s) { s.reclaim(); }},
                              .let_go = [&](auto&) { by.destroy(); }},
                             sequential(2));
}

// A replaced value waits only once nobody can find it.
TEST(views, a_reclaimer_that_reads_finds_a_value_that_lives) {
  shared_handle by;
  expect_none_wrong<witness>({.before = one_key_held(by),
                              .threads = {[&](auto&) { by->put(witness(6)); },
                                          [&](auto& s) {
                                            s.reclaim();
                                            (void)by->read()->checked();
                                          }},
                              .let_go = [&](auto&) { by.destroy(); }},
                             sequential(2));
}

TEST(losers, of_a_conditional_put_leave_nothing_behind) {
  const auto body = [](boxes::store& s) {
    const version at = s.read(1).version();
    (void)s.put(1, witness(6), if_match(at));
    s.reclaim();
  };
  expect_none_wrong<witness>({.before = one_key<boxes::store>, .threads = {body, body}},
                             sequential(1));
}

// What was in the way may be replaced and erased before it could be shown.
TEST(losers, of_a_creation_are_shown_what_was_in_the_way) {
  expect_none_wrong<witness>({.before = one_key<boxes::store>,
                              .threads = {[](auto& s) {
                                            const auto made = s.put(1, witness(7), if_absent);
                                            explore::require(
                                                made || made.current().get() != nullptr,
                                                "a conflict of if_absent shows an absent key");
                                          },
                                          [](auto& s) {
                                            s.put(1, witness(6));
                                            (void)s.erase(1);
                                          }}},
                             sequential(2));
}

TEST(admission, keys_max_holds_where_two_create_at_once) {
  const auto creates = [](std::uint64_t key) {
    return [key](words::store& s) {
      try {
        create(s, {key});
      } catch (const ratchet::limit_error&) {  // the other one was admitted
      }
    };
  };
  expect_none_wrong<std::uint64_t>(
      {.threads = {creates(1), creates(2)},
       .finish = [](auto& s) { explore::require(s.size() <= 1, "more keys than keys_max"); },
       .keys_max = 1},
      sequential(2));
}

// What a caller wrote before its put is seen by who loses to that put: the loser's order.
TEST(older_values, of_all_that_came_before_what_won_a_lost_put_sees_none) {
  explore::shared_state<ratchet::base::atomic<std::uint64_t>> note;
  expect_none_wrong<std::uint64_t>(
      {.before =
           [&](auto& s) {
             one_key(s);
             note.emplace();
           },
       .threads = {[&](auto& s) {
                     note->store(1, ratchet::base::relaxed);
                     s.put(1, 6);
                   },
                   [&](auto& s) {
                     const auto lost = s.put(1, 7, if_match(s.read(1).version()));
                     explore::require(lost || note->load(ratchet::base::relaxed) == 1,
                                      "who lost does not see what came before");
                   }}},
      older());
}

// One moves the first chunk, the other the second and the root.
TEST(older_values, of_what_another_moved_are_not_met_behind_the_root) {
  expect_none_wrong<std::uint64_t>({.before =
                                        [](auto& s) {
                                          s.reserve(3);
                                          s.put(1, 5);
                                        },
                                    .threads = {[](auto& s) { create(s, {2}); },
                                                [](auto& s) {
                                                  create(s, {200});  // in another bucket
                                                  explore::require(
                                                      s.read(1).get() != nullptr,
                                                      "a key is missing in the new table");
                                                }}},
                                   older());
}

TEST(older_values, of_the_root_do_not_lead_a_reader_to_what_was_dropped_since) {
  expect_none_wrong<std::uint64_t>({.before = one_key<words::store>,
                                    .threads = {[](auto& s) {
                                                  create(s, {2});
                                                  (void)s.erase(1);
                                                  create(s, {3, 4, 5});
                                                  s.reclaim();
                                                },
                                                [](auto& s) { (void)s.read(1); }},
                                    .finish = require_a_drop},
                                   older(false));
}

}  // namespace
