// SPDX-License-Identifier: Apache-2.0
// Trends: paths -> runs, one after the other -> where their cycle changed.
#include <kdiag/trend.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/compare/trend.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "ingest/read_inputs.hpp"
#include "ingest/walk_folder.hpp"

namespace kdiag {
namespace {

/// The files and folders directly in a folder that hold any file.
std::vector<std::string> entries_of(const std::string& folder) {
  const std::string base = folder.ends_with('/') ? folder : folder + "/";
  std::set<std::string> entries;
  for (const std::string& file : walk_folder(folder).files)
    if (file.starts_with(base)) entries.insert(file.substr(0, file.find('/', base.size())));
  std::vector<std::string> sorted(entries.begin(), entries.end());
  std::stable_sort(sorted.begin(), sorted.end(), natural_less);
  return sorted;
}

std::string first_title(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? "it cannot be read" : diagnostics.front().title;
}

}  // namespace

Result<Trend> trend(std::span<const std::string> paths, const TrendOptions& options) {
  std::vector<std::string> runs(paths.begin(), paths.end());
  std::error_code ignored;
  if (runs.size() == 1 && std::filesystem::is_directory(runs.front(), ignored)) runs = entries_of(runs.front());
  TrendBuilder builder(options.anchor, options.load.cancel);
  try {
    for (const std::string& path : runs) {
      const Result<Facts> facts = load_traces({&path, 1}, options.load);
      stop_if(options.load.cancel);
      if (!facts) builder.add_unreadable(path, first_title(facts.error()));
      else builder.add(path, std::make_shared<const LoadedFacts>(facts->loaded()));
    }
    return builder.take();
  } catch (const Interrupted&) {
    return cancelled_error();
  }
}

std::optional<Severity> severity_of(const Trend& trend) {
  if (trend.changes.empty()) return std::nullopt;
  Comparison last;
  last.verdict = trend.verdict;
  last.cycle.change = trend.changes.back().change;
  return severity_of(last);
}

}  // namespace kdiag
