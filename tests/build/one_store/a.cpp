#include "shared.hpp"

std::uint64_t append_a(texts& store, unsigned times) { return append(store, 'a', times); }
const void* process_state_a() { return process_state(); }
bool keeps_a_view_a(texts& store, churn_function* other) { return keeps_a_view(store, other); }
void churn_a(texts& store) { churn(store); }
