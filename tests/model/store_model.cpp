// Random programs of one thread against std::map: every answer of every verb is what the model
// says, and versions keep their promises. V1 and V2 are checked on the versions the store answers
// with, since a key made anew after its record was dropped may jump.
#include <rapidcheck.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "unit/stores.hpp"

namespace {

using ratchet::if_absent;
using ratchet::if_match;
using ratchet::if_present;
using ratchet::outcome;
using ratchet::version;

enum class verb : std::uint8_t {
  get,
  put,
  put_if_match,
  put_if_absent,
  put_if_present,
  erase,
  erase_if_match,
  mutate,
  mutate_erase,
  for_each,
  erase_if,
  size
};
constexpr int verbs = 12;

struct step {
  verb what;
  std::uint32_t key;
  std::uint32_t value;
  std::uint32_t token;  // which of the versions seen so far a condition names; 0: the current one
};

std::ostream& operator<<(std::ostream& out, const step& s) {
  return out << "{verb " << static_cast<int>(s.what) << ", key " << s.key << ", value " << s.value
             << ", token " << s.token << "}";
}

rc::Gen<step> any_step(std::uint32_t keys) {
  // Whole-store verbs are rare: each costs as much as many others.
  const auto what = rc::gen::map(rc::gen::inRange(0, 200), [](int n) {
    return static_cast<verb>(n < 3 ? 9 + n : n % (verbs - 3));
  });
  const auto number = [](std::uint32_t end) { return rc::gen::inRange(std::uint32_t{0}, end); };
  return rc::gen::map(
      rc::gen::tuple(what, number(keys), number(1'000), number(8)), [](const auto& parts) {
        return step{std::get<0>(parts), std::get<1>(parts), std::get<2>(parts), std::get<3>(parts)};
      });
}

struct state {
  version at;                          // of the last write, also of an erase
  std::optional<std::uint32_t> value;  // nullopt: absent
  std::vector<version> seen;           // every version ever answered for this key
};

template <class Combo>
class checked_store {
 public:
  using K = typename Combo::key;
  using V = typename Combo::value;

  explicit checked_store(const ratchet::config& wanted) : store_(wanted) {}

  void run(const step& s) {
    switch (s.what) {
      case verb::get:
        return check(s.key);
      case verb::put:
        return committed(s.key, s.value, store_.put(key(s.key), value(s.value)));
      case verb::put_if_match:
        return put_if_match(s);
      case verb::put_if_absent:
        return answered(s, !model_[s.key].value, store_.put(key(s.key), value(s.value), if_absent));
      case verb::put_if_present:
        return answered(s, model_[s.key].value.has_value(),
                        store_.put(key(s.key), value(s.value), if_present));
      case verb::erase:
        return erase(s);
      case verb::erase_if_match:
        return erase_if_match(s);
      case verb::mutate:
        return mutate(s);
      case verb::mutate_erase:
        return mutate_erase(s);
      case verb::for_each:
        return for_each();
      case verb::erase_if:
        return erase_if(s);
      case verb::size:
        return size();
    }
  }
  // Every key ever named, one by one and all at once.
  void census() {
    for (auto& [n, now] : model_) check(n);
    for_each();
    size();
  }

 private:
  static auto key(std::uint32_t n) { return tests::sample<K>::of(n); }
  static auto value(std::uint32_t n) { return tests::sample<V>::of(n); }

  // V1, V2: each write has a version above all the key's earlier ones, by 1 while it is present.
  void committed(std::uint32_t n, std::optional<std::uint32_t> written, version made) {
    state& now = model_[n];
    RC_ASSERT(made > now.at);
    if (now.value) RC_ASSERT(made.to_u64() == now.at.to_u64() + 1);
    now.at = made;
    now.value = written;
    now.seen.push_back(made);
    check(n);
  }
  // V3: value and version belong together. Of an absent key the record may have been dropped.
  void shows(std::uint32_t n, const ratchet::view<V>& seen) {
    const state& now = model_[n];
    RC_ASSERT(tests::number_of(seen) == now.value);
    if (now.value) RC_ASSERT(seen.version() == now.at);
    if (!now.value) RC_ASSERT(seen.version() == now.at || seen.version() == version());
  }
  void check(std::uint32_t n) {
    shows(n, store_.read(key(n)));
    if constexpr (std::is_copy_constructible_v<V>)
      RC_ASSERT(tests::number_of(store_.get(key(n))) == model_[n].value);
  }
  void answered(const step& s, bool holds, ratchet::put_result<V> result) {
    RC_ASSERT(result.outcome() == (holds ? outcome::committed : outcome::conflict));
    if (holds) {
      RC_ASSERT(result.rejected() == nullptr);
      return committed(s.key, s.value, result.version());
    }
    RC_ASSERT(tests::number_of(result.rejected()) == s.value);
    shows(s.key, result.current());
  }
  version token(const step& s) {
    state& now = model_[s.key];
    if (s.token == 0 || now.seen.empty()) return now.at;
    return now.seen[now.seen.size() - 1 - (s.token - 1) % now.seen.size()];
  }
  bool matches(const step& s, version named) {
    const state& now = model_[s.key];
    return now.value && named == now.at;
  }

  void put_if_match(const step& s) {
    const version named = token(s);
    const bool holds = matches(s, named);
    answered(s, holds, store_.put(key(s.key), value(s.value), if_match{named}));
  }
  void erase(const step& s) {
    state& now = model_[s.key];
    const auto removed = store_.erase(key(s.key));
    RC_ASSERT(tests::number_of(removed) == now.value);
    if (!now.value) return;
    RC_ASSERT(removed.version() == now.at);
    now.value.reset();
    check_erased(s.key);
  }
  // The erase's own version is 1 above the value's; a record dropped at once shows none.
  void check_erased(std::uint32_t n) {
    state& now = model_[n];
    now.at = version::from_u64(now.at.to_u64() + 1);
    now.seen.push_back(now.at);
    check(n);
  }
  void erase_if_match(const step& s) {
    const version named = token(s);
    const bool holds = matches(s, named);
    auto result = store_.erase(key(s.key), if_match{named});
    RC_ASSERT(result.outcome() == (holds ? outcome::committed : outcome::conflict));
    if (holds) return committed(s.key, std::nullopt, result.version());
    shows(s.key, result.current());
  }
  void mutate(const step& s) {
    const auto before = model_[s.key].value;
    const auto done = store_.mutate(key(s.key), [&](const V* now) {
      return value(now == nullptr ? s.value : *tests::number_of(now) + 1);
    });
    RC_ASSERT(done.mutated == ratchet::mutated::applied);
    RC_ASSERT(done.attempts == 1u);
    committed(s.key, before ? *before + 1 : s.value, done.version);
  }
  void mutate_erase(const step& s) {
    using decided = ratchet::decision<V>;
    const bool was_present = model_[s.key].value.has_value();
    const auto done = store_.mutate(key(s.key), [](const V*) { return decided::erase(); });
    RC_ASSERT(done.mutated ==
              (was_present ? ratchet::mutated::applied : ratchet::mutated::unchanged));
    if (was_present) committed(s.key, std::nullopt, done.version);
  }

  void for_each() {
    std::map<std::uint32_t, int> shown;
    store_.for_each([&](const K& k, const V& v, version at) {
      const auto found = number_of_key(k);
      RC_ASSERT(found.has_value());
      const state& now = model_[*found];
      RC_ASSERT(now.value == tests::number_of(&v));
      RC_ASSERT(now.at == at);
      RC_ASSERT(++shown[*found] == 1);
    });
    RC_ASSERT(shown.size() == present());
  }
  std::optional<std::uint32_t> number_of_key(const K& k) {
    for (const auto& [n, now] : model_)
      if (key(n) == k) return n;
    return std::nullopt;
  }
  void erase_if(const step& s) {
    const auto gone = [&](std::uint32_t number) { return number % 5 == s.token % 5; };
    std::size_t expected = 0;
    for (const auto& [n, now] : model_) expected += now.value && gone(*now.value) ? 1u : 0u;
    RC_ASSERT(store_.erase_if([&](const K&, const V& v, version) {
      return gone(*tests::number_of(&v));
    }) == expected);
    for (auto& [n, now] : model_) {
      if (!now.value || !gone(*now.value)) continue;
      now.value.reset();
      check_erased(n);
    }
  }
  void size() { RC_ASSERT(store_.size() == present()); }
  std::size_t present() const {
    std::size_t count = 0;
    for (const auto& [n, now] : model_) count += now.value ? 1u : 0u;
    return count;
  }

  typename Combo::store store_;
  std::map<std::uint32_t, state> model_;
};

template <class Combo>
void run_program(std::uint32_t keys, std::size_t length) {
  ratchet::config wanted;
  wanted.hash_seed = *rc::gen::arbitrary<std::uint64_t>();
  wanted.first = version::from_u64(*rc::gen::element<std::uint64_t>(0, 0, 41, 1ull << 48));
  const auto program = *rc::gen::container<std::vector<step>>(length, any_step(keys));
  checked_store<Combo> store(wanted);
  for (const auto& s : program) store.run(s);
  store.census();
}

template <class Combo>
class store_programs : public ::testing::Test {};
TYPED_TEST_SUITE(store_programs, tests::all_combos, tests::kind_names);

TYPED_TEST(store_programs, on_few_keys_answer_as_the_model_does) {
  EXPECT_TRUE(rc::check("few keys", [] { run_program<TypeParam>(4, 250); }));
}

TYPED_TEST(store_programs, on_some_keys_that_come_and_go_answer_as_the_model_does) {
  EXPECT_TRUE(rc::check("some keys", [] { run_program<TypeParam>(40, 300); }));
}

TYPED_TEST(store_programs, on_many_keys_grow_and_answer_as_the_model_does) {
  EXPECT_TRUE(rc::check("many keys", [] { run_program<TypeParam>(2'000, 500); }));
}

}  // namespace

int main(int count, char** arguments) {
  // rapidcheck prints its seed and takes one from RC_PARAMS.
  const std::string runs = "max_success=25";
  const char* seed = std::getenv("RATCHET_SEED");
  const std::string wanted = seed == nullptr ? runs : runs + " seed=" + seed;
  setenv("RC_PARAMS", wanted.c_str(), 0);
  ::testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
