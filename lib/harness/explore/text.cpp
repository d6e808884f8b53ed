#include <harness/explore/text.hpp>

#include <charconv>
#include <cstdio>
#include <stdexcept>

namespace ratchet::inline RATCHET_ABI::explore {

namespace {

[[noreturn]] void refuse(std::string_view token) {
  throw std::invalid_argument("explore: not part of a schedule: " + std::string(token));
}

// The number at the front of the token, which is cut off.
std::size_t take_number(std::string_view& token) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc{}) refuse(token);
  token.remove_prefix(static_cast<std::size_t>(end - token.data()));
  return value;
}

bool take_char(std::string_view& token, char c) {
  if (token.empty() || token.front() != c) return false;
  token.remove_prefix(1);
  return true;
}

std::string_view word_of(memory mode) {
  switch (mode) {
    case memory::sequential:
      return "sc";
    case memory::store_buffers:
      return "tso";
    case memory::older_values:
      return "older";
  }
  return "?";
}

void parse_token(std::string_view token, named_schedule& into) {
  for (const memory mode : {memory::sequential, memory::store_buffers, memory::older_values}) {
    if (token != word_of(mode)) continue;
    into.memory = mode;
    return;
  }
  std::string_view rest = token;
  if (rest.substr(0, 4) == "stop") {
    rest.remove_prefix(4);
    const std::size_t thread = take_number(rest);
    if (!take_char(rest, '@')) refuse(token);
    into.stop = stop_point{thread, take_number(rest)};
    return;
  }
  const std::size_t thread = take_number(rest);
  const bool drain = take_char(rest, 'd');
  const auto age = static_cast<unsigned>(take_char(rest, '~') ? take_number(rest) : 0);
  const std::size_t times = take_char(rest, '*') ? take_number(rest) : 1;
  if (!rest.empty() || thread >= threads_max) refuse(token);
  into.transitions.insert(into.transitions.end(), times,
                          transition{static_cast<std::uint8_t>(thread), drain, age});
}

std::string value_text(word16 value, std::size_t bytes) {
  const auto number = [](std::uint64_t n) {
    char out[32];
    std::snprintf(out, sizeof out, n < 1'000'000 ? "%lu" : "0x%lx", static_cast<unsigned long>(n));
    return std::string(out);
  };
  if (bytes <= sizeof(std::uint64_t)) return number(value.low);
  return "{" + number(value.low) + ", " + number(value.high) + "}";
}

const char* verb(action what) {
  switch (what) {
    case action::load:
      return "load";
    case action::store:
      return "store";
    case action::buffered_store:
      return "store (buffered)";
    case action::drain:
      return "  drains";
    case action::exchange:
      return "exchange";
    case action::add:
      return "add";
    case action::subtract:
      return "subtract";
    case action::bit_or:
      return "or";
    case action::compare_exchange:
      return "compare_exchange";
    case action::touch:
      return "touch";
    case action::release:
      return "release";
    case action::clock:
      return "clock";
    case action::barrier_begin:
      return "membarrier begins";
    case action::barrier_end:
      return "membarrier ends";
    case action::allocate:
      return "allocate";
    case action::yield:
      return "waits";
    case action::none:
      break;
  }
  return "?";
}

std::string details(const event& e) {
  const auto text = [&](word16 value) { return value_text(value, e.op.bytes); };
  const std::string age =
      e.did.age != 0 ? " (" + std::to_string(e.did.age) + " writes back)" : std::string();
  switch (e.op.what) {
    case action::load:
      return " = " + text(e.did.value) + (e.did.forwarded ? " (own store)" : "") + age;
    case action::store:
    case action::buffered_store:
    case action::drain:
      return " := " + text(e.op.operand);
    case action::exchange:
      return " = " + text(e.did.value) + " := " + text(e.op.operand);
    case action::add:
    case action::subtract:
    case action::bit_or:
      return " = " + text(e.did.value) + ", operand " + text(e.op.operand);
    case action::compare_exchange:
      if (e.did.wrote) return " = " + text(e.did.value) + " := " + text(e.op.operand);
      return " = " + text(e.did.value) + ", not " + text(e.op.expected) + age;
    case action::clock:
      return " = " + text(e.did.value);
    case action::touch:
    case action::release:
    case action::allocate:
      return ", " + std::to_string(e.op.bytes) + " bytes";
    default:
      return "";
  }
}

}  // namespace

std::string_view describe(memory mode) {
  switch (mode) {
    case memory::sequential:
      return "sequential";
    case memory::store_buffers:
      return "store buffers";
    case memory::older_values:
      return "older values";
  }
  return "?";
}

std::string to_text(const named_schedule& s) {
  std::string out(word_of(s.memory));
  if (s.stop) out += " stop" + std::to_string(s.stop->thread) + "@" + std::to_string(s.stop->steps);
  for (std::size_t i = 0; i < s.transitions.size();) {
    std::size_t j = i;
    while (j < s.transitions.size() && s.transitions[j] == s.transitions[i]) ++j;
    out += " " + std::to_string(s.transitions[i].thread) + (s.transitions[i].drain ? "d" : "");
    if (s.transitions[i].age != 0) out += "~" + std::to_string(s.transitions[i].age);
    if (j - i > 1) out += "*" + std::to_string(j - i);
    i = j;
  }
  return out;
}

named_schedule parse_schedule(std::string_view text) {
  named_schedule parsed;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    if (const auto token = text.substr(0, end); !token.empty()) parse_token(token, parsed);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return parsed;
}

std::string trace_text(execution& ran) {
  std::string out;
  for (const event& e : ran.events()) {
    out += e.thread == event::unscheduled ? "  setup" : "  thread " + std::to_string(e.thread);
    out += ": ";
    out += verb(e.op.what);
    const bool clock = e.op.what == action::clock;
    if (e.op.at != nullptr && !clock) out += " " + ran.blocks().describe(e.op.at);
    out += details(e) + "\n";
  }
  return out;
}

}  // namespace ratchet::inline RATCHET_ABI::explore
