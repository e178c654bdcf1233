// SPDX-License-Identifier: Apache-2.0
// kdiag explain: why a rule decided as it did; without a trace, what it needs.
#include "cli/verbs.hpp"

#include "cli/command.hpp"
#include "cli/read_traces.hpp"

namespace kdiag::cli {

int explain_rule(Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  std::optional<Facts> facts;
  DiagnoseOptions compared;
  if (!options.files.empty()) {
    facts = load(options, code);
    if (!facts || !load_baseline(options, compared.baseline, code)) return code;
  }
  const Result<std::string> text =
      facts ? explain(*facts, *rules, options.subject, compared) : describe_rule(*rules, options.subject);
  if (!text) {
    complain(options, text.error());
    return exit_code::usage;
  }
  return print(options, *text, facts ? unreadable(options, *facts) : exit_code::ok);
}

}  // namespace kdiag::cli
