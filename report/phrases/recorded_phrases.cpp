// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/recorded_phrases.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include <kdiag/format.hpp>

#include "base/phrases.hpp"

namespace kdiag::report {
namespace {

/// How rows of a table are told: one by one, of which the median says how long they are or the longest name what they
/// are about, or by their names, where rows are as many as cycles or totals state.
enum class Told : std::uint8_t { by_median, by_longest, by_name };

struct Noun {
  std::string_view table, word;
  Told told = Told::by_longest;
};
constexpr Noun nouns[] = {
    {"steps", "step", Told::by_median},
    {"functions", "function", Told::by_name},
    {"comms", "collective"},
    {"ops", "operator call"},
    {"op_stats", "operator", Told::by_name},
    {"annotations", "range"},
    {"api", "runtime call"},
    {"api_stats", "runtime function", Told::by_name},
    {"os_calls", "system call"},
    {"copies", "memory transfer"},
    {"copy_stats", "copy direction", Told::by_name},
};
constexpr Noun record = {"", "record"};

std::string phrase(const RecordedEntry& entry) {
  const auto* const found =
      std::find_if(std::begin(nouns), std::end(nouns), [&](const Noun& one) { return one.table == entry.table; });
  const Noun& noun = found == std::end(nouns) ? record : *found;
  const bool by_name = noun.told == Told::by_name && entry.names > 0;
  std::string text = counted(static_cast<std::size_t>(by_name ? entry.names : entry.rows), noun.word);
  if (noun.told == Told::by_median && entry.median_ns) text += " of " + format_duration(*entry.median_ns) + " (median)";
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
