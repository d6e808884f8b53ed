// A balance that never goes below zero: verdicts, bad amounts, conflicts and lost answers.
// Of: patterns/wallet.hpp
#include <ratchet/patterns/wallet.hpp>

#include <limits>
#include <string>

#include "unit/scripted_store.hpp"

namespace {

using ratchet::version;
using ratchet::wallet;
using tests::fate;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

template <class Kind>
class wallet_verdicts : public ::testing::Test {
 protected:
  using S = typename Kind::template store<std::string, std::int64_t>;
  using verdict_of_store = typename wallet<S>::verdict;
  using scripted_type = tests::scripted_store<S>;
  using verdict_of_scripted = typename wallet<scripted_type>::verdict;

  S store;
  wallet<S> money{store};
  scripted_type scripted{store};
  wallet<scripted_type> scripted_money{scripted};
  const std::string k = "account";
};
TYPED_TEST_SUITE(wallet_verdicts, tests::all_kinds, tests::kind_names);

TYPED_TEST(wallet_verdicts, opens_once) {
  using verdict = typename TestFixture::verdict_of_store;
  const auto opened = this->money.open(this->k, 500);
  EXPECT_EQ(opened.verdict, verdict::done);
  EXPECT_EQ(opened.balance_minor, 500);
  EXPECT_EQ(opened.version, this->store.get(this->k).version());
  const auto again = this->money.open(this->k, 900);
  EXPECT_EQ(again.verdict, verdict::exists);
  EXPECT_FALSE(again);
  EXPECT_EQ(again.balance_minor, 500);
  EXPECT_EQ(again.version, opened.version);
  EXPECT_EQ(this->money.open("empty", 0).verdict, verdict::done);
}

TYPED_TEST(wallet_verdicts, debits_and_credits_change_the_balance_by_exactly_their_amount) {
  using verdict = typename TestFixture::verdict_of_store;
  const auto opened = this->money.open(this->k, 500);
  const auto credited = this->money.credit(this->k, 25);
  EXPECT_EQ(credited.verdict, verdict::done);
  EXPECT_EQ(credited.balance_minor, 525);
  EXPECT_GT(credited.version, opened.version);
  const auto debited = this->money.debit(this->k, 525);
  EXPECT_EQ(debited.verdict, verdict::done);
  EXPECT_EQ(debited.balance_minor, 0);
  EXPECT_GT(debited.version, credited.version);
  const auto refused = this->money.debit(this->k, 1);
  EXPECT_EQ(refused.verdict, verdict::insufficient);
  EXPECT_EQ(refused.balance_minor, 0);
  EXPECT_EQ(refused.version, debited.version);  // a refusal writes nothing
  const auto now = this->money.balance(this->k);
  EXPECT_EQ(now.verdict, verdict::done);
  EXPECT_EQ(now.balance_minor, 0);
  EXPECT_EQ(now.version, debited.version);
}

TYPED_TEST(wallet_verdicts, a_missing_wallet_is_missing_to_every_verb) {
  using verdict = typename TestFixture::verdict_of_store;
  EXPECT_EQ(this->money.debit(this->k, 1).verdict, verdict::missing);
  EXPECT_EQ(this->money.credit(this->k, 1).verdict, verdict::missing);
  EXPECT_EQ(this->money.balance(this->k).verdict, verdict::missing);
  EXPECT_EQ(this->store.size(), 0u);
  ASSERT_TRUE(this->money.open(this->k, 5));
  ASSERT_TRUE(this->store.erase(this->k));
  EXPECT_EQ(this->money.debit(this->k, 1).verdict, verdict::missing);
  EXPECT_TRUE(this->money.open(this->k, 6));
}

TYPED_TEST(wallet_verdicts, F91_bad_amounts_are_invalid_and_write_nothing) {
  using verdict = typename TestFixture::verdict_of_store;
  ASSERT_TRUE(this->money.open(this->k, 500));
  const version before = this->store.get(this->k).version();
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{0}, least}) {
    EXPECT_EQ(this->money.debit(this->k, bad).verdict, verdict::invalid) << bad;
    EXPECT_EQ(this->money.credit(this->k, bad).verdict, verdict::invalid) << bad;
    EXPECT_FALSE(this->money.credit(this->k, bad));
  }
  EXPECT_EQ(this->money.open("new", -1).verdict, verdict::invalid);
  EXPECT_EQ(this->money.open("new", least).verdict, verdict::invalid);
  EXPECT_EQ(this->store.get(this->k).version(), before);
  EXPECT_EQ(*this->store.get(this->k), 500);
  EXPECT_EQ(this->store.size(), 1u);
}

TYPED_TEST(wallet_verdicts, the_largest_balance_is_never_passed) {
  using verdict = typename TestFixture::verdict_of_store;
  ASSERT_TRUE(this->money.open(this->k, most - 1));
  EXPECT_EQ(this->money.credit(this->k, 2).verdict, verdict::overflow);
  EXPECT_EQ(this->money.credit(this->k, most).verdict, verdict::overflow);
  EXPECT_EQ(this->money.credit(this->k, 1).balance_minor, most);
  const auto full = this->money.credit(this->k, 1);
  EXPECT_EQ(full.verdict, verdict::overflow);
  EXPECT_EQ(full.balance_minor, most);
  EXPECT_EQ(this->money.debit(this->k, most).balance_minor, 0);
  EXPECT_EQ(this->money.debit(this->k, most).verdict, verdict::insufficient);
}

TYPED_TEST(wallet_verdicts, both_ends_of_the_balance_are_balances) {
  using verdict = typename TestFixture::verdict_of_store;
  ASSERT_TRUE(this->money.open("none", 0));
  ASSERT_TRUE(this->money.open("all", most));
  const version before = this->store.get("all").version();
  for (const std::int64_t amount : {std::int64_t{1}, most - 1, most}) {
    EXPECT_EQ(this->money.debit("none", amount).verdict, verdict::insufficient) << amount;
    EXPECT_EQ(this->money.credit("all", amount).verdict, verdict::overflow) << amount;
    EXPECT_EQ(this->money.credit("all", amount).balance_minor, most) << amount;
  }
  EXPECT_EQ(this->store.get("all").version(), before);
  EXPECT_EQ(this->money.credit("none", most).balance_minor, most);
  EXPECT_EQ(this->money.debit("all", most).balance_minor, 0);
  // A balance below zero, which only another writer leaves, covers nothing and does not wrap.
  this->store.put("debt", least);
  EXPECT_EQ(this->money.debit("debt", most).verdict, verdict::insufficient);
  EXPECT_EQ(this->money.credit("debt", most).balance_minor, least + most);
}

TYPED_TEST(wallet_verdicts, F81_a_store_that_refuses_every_write_makes_it_contended) {
  using verdict = typename TestFixture::verdict_of_scripted;
  ASSERT_TRUE(this->money.open(this->k, 500));
  this->scripted.script = [](std::uint32_t) { return fate::conflict; };
  const ratchet::retry few{.attempts_max = 20};
  const auto debit = this->scripted_money.debit(this->k, 5, few);
  EXPECT_EQ(debit.verdict, verdict::contended);
  EXPECT_FALSE(debit);
  EXPECT_EQ(debit.attempts, 20u);
  EXPECT_EQ(this->scripted_money.credit(this->k, 5, few).verdict, verdict::contended);
  EXPECT_EQ(*this->store.get(this->k), 500);
}

TYPED_TEST(wallet_verdicts, F90_a_refusal_decides_on_the_balance_that_won) {
  using verdict = typename TestFixture::verdict_of_scripted;
  ASSERT_TRUE(this->money.open(this->k, 100));
  this->scripted.before_write = [&](std::uint32_t) { ASSERT_TRUE(this->money.debit(this->k, 60)); };
  const auto refused = this->scripted_money.debit(this->k, 60);
  EXPECT_EQ(refused.verdict, verdict::insufficient);
  EXPECT_EQ(refused.balance_minor, 40);
  EXPECT_EQ(refused.attempts, 2u);
  EXPECT_EQ(*this->store.get(this->k), 40);
}

TYPED_TEST(wallet_verdicts, a_lost_answer_is_unknown_at_every_point_and_not_repeated) {
  using verdict = typename TestFixture::verdict_of_scripted;
  for (std::uint32_t at = 1; at <= 5; ++at) {
    for (const auto how : {fate::lost_before_commit, fate::lost_after_commit}) {
      this->store.put(this->k, 1'000);
      this->scripted.writes = 0;
      this->scripted.before_write = [&](std::uint32_t n) {
        if (n < at) {
          ASSERT_TRUE(this->money.debit(this->k, 1));
        }
      };
      this->scripted.script = [&](std::uint32_t n) { return n == at ? how : fate::pass; };
      const auto made = this->scripted_money.debit(this->k, 100);
      ASSERT_EQ(made.verdict, verdict::unknown);
      EXPECT_FALSE(made);
      EXPECT_EQ(this->scripted.writes, at);
      const auto own = how == fate::lost_after_commit ? 100 : 0;
      EXPECT_EQ(*this->store.get(this->k), 1'000 - static_cast<int>(at - 1) - own);
    }
  }
}

TYPED_TEST(wallet_verdicts, a_lost_answer_to_open_is_unknown) {
  using verdict = typename TestFixture::verdict_of_scripted;
  for (const auto how : {fate::lost_before_commit, fate::lost_after_commit}) {
    (void)this->store.erase(this->k);
    this->scripted.script = [how](std::uint32_t) { return how; };
    EXPECT_EQ(this->scripted_money.open(this->k, 5).verdict, verdict::unknown);
    EXPECT_EQ(static_cast<bool>(this->store.get(this->k)), how == fate::lost_after_commit);
  }
}

TYPED_TEST(wallet_verdicts, a_stop_leaves_the_balance_alone) {
  using verdict = typename TestFixture::verdict_of_scripted;
  ASSERT_TRUE(this->money.open(this->k, 500));
  std::stop_source stop;
  stop.request_stop();
  this->scripted.script = [](std::uint32_t) { return fate::conflict; };
  const auto made = this->scripted_money.debit(this->k, 5, {.stop = stop.get_token()});
  EXPECT_EQ(made.verdict, verdict::contended);
  EXPECT_EQ(made.attempts, 1u);
  EXPECT_EQ(*this->store.get(this->k), 500);
}

}  // namespace
