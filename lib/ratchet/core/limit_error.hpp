// The one exception type of the store's own.
#pragma once

#include <ratchet/base/config.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ratchet::inline RATCHET_ABI {

enum class limit : std::uint8_t {
  keys,       // config.keys_max keys are present
  key_bytes,  // a key is longer than a record can say
  version,    // the key has used up its 60 bits of versions
  handles,    // 2^31 handles name the key
};

// A limit was reached; the store is as it was before the call.
class limit_error : public std::length_error {
 public:
  limit_error(limit which, const std::string& found_and_accepted)
      : std::length_error("ratchet: " + found_and_accepted), which_(which) {}
  [[nodiscard]] limit which() const noexcept { return which_; }

 private:
  limit which_;
};

}  // namespace ratchet::inline RATCHET_ABI
