#include "options.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <string_view>

namespace ratchet_bench {
namespace {

const std::map<std::string, suite> suites = {{"operations", suite::operations},
                                             {"sleeping", suite::sleeping},
                                             {"create", suite::create},
                                             {"churn", suite::churn}};
const std::map<std::string, key_kind> key_kinds = {{"integer", key_kind::integer},
                                                   {"string20", key_kind::string20},
                                                   {"string21", key_kind::string21}};
const std::map<std::string, bool> subjects = {
    {"ratchet", true}, {"mutex", true}, {"sharded", true}};

std::string refused(const std::string& option, const std::string& found,
                    const std::string& accepted) {
  return option + " is " + (found.empty() ? "empty" : "'" + found + "'") +
         ", accepted: " + accepted;
}

template <class Map>
std::string names_of(const Map& all) {
  std::string names;
  for (const auto& [name, what] : all) names += (names.empty() ? "" : ", ") + name;
  return names;
}

template <class T>
std::string take_name(const std::string& option, const std::string& text,
                      const std::map<std::string, T>& all, T& into) {
  const auto found = all.find(text);
  if (found == all.end()) return refused(option, text, names_of(all));
  into = found->second;
  return {};
}

template <class T>
std::string take_number(const std::string& option, const std::string& text, T least, T most,
                        T& into) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    return refused(option, text,
                   "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  into = value;
  return {};
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

template <class T>
std::string take_numbers(const std::string& option, const std::string& text, T least, T most,
                         std::vector<T>& into) {
  into.clear();
  for (const std::string& part : split(text)) {
    T value{};
    if (auto wrong = take_number(option, part, least, most, value); !wrong.empty()) return wrong;
    into.push_back(value);
  }
  return {};
}

std::string take_subjects(const std::string& text, std::vector<std::string>& into) {
  into = split(text);
  for (const std::string& one : into)
    if (!subjects.contains(one)) return refused("--subjects", one, names_of(subjects));
  return {};
}

std::string take_milliseconds(const std::string& option, const std::string& text, long least,
                              std::chrono::milliseconds& into) {
  long value = 0;
  auto wrong = take_number<long>(option, text, least, 60'000, value);
  into = std::chrono::milliseconds(value);
  return wrong;
}

std::string take(const std::string& option, const std::string& text, options& into) {
  constexpr std::size_t keys_max = 200'000'000;
  if (option == "--suite") return take_name(option, text, suites, into.suite);
  if (option == "--key") return take_name(option, text, key_kinds, into.key);
  if (option == "--subjects") return take_subjects(text, into.subjects);
  if (option == "--keys") return take_numbers<std::size_t>(option, text, 1, keys_max, into.keys);
  if (option == "--threads")
    return take_numbers<std::uint32_t>(option, text, 1, 1024, into.threads);
  if (option == "--cycles")
    return take_number<std::size_t>(option, text, 100, 1'000'000'000, into.cycles);
  if (option == "--rounds") return take_number<std::uint32_t>(option, text, 1, 1000, into.rounds);
  if (option == "--warm-up-ms") return take_milliseconds(option, text, 0, into.warm_up);
  if (option == "--window-ms") return take_milliseconds(option, text, 1, into.window);
  if (option == "--seed") return take_number<std::uint64_t>(option, text, 0, UINT64_MAX, into.seed);
  if (option == "--json") {
    into.json = text;
    return text.empty() ? refused(option, text, "a file's name") : std::string();
  }
  return refused("the argument", option, "what --help lists");
}

}  // namespace

bool options::wants(const std::string& subject) const {
  return std::find(subjects.begin(), subjects.end(), subject) != subjects.end();
}

std::string read_options(int argc, char** argv, options& into) {
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--help") {
      into.help = true;
      return {};
    }
    const std::string text = i + 1 < argc ? argv[++i] : "";
    if (auto wrong = take(option, text, into); !wrong.empty()) return wrong;
  }
  return {};
}

std::string usage() {
  return "ratchet-bench [--option value]... [--benchmark_filter=REGEX]\n"
         "  --suite       " +
         names_of(suites) +
         "\n"
         "  --subjects    a list of " +
         names_of(subjects) +
         "\n"
         "  --keys        a list; 1000,1000000. churn: how many live at a time\n"
         "  --threads     a list; 1,2\n"
         "  --key         of create: " +
         names_of(key_kinds) +
         "\n"
         "  --cycles      of churn; 10000000\n"
         "  --rounds      interleaved repetitions; 5\n"
         "  --warm-up-ms  before each window; 20\n"
         "  --window-ms   what is measured; 150\n"
         "  --seed        of key order; 1\n"
         "  --json        where the raw samples go\n";
}

}  // namespace ratchet_bench
