// SPDX-License-Identifier: Apache-2.0
#include "ingest/scope.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include <kdiag/refusal_ids.hpp>

namespace kdiag {
namespace {

/// All values of a column of integers over the runs.
std::set<std::int64_t> values_of(const std::vector<RunFacts>& runs, ColumnId column) {
  std::set<std::int64_t> values;
  for (const RunFacts& run : runs)
    for (std::size_t row = 0; row < run.store->rows(table_of(column)); ++row) {
      const bool small = info(column).type == ColumnType::small_integer;
      const std::int64_t value = small ? run.store->small(column, row) : run.store->integer(column, row);
      if (value != (small ? std::int64_t{absent_small} : absent_integer)) values.insert(value);
    }
  return values;
}

/// "0 to 7", "0, 2, 5" or "none".
std::string list(const std::set<std::int64_t>& values) {
  if (values.empty()) return "none";
  const std::int64_t first = *values.begin();
  const std::int64_t last = *values.rbegin();
  if (values.size() > 2 && last - first == static_cast<std::int64_t>(values.size()) - 1)
    return std::to_string(first) + " to " + std::to_string(last);
  std::string text;
  for (std::int64_t value : values) {
    if (text.size() > 60) return text + ", ...";
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  }
  return text;
}

Diagnostic nothing_selected(std::string title, std::string help) {
  Diagnostic error;
  error.id = refusal_id::empty_selection;
  error.title = std::move(title);
  error.help = std::move(help);
  return error;
}

/// What was meant by the name of a range that there is none of: the profilers' names of steps end in their number.
std::string ways_to_select(std::string_view name, const std::set<std::int64_t>& steps) {
  std::string help = "`kdiag query 'annotations group by (name)' TRACE` lists the ranges.";
  const std::string_view digits = name.substr(name.find_last_not_of("0123456789") + 1);
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
  if (!digits.empty() && error == std::errc{} && steps.contains(step))
    help = "--steps " + std::to_string(step) + " selects the step of that number; " + help;
  return help;
}

bool has_annotation(const FactStore& store, std::string_view name) {
  const std::uint32_t id = store.strings.find(name);
  const auto names = store.indices(column("annotations.name"));
  return id != absent_index && std::find(names.begin(), names.end(), id) != names.end();
}

/// Whether anything is left of the time of a run once the options chose.
bool has_window(const RunFacts& run) {
  return std::any_of(run.store->walls.begin(), run.store->walls.end(),
                     [](const Wall& wall) { return wall.window || wall.length > 0; });
}

}  // namespace

Scope to_scope(const ScopeOptions& options) {
  Scope scope;
  if (options.steps) {
    const std::int64_t last = options.steps->second;
    scope.steps = Interval{options.steps->first, last == std::numeric_limits<std::int64_t>::max() ? last : last + 1};
  }
  scope.within = options.within;
  scope.from = options.from_ns;
  scope.to = options.to_ns;
  scope.rank = options.rank;
  scope.device = options.device;
  return scope;
}

Diagnostics check_scope(const ScopeOptions& options, const std::vector<RunFacts>& runs) {
  Diagnostics errors;
  if (options.steps) {
    const std::set<std::int64_t> steps = values_of(runs, column("steps.index"));
    const auto first = steps.lower_bound(options.steps->first);
    if (first == steps.end() || *first > options.steps->second)
      errors.push_back(
          nothing_selected("no step has a number in that range", "Steps in the input: " + list(steps) + "."));
  }
  if (options.rank) {
    const std::set<std::int64_t> ranks = values_of(runs, column("ranks.id"));
    if (!ranks.contains(*options.rank))
      errors.push_back(nothing_selected("there is no rank " + std::to_string(*options.rank),
                                        "Ranks in the input: " + list(ranks) + "."));
  }
  if (options.device) {
    const std::set<std::int64_t> devices = values_of(runs, column("devices.id"));
    if (!devices.contains(*options.device))
      errors.push_back(nothing_selected("there is no device " + std::to_string(*options.device),
                                        "Devices in the input: " + list(devices) + "."));
  }
  if (!options.within.empty() && std::none_of(runs.begin(), runs.end(), [&](const RunFacts& run) {
        return has_annotation(*run.store, options.within);
      }))
    errors.push_back(nothing_selected("there is no range '" + options.within + "'",
                                      ways_to_select(options.within, values_of(runs, column("steps.index")))));
  if (options.from_ns && options.to_ns && *options.from_ns >= *options.to_ns)
    errors.push_back(nothing_selected("the time span is empty", "--from must be earlier than --to."));
  if (errors.empty() && (options.from_ns || options.to_ns) && std::none_of(runs.begin(), runs.end(), has_window))
    errors.push_back(
        nothing_selected("nothing was recorded in that time span", "Times count from the beginning of the run."));
  return errors;
}

}  // namespace kdiag
