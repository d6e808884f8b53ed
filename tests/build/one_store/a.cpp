#include "shared.hpp"

std::uint64_t append_a(texts& store, unsigned times) { return append(store, 'a', times); }
const void* process_state_a() { return process_state(); }
