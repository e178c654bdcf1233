// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/recorded_phrases.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <kdiag/format.hpp>

#include "base/phrases.hpp"

namespace kdiag::report {
namespace {

/// What people call a row of a table. By name: its rows are as many as cycles or totals state, not what happened.
struct Noun {
  std::string_view table, word;
  bool by_name = false;
};
constexpr Noun nouns[] = {
    {"steps", "step"},        {"functions", "function", true},         {"comms", "collective"},
    {"ops", "operator call"}, {"op_stats", "operator", true},          {"annotations", "range"},
    {"api", "runtime call"},  {"api_stats", "runtime function", true}, {"os_calls", "system call"},
};

std::string phrase(const RecordedEntry& entry) {
  const auto* const noun =
      std::find_if(std::begin(nouns), std::end(nouns), [&](const Noun& one) { return one.table == entry.table; });
  const bool known = noun != std::end(nouns);
  const bool by_name = known && noun->by_name && entry.names > 0;
  std::string text =
      counted(static_cast<std::size_t>(by_name ? entry.names : entry.rows), known ? noun->word : "record");
  if (entry.table == "steps" && entry.median_ns) text += " of " + format_duration(*entry.median_ns) + " (median)";
  else if (entry.longest_ns)
    text +=
        (entry.names > 1 ? ", most time in " : ": ") + entry.longest + " (" + format_duration(*entry.longest_ns) + ")";
  if (entry.bus_bandwidth)
    text += ", up to " + format_value({.value = *entry.bus_bandwidth, .unit = "B/s"}) + " of bus bandwidth";
  return text;
}

}  // namespace

std::vector<std::string> recorded_phrases(const RunView& view) {
  std::vector<std::string> phrases;
  for (const RecordedEntry* entry : view.recorded) phrases.push_back(phrase(*entry));
  return phrases;
}

}  // namespace kdiag::report
