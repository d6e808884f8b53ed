// Everything a user of the library needs.
#pragma once

#include <ratchet/native/mutex_store.hpp>
