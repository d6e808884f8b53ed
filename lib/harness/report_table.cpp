#include <harness/report.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace ratchet::inline RATCHET_ABI::harness {
namespace {

constexpr std::size_t columns = 14;
using table_row = std::array<std::string, columns>;

constexpr std::array<const char*, columns> titles{
    "scenario",       "store",  "callers",    "overlap",     "rounds",
    "expected",       "got",    "violations", "ops checked", "conflicts/commit",
    "peak in flight", "spread", "ms/round",   "verdict"};

std::string fixed(double value, int digits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string duration(double ns) {
  if (ns < 1e3) return fixed(ns, 0) + " ns";
  if (ns < 1e6) return fixed(ns / 1e3, 1) + " us";
  return fixed(ns / 1e6, 1) + " ms";
}

// The plain pass shares the run's verdict, except that it is not judged as void.
std::string pass_verdict(const scenario_result& run, const pass_result& pass) {
  if (!pass.found.none()) return std::string(name_of(verdict::violation));
  if (!pass.error.empty()) return std::string(name_of(verdict::unchecked));
  if (pass.interrupted) return "interrupted";
  if (&pass == &run.main && run.verdict == verdict::void_run) return "void";
  return "ok";
}

table_row row_of(const scenario_result& run, const pass_result& pass) {
  const pass_summary sum = summarize(pass);
  const bool any = !pass.rounds.empty();
  const std::string got = sum.got_min == sum.got_max
                              ? std::to_string(sum.got_min)
                              : std::to_string(sum.got_min) + ".." + std::to_string(sum.got_max);
  return {run.name,
          run.store,
          std::to_string(run.callers),
          fixed(pass.overlap, 2),
          std::to_string(pass.rounds.size()),
          any ? std::to_string(pass.rounds[0].expected.done) : "-",
          any ? got : "-",
          std::to_string(pass.found.total()),
          run.recorded ? std::to_string(sum.operations_checked) : "none",
          fixed(sum.conflicts_per_commit(), 2),
          std::to_string(sum.peak_in_flight),
          duration(sum.spread_ns),
          fixed(sum.ms, 1),
          pass_verdict(run, pass)};
}

std::string remarks(const scenario_result& run) {
  std::string text;
  for (const pass_result* pass : {&run.main, run.plain ? &*run.plain : nullptr}) {
    if (pass == nullptr) continue;
    for (const violation& one : pass->found.kept())
      text += run.name + ": violation " + std::string(one.name) + ": " + one.message + "\n";
    const std::uint64_t kept = pass->found.kept().size();
    if (pass->found.total() > kept)
      text += run.name + ": and " + std::to_string(pass->found.total() - kept) + " more\n";
    if (!pass->error.empty()) text += run.name + ": not checked to the end: " + pass->error + "\n";
  }
  if (run.verdict == verdict::void_run)
    text += run.name + ": void, the callers did not meet: " + run.reason + "\n";
  return text;
}

}  // namespace

std::string_view name_of(verdict v) noexcept {
  switch (v) {
    case verdict::ok:
      return "ok";
    case verdict::violation:
      return "VIOLATION";
    case verdict::void_run:
      return "void";
    case verdict::unchecked:
      return "UNCHECKED";
  }
  return "?";
}

std::string report_table(const std::vector<scenario_result>& runs) {
  std::vector<table_row> rows(1);
  std::copy(titles.begin(), titles.end(), rows[0].begin());
  for (const scenario_result& run : runs) {
    rows.push_back(row_of(run, run.main));
    if (run.plain) rows.push_back(row_of(run, *run.plain));
  }
  std::array<std::size_t, columns> widths{};
  for (const table_row& row : rows)
    for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const table_row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < columns; ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      const bool words = i < 2 || i + 1 == columns;
      line += (i == 0 ? "" : "  ") + (words ? row[i] + padding : padding + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  for (const scenario_result& run : runs) text += remarks(run);
  if (std::any_of(runs.begin(), runs.end(), [](const auto& run) { return !run.recorded; }))
    text += "counts only, history not checked\n";
  return text;
}

}  // namespace ratchet::inline RATCHET_ABI::harness
