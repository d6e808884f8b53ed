// Every call of a store, of its handles and of the patterns, once each, from a store that holds
// keys in each state. What throws at the k-th chance is the test's affair.
#pragma once

#include <ratchet/patterns/ceiling.hpp>
#include <ratchet/patterns/wallet.hpp>

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "snapshot.hpp"
#include "unit/stores.hpp"

namespace tests {

// What a call asks for on its way, and so what can go wrong in it.
enum wants : unsigned {
  nothing = 0,
  boxing = 1,    // memory for a value that is not inlined
  memory = 2,    // memory, whatever the value
  code = 4,      // the user's hash, equality, copy, move, function or clock
  in_parts = 8,  // takes effect key by key: what was done before a fault stays done
};

// A store and its handles. Keys 0 to 3 are present, 4 was replaced once, 5 is erased, 6 has a
// handle and no value, from 7 on they were never made.
template <class Store, class Samples>
class prepared {
 public:
  using samples = Samples;
  using store_type = Store;
  using value_type = typename Store::value_type;

  explicit prepared(const ratchet::config& wanted = {}) : store(wanted) {
    for (int n = 0; n < 6; ++n) made[n] = store.put(key(n), value(n));
    made[4] = store.put(key(4), value(40));
    (void)store.erase(key(5));
    if constexpr (has_handles<Store>)
      for (int n = 0; n < 7; ++n) handles.push_back(store.at(key(n)));
    for (int n = 0; n < fill; ++n) store.put(key(100 + n), value(n));
    for (int n = fill_left; n < fill; ++n) (void)store.erase(key(100 + n));
  }

  static auto key(int n) { return Samples::key(n); }
  static value_type value(int n) { return Samples::value(n); }
  [[nodiscard]] snapshot look() const {
    std::vector<typename Store::key_type> keys;
    keys.reserve(12);
    for (int n = 0; n < 12; ++n) keys.push_back(key(n));
    return take_snapshot(store, keys, &Samples::text);
  }

  // Other keys made too, so that a call may find no room left.
  inline static int fill = 0;
  inline static int fill_left = 1'000;  // of them: not erased again

  Store store;
  ratchet::version made[6];
  // A handle is what `at` answers; stores without handles have none.
  template <class S>
  static auto handle_of(S& from) {
    if constexpr (has_handles<S>)
      return from.at(key(0));
    else
      return 0;
  }
  std::deque<decltype(handle_of(std::declval<Store&>()))> handles;
};

template <class World>
struct one_call {
  std::string name;
  unsigned asks;
  std::function<void(World&)> run;
};
template <class World>
using calls_of = std::vector<one_call<World>>;

// The put verbs, by key or by handle: `put(n, number, condition...)` writes sample `number`.
template <class World, class Put>
void add_puts(calls_of<World>& all, const std::string& how, unsigned asks, Put put) {
  using ratchet::if_absent;
  using ratchet::if_match;
  using ratchet::if_present;
  const auto add = [&](const char* name, unsigned more, std::function<void(World&)> run) {
    all.push_back({how + name, asks | more, std::move(run)});
  };
  add("put replaces", boxing, [=](World& w) { put(w, 1, 9); });
  add("put creates again", boxing, [=](World& w) { put(w, 5, 9); });
  add("put if_match", boxing, [=](World& w) { EXPECT_TRUE(put(w, 4, 9, if_match(w.made[4]))); });
  add("put if_match conflicts", nothing,
      [=](World& w) { EXPECT_FALSE(put(w, 4, 9, if_match(w.made[0]))); });
  add("put if_match on erased", nothing,
      [=](World& w) { EXPECT_FALSE(put(w, 5, 9, if_match(w.made[5]))); });
  add("put if_absent", boxing, [=](World& w) { EXPECT_TRUE(put(w, 5, 9, if_absent)); });
  add("put if_absent conflicts", nothing, [=](World& w) { EXPECT_FALSE(put(w, 1, 9, if_absent)); });
  add("put if_present", boxing, [=](World& w) { EXPECT_TRUE(put(w, 1, 9, if_present)); });
  add("put if_present on erased", nothing,
      [=](World& w) { EXPECT_FALSE(put(w, 5, 9, if_present)); });
}

template <class World>
void add_verbs_by_key(calls_of<World>& all) {
  using ratchet::if_absent;
  using ratchet::if_match;
  using ratchet::if_present;
  using W = World;
  add_puts<W>(all, "", code, [](W& w, int n, int number, auto... condition) {
    return w.store.put(W::key(n), W::value(number), condition...);
  });
  const auto add = [&](const char* name, unsigned asks, std::function<void(W&)> run) {
    all.push_back({name, asks, std::move(run)});
  };
  add("put creates", memory | code, [](W& w) { w.store.put(W::key(7), W::value(9)); });
  add("put if_absent creates", memory | code,
      [](W& w) { EXPECT_TRUE(w.store.put(W::key(7), W::value(9), if_absent)); });
  add("put if_match on no record", code,
      [](W& w) { EXPECT_FALSE(w.store.put(W::key(7), W::value(9), if_match(w.made[1]))); });
  add("put if_present on no record", code,
      [](W& w) { EXPECT_FALSE(w.store.put(W::key(7), W::value(9), if_present)); });
  add("get", code, [](W& w) { EXPECT_TRUE(w.store.get(W::key(1))); });
  add("get absent", code, [](W& w) { EXPECT_FALSE(w.store.get(W::key(7))); });
  add("read", code, [](W& w) { EXPECT_TRUE(w.store.read(W::key(1))); });
  add("erase", code, [](W& w) { EXPECT_TRUE(w.store.erase(W::key(1))); });
  add("erase absent", code, [](W& w) { EXPECT_FALSE(w.store.erase(W::key(7))); });
  add("erase if_match", code,
      [](W& w) { EXPECT_TRUE(w.store.erase(W::key(4), if_match(w.made[4]))); });
  add("erase if_match conflicts", code,
      [](W& w) { EXPECT_FALSE(w.store.erase(W::key(4), if_match(w.made[0]))); });
}

template <class World>
void add_whole_store(calls_of<World>& all) {
  using W = World;
  const auto add = [&](const char* name, unsigned asks, std::function<void(W&)> run) {
    all.push_back({name, asks, std::move(run)});
  };
  add("for_each", code, [](W& w) {
    w.store.for_each([](const auto&, const auto&, auto) { World::samples::step(); });
  });
  add("erase_if", code | in_parts, [](W& w) {
    EXPECT_LE(w.store.erase_if([](const auto&, const auto& value, auto) {
      World::samples::step();
      return World::samples::text(value) == World::samples::text(World::value(1));
    }),
              1u);
  });
  add("size", nothing, [](W& w) { (void)w.store.size(); });
  if constexpr (has_handles<typename W::store_type>) {
    add("reserve", memory, [](W& w) { w.store.reserve(2'000); });
    add("stats_now", nothing, [](W& w) { (void)w.store.stats_now(); });
    add("reclaim", nothing, [](W& w) { w.store.reclaim(); });
    add("at a present key", code, [](W& w) { (void)w.store.at(W::key(1)); });
    add("at a key without a record", memory | code, [](W& w) { (void)w.store.at(W::key(7)); });
  }
}

// mutate, by key or by handle: `mutate(world, n, f...)`.
template <class World, class Mutate>
void add_mutates(calls_of<World>& all, const std::string& how, Mutate mutate) {
  using W = World;
  using V = typename World::value_type;
  using answer = typename World::samples::answer;
  using decided = ratchet::decision<V, answer>;
  const auto add = [&](const char* name, unsigned asks, std::function<void(W&)> run) {
    all.push_back({how + name, asks | code, std::move(run)});
  };
  const auto put = [](const V*, auto...) {
    World::samples::step();
    return decided::put(W::value(9), answer(1));
  };
  const auto erase = [](const V*) {
    World::samples::step();
    return decided::erase(answer(2));
  };
  const auto keep = [](const V*) {
    World::samples::step();
    return decided::keep(answer(3));
  };
  struct clock {
    int now() {
      World::samples::step();
      return 1;
    }
  };
  add("mutate replaces", boxing, [=](W& w) { EXPECT_TRUE(mutate(w, 1, put)); });
  add("mutate with a clock", boxing, [=](W& w) {
    clock time;
    EXPECT_TRUE(mutate(w, 1, time, put));
  });
  add("mutate creates again", boxing, [=](W& w) { EXPECT_TRUE(mutate(w, 5, put)); });
  add("mutate erases", nothing, [=](W& w) { EXPECT_TRUE(mutate(w, 1, erase)); });
  add("mutate erases nothing", nothing, [=](W& w) { EXPECT_FALSE(mutate(w, 5, erase)); });
  add("mutate keeps", nothing, [=](W& w) { EXPECT_FALSE(mutate(w, 1, keep)); });
}

template <class World>
void add_handles(calls_of<World>& all) {
  using ratchet::if_match;
  using W = World;
  // A value on its way into a box is moved; an inlined one only as the caller made it.
  add_puts<W>(all, "handle: ", code, [](W& w, int n, int number, auto... condition) {
    return w.handles[static_cast<std::size_t>(n)].put(W::value(number), condition...);
  });
  add_mutates<W>(all, "handle: ", [](W& w, int n, auto&&... rest) {
    return w.handles[static_cast<std::size_t>(n)].mutate(rest...);
  });
  const auto add = [&](const char* name, unsigned asks, std::function<void(W&)> run) {
    all.push_back({name, asks, std::move(run)});
  };
  add("handle: put creates", boxing | code, [](W& w) { w.handles[6].put(W::value(9)); });
  add("handle: get", code, [](W& w) { EXPECT_TRUE(w.handles[1].get()); });
  add("handle: read", nothing, [](W& w) { EXPECT_TRUE(w.handles[1].read()); });
  add("handle: erase", nothing, [](W& w) { EXPECT_TRUE(w.handles[1].erase()); });
  add("handle: erase absent", nothing, [](W& w) { EXPECT_FALSE(w.handles[6].erase()); });
  add("handle: erase if_match", nothing,
      [](W& w) { EXPECT_TRUE(w.handles[4].erase(if_match(w.made[4]))); });
  add("handle: erase if_match conflicts", nothing,
      [](W& w) { EXPECT_FALSE(w.handles[4].erase(if_match(w.made[0]))); });
}

template <class World>
void add_patterns(calls_of<World>& all) {
  using W = World;
  const auto add = [&](const char* name, unsigned asks, std::function<void(W&)> run) {
    all.push_back({name, asks | code, std::move(run)});
  };
  const auto count = [](W& w) { return ratchet::ceiling(w.store); };
  const auto money = [](W& w) { return ratchet::wallet(w.store); };
  add("ceiling grants", nothing,
      [=](W& w) { EXPECT_TRUE(count(w).try_acquire(W::key(1), 100, 5)); });
  add("ceiling creates", memory, [=](W& w) { EXPECT_TRUE(count(w).try_acquire(W::key(7), 5)); });
  add("ceiling denies", nothing,
      [=](W& w) { EXPECT_FALSE(count(w).try_acquire(W::key(7), 1, 2)); });
  add("ceiling taken", nothing, [=](W& w) { EXPECT_EQ(count(w).taken(W::key(1)), W::value(1)); });
  add("wallet opens", memory, [=](W& w) { EXPECT_TRUE(money(w).open(W::key(7), 50)); });
  add("wallet opens again", nothing, [=](W& w) { EXPECT_TRUE(money(w).open(W::key(5), 50)); });
  add("wallet exists", nothing, [=](W& w) { EXPECT_FALSE(money(w).open(W::key(1), 50)); });
  add("wallet credit", nothing, [=](W& w) { EXPECT_TRUE(money(w).credit(W::key(1), 5)); });
  add("wallet debit", nothing, [=](W& w) { EXPECT_TRUE(money(w).debit(W::key(4), 1)); });
  add("wallet insufficient", nothing, [=](W& w) { EXPECT_FALSE(money(w).debit(W::key(1), 999)); });
  add("wallet missing", nothing, [=](W& w) { EXPECT_FALSE(money(w).credit(W::key(7), 5)); });
  add("wallet balance", nothing, [=](W& w) { EXPECT_TRUE(money(w).balance(W::key(1))); });
}

template <class World>
calls_of<World> every_call() {
  calls_of<World> all;
  add_verbs_by_key(all);
  add_mutates<World>(all, "", [](World& w, int n, auto&&... rest) {
    return w.store.mutate(World::key(n), rest...);
  });
  all.push_back({"mutate creates", memory | code, [](World& w) {
                   EXPECT_TRUE(
                       w.store.mutate(World::key(7), [](const auto*) { return World::value(9); }));
                 }});
  add_whole_store(all);
  if constexpr (has_handles<typename World::store_type>) add_handles(all);
  if constexpr (std::is_same_v<typename World::value_type, std::int64_t>) add_patterns(all);
  return all;
}

// How often each call was stopped, and that the last of its chances lets it through: from each
// fault to the next the store is as it was, and the call then works as if nothing had been.
struct fault_report {
  std::uint64_t sites = 0;   // (call, k) that tripped
  std::uint64_t thrown = 0;  // of them: seen by the caller
};

// `Fault`: arm(k), disarm(), has_tripped(), config(), error_type; leak() is what is out too many.
template <class World, class Fault>
fault_report fail_each(const one_call<World>& call) {
  fault_report report;
  snapshot done;
  {
    Fault fault;
    World whole(fault.config());
    call.run(whole);
    done = whole.look();
  }
  for (std::uint64_t k = 1;; ++k) {
    SCOPED_TRACE("chance " + std::to_string(k));
    EXPECT_LT(k, 10'000u) << "the call asks without end";
    if (::testing::Test::HasFailure()) return report;
    Fault fault;
    bool has_tripped = false;
    {
      World world(fault.config());
      const snapshot before = world.look();
      const auto alive = Fault::alive();
      bool has_thrown = false;
      fault.arm(k);
      try {
        call.run(world);
      } catch (const typename Fault::error_type&) {
        has_thrown = true;
      }
      has_tripped = fault.has_tripped();
      fault.disarm();
      if (has_thrown) {
        const snapshot after = world.look();
        EXPECT_TRUE(after == before || ((call.asks & in_parts) != 0 && after == done));
        if (after == before) {
          EXPECT_EQ(Fault::alive(), alive) << "something leaked, or died twice";
        }
        if (after == before) call.run(world);  // and it succeeds once nothing is in the way
      }
      EXPECT_TRUE(has_tripped || !has_thrown);
      EXPECT_EQ(world.look(), done);
      report.sites += has_tripped ? 1 : 0;
      report.thrown += has_thrown ? 1 : 0;
    }
    EXPECT_EQ(fault.leak(), 0);
    if (!has_tripped) return report;
  }
}

}  // namespace tests
