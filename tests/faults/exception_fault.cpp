// E1, F89: the k-th call of user code throws while keys come, go and move to other tables: each is
// there in the end, and nothing leaks. Single calls: every_call_fault.
#include "tripwire.hpp"
#include "unit/stores.hpp"

namespace {

using tests::fussy_key;
using tests::fussy_value;
using tests::tripped;
using tests::tripwire;

template <class Kind>
class exception_faults : public ::testing::Test {
 protected:
  using S = typename Kind::template store<fussy_key, fussy_value, tests::fussy_options>;

  void SetUp() override { ASSERT_EQ(tripwire::alive, 0); }
  void TearDown() override { EXPECT_EQ(tripwire::alive, 0); }
};
TYPED_TEST_SUITE(exception_faults, tests::all_kinds, tests::kind_names);

TYPED_TEST(exception_faults, F89_growth_loses_no_key_when_user_code_throws) {
  const auto again = [](const auto& call) {
    try {
      call();
    } catch (const tripped&) {
      call();
    }
  };
  std::int64_t rounds = 0;
  for (std::int64_t k = 1;; k += 1 + k / 8, ++rounds) {
    {
      typename TestFixture::S store;
      tripwire::arm(k);
      for (int n = 0; n < 60; ++n) again([&] { store.put(fussy_key(n), fussy_value(n)); });
      for (int n = 0; n < 60; n += 2) again([&] { (void)store.erase(fussy_key(n)); });
      for (int n = 60; n < 90; ++n) again([&] { store.put(fussy_key(n), fussy_value(n)); });
      tripwire::until = 0;
      for (int n = 0; n < 90; ++n)
        ASSERT_EQ(static_cast<bool>(store.read(fussy_key(n))), n >= 60 || n % 2 == 1) << n;
      ASSERT_EQ(store.size(), 60u);
    }
    ASSERT_EQ(tripwire::alive, 0);
    if (!tripwire::has_tripped) break;
  }
  EXPECT_GT(rounds, 10);
}

}  // namespace
