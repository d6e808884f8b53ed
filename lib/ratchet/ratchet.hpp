// Everything a user of the library needs.
#pragma once

#include <ratchet/native/mutex_store.hpp>
#include <ratchet/native/store.hpp>
#include <ratchet/patterns/ceiling.hpp>
#include <ratchet/patterns/wallet.hpp>
