// How much memory this process uses.
#pragma once

#include <cstddef>

namespace ratchet_bench {

// Resident bytes now. 0 where the system does not say.
std::size_t resident_bytes();
// The most since reset_peak. False: the system does not let us reset it, the peak is the process's.
std::size_t resident_bytes_peak();
bool reset_peak();
// Gives what the allocator holds unused back to the system, so that a difference is what is used.
void give_back_unused();

}  // namespace ratchet_bench
