#include "shared.hpp"

std::uint64_t append_b(texts& store, unsigned times) { return append(store, 'b', times); }
const void* process_state_b() { return process_state(); }
bool keeps_a_view_b(texts& store, churn_function* other) { return keeps_a_view(store, other); }
void churn_b(texts& store) { churn(store); }
