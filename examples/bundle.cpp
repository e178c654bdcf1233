// SPDX-License-Identifier: Apache-2.0
// Analyses a support bundle: every trace in a folder on its own, and then which causes cost the most over all of them.
//     bundle FOLDER
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <kdiag/format.hpp>
#include <kdiag/kdiag.hpp>

namespace {

/// What one rule found in all traces.
struct Cause {
  std::string rule, title, advice;
  std::int64_t impact_ns = 0;  // of those findings that can state one
  std::set<std::string> traces;
};

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, unreadable))
    if (entry.is_regular_file(unreadable)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

void add(std::map<std::string, Cause>& causes, const kdiag::Finding& finding, const std::string& trace) {
  Cause& cause = causes[finding.rule];
  cause.rule = finding.rule;
  if (cause.title.empty()) cause.title = finding.title;
  if (cause.advice.empty() && !finding.recommendations.empty()) cause.advice = finding.recommendations.front().text;
  cause.impact_ns += finding.impact_ns.value_or(0);
  cause.traces.insert(trace);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: bundle FOLDER\n";
    return 2;
  }
  const auto rules = kdiag::builtin_rules();
  if (!rules) {
    std::cerr << kdiag::render(rules.error());
    return 3;
  }
  std::map<std::string, Cause> causes;
  std::size_t traces = 0, others = 0;
  for (const std::string& file : files_below(argv[1])) {
    const auto facts = kdiag::load_trace(file);
    if (!facts) {  // bundles hold logs and configurations, too
      ++others;
      continue;
    }
    ++traces;
    for (const kdiag::Finding& finding : kdiag::diagnose(*facts, *rules).findings) add(causes, finding, file);
  }

  std::vector<Cause> ranked;
  for (auto& [rule, cause] : causes) ranked.push_back(std::move(cause));
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Cause& a, const Cause& b) { return a.impact_ns > b.impact_ns; });
  std::cout << traces << " traces, " << others << " other files\n";
  for (const Cause& cause : ranked) {
    std::cout << '\n' << cause.rule << " in " << cause.traces.size() << " of them";
    if (cause.impact_ns > 0) std::cout << ", up to " << kdiag::format_duration(cause.impact_ns) << " in all";
    std::cout << "\n  " << cause.title << '\n';
    if (!cause.advice.empty()) std::cout << "  do: " << cause.advice << '\n';
  }
  return traces == 0 ? 2 : 0;
}
