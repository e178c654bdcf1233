// SPDX-License-Identifier: Apache-2.0
// kdiag TRACE...: judges traces by rules.
#include "cli/verbs.hpp"

#include <algorithm>

#include "cli/command.hpp"
#include "cli/render_report.hpp"

namespace kdiag::cli {
int diagnose_traces(Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);  // before any trace is read
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Facts> facts = load(options, code);
  std::optional<Facts> baseline;
  if (!facts || !load_baseline(options, baseline, code)) return code;
  const Report report = diagnose(
      *facts, *rules, {.threads = options.load.threads, .cancel = &interrupted, .baseline = std::move(baseline)});
  const bool failed =
      options.fail_on && std::any_of(report.findings.begin(), report.findings.end(),
                                     [&](const Finding& finding) { return finding.severity >= *options.fail_on; });
  const bool open = options.strict && report.tally.inconclusive + report.tally.failed > 0;
  return print(options, interrupted ? std::string() : render_report(options, report),
               worst({unreadable(options, *facts), failed ? exit_code::findings : exit_code::ok,
                      open ? exit_code::inconclusive : exit_code::ok}));
}

}  // namespace kdiag::cli
