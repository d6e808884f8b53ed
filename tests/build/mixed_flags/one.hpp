// What the two halves of the program share.
#pragma once

#include <ratchet/ratchet.hpp>

#include <cstdint>

#ifndef RATCHET_TEST_STORE
#define RATCHET_TEST_STORE ratchet::mutex_store
#endif

using numbers = RATCHET_TEST_STORE<std::uint64_t, std::uint64_t>;

// Adds one to key 1, and tells what it is then.
std::uint64_t add_in_other_half(numbers& store);
