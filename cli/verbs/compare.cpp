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
#include "cli/render_report.hpp"
#include "cli/verbs.hpp"

namespace kdiag::cli {
namespace {

std::optional<Sides> load_both(Options& options, int& code) {
  code = exit_code::rules;
  if (!load_maps(options)) return std::nullopt;
  std::unique_ptr<Progress> progress = show_progress(options);
  const std::vector<std::string>& given = options.files;
  Result<Sides> sides = given.size() == 1   ? load_sides(given[0], options.load)
                        : given.size() == 2 ? load_sides({&given[0], 1}, {&given[1], 1}, options.load)
                                            : load_sides(options.normal, options.abnormal, options.load);
  progress.reset();
  code = interrupted ? exit_code::interrupted : exit_code::usage;
  if (sides) return std::move(*sides);
  if (!interrupted) complain(options, sides.error());
  return std::nullopt;
}

}  // namespace

int compare_sides(Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);  // before any trace is read
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Policy> policy = load_policy(options, *rules, code);
  if (!policy) return code;
  const std::optional<Sides> sides = load_both(options, code);
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
