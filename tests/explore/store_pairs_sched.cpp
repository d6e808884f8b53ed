// Two callers of one key: every pair of calls. What takes longer is in store_deep_sched.cpp.
#include "store_pairs.hpp"

using namespace world;

namespace {

using explore::memory;

TEST(two_by_handle, inlined) { every_pair_by_handle<inlined>(2, complete(memory::sequential)); }
TEST(two_by_handle, inlined_with_store_buffers) {
  every_pair_by_handle<inlined>(2, complete(memory::store_buffers));
}
TEST(two_by_key, inlined) { every_pair_by_key<inlined>(2, complete(memory::sequential)); }
TEST(two_by_key, inlined_with_store_buffers) {
  every_pair_by_key<inlined>(2, complete(memory::store_buffers, false));
}
TEST(one_by_handle, boxed) { every_pair_by_handle<boxed>(1, complete(memory::sequential)); }
TEST(one_by_handle, boxed_with_store_buffers) {
  every_pair_by_handle<boxed>(1, complete(memory::store_buffers));
}
TEST(one_by_handle, inlined_with_older_values) {
  every_pair_by_handle<inlined>(1, bounded(memory::older_values, 2));
}
TEST(one_by_key, boxed) { every_pair_by_key<boxed>(1, complete(memory::sequential)); }
TEST(one_by_key, boxed_with_store_buffers) {
  every_pair_by_key<boxed>(1, complete(memory::store_buffers));
}
TEST(one_by_key, boxed_with_older_values) {
  every_pair_by_key<boxed>(1, bounded(memory::older_values, 2));
}
TEST(one_by_new_key, inlined) { every_pair_by_new_key<inlined>(bounded(memory::sequential, 2)); }
TEST(one_by_new_key, boxed) { every_pair_by_new_key<boxed>(bounded(memory::sequential, 2)); }

}  // namespace
