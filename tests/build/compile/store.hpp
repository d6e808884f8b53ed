// The store that the cases are about: the build says which.
#pragma once

#include <ratchet/ratchet.hpp>

#include <cstdint>
#include <string>

#ifndef RATCHET_TEST_STORE
#define RATCHET_TEST_STORE ratchet::mutex_store
#endif

using numbers = RATCHET_TEST_STORE<std::string, int>;
