// SPDX-License-Identifier: Apache-2.0
// kdiag compare NORMAL ABNORMAL: compares two runs.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/compare.hpp>

#include "cli/command.hpp"
#include "cli/gates.hpp"
#include "cli/policy.hpp"
#include "cli/read_traces.hpp"
#include "cli/render_report.hpp"
#include "cli/verbs.hpp"

namespace kdiag::cli {
namespace {

Result<Sides> load_both(const Options& options, const LoadOptions& load) {
  const std::vector<std::string>& given = options.files;
  if (given.size() == 1) return load_sides(given[0], load);
  if (given.size() == 2) return load_sides({&given[0], 1}, {&given[1], 1}, load);
  return load_sides(options.normal, options.abnormal, load);
}

std::vector<std::string> all_traces(const Options& options) {
  std::vector<std::string> out = options.files;
  for (const auto* side : {&options.normal, &options.abnormal}) out.insert(out.end(), side->begin(), side->end());
  return out;
}

}  // namespace

int compare_sides(Options& options) {
  ReadAhead<Sides> traces(options, all_traces(options),
                          [&options](const LoadOptions& load) { return load_both(options, load); });
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);  // whose mistakes are said first
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Policy> policy = load_policy(options, *rules, code);
  if (!policy) return code;
  const std::optional<Sides> sides = traces.take(code);
  if (!sides) return code;
  options.compare.threads = options.load.threads;
  options.compare.cancel = &interrupted;
  options.compare.timings = options.timings;
  options.compare.policy = &*policy;
  const std::vector<std::string> judged =
      options.files.empty() ? options.abnormal : std::vector<std::string>{options.files.back()};
  const std::optional<RuleSet> chosen = rules_for_devices(options, *rules, sides->abnormal, judged);
  if (!chosen) return exit_code::rules;
  Result<Report> report = compare(*sides, *chosen, options.compare);
  if (!report) {
    complain(options, report.error());
    return exit_code::usage;
  }
  const int gates = interrupted ? exit_code::interrupted : apply_gates(options, GateScope::changes, *report);
  return print(options,
               interrupted ? std::string()
                           : render_report(options, *report, {.facts = sides->abnormal, .baseline = sides->normal}),
               worst({unreadable(options, sides->normal), unreadable(options, sides->abnormal), gates}));
}

}  // namespace kdiag::cli
