#include "shared.hpp"

std::uint64_t append_b(texts& store, unsigned times) { return append(store, 'b', times); }
const void* process_state_b() { return process_state(); }
