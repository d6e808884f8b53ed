#include <harness/operation.hpp>

#include <cstdio>

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

std::string when(std::uint64_t ticks, double ticks_per_ns) {
  if (ticks == never) return "never";
  char text[48];
  if (ticks_per_ns > 0)
    std::snprintf(text, sizeof text, "%.3f us", static_cast<double>(ticks) / ticks_per_ns / 1e3);
  else
    std::snprintf(text, sizeof text, "tick %llu", static_cast<unsigned long long>(ticks));
  return text;
}

std::string shown(const operation& op) {
  const std::string at = op.version == 0 ? "none" : std::to_string(op.version);
  if (op.answer == answer::saw_absent) return "absent at version " + at;
  return "value " + std::to_string(static_cast<std::int64_t>(op.value)) + " at version " + at;
}

}  // namespace

std::string_view name_of(verb v) noexcept {
  switch (v) {
    case verb::read:
      return "read";
    case verb::put:
      return "put";
    case verb::put_match:
      return "put(if_match)";
    case verb::put_absent:
      return "put(if_absent)";
    case verb::put_present:
      return "put(if_present)";
    case verb::erase:
      return "erase";
    case verb::erase_match:
      return "erase(if_match)";
  }
  return "?";
}

std::string describe(const operation& op, double ticks_per_ns) {
  std::string text = "caller " + std::to_string(op.caller) + "'s " + std::string(name_of(op.verb));
  if (matches_version(op.verb) && op.expected != 0)
    text += " of version " + std::to_string(op.expected);
  switch (op.answer) {
    case answer::committed:
      if (!is_erase(op.verb))
        text += " wrote value " + std::to_string(static_cast<std::int64_t>(op.value));
      text += " and made version " + std::to_string(op.version);
      break;
    case answer::pending:
      text += " had no answer";
      break;
    case answer::saw_value:
    case answer::saw_absent:
      text += (is_conflict(op) ? " met a conflict with " : " saw ") + shown(op);
      break;
  }
  return text + " [" + when(op.begin, ticks_per_ns) + " to " + when(op.end, ticks_per_ns) + "]";
}

}  // namespace ratchet::inline RATCHET_ABI::harness
