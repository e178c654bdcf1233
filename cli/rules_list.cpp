// SPDX-License-Identifier: Apache-2.0
// kdiag rules list and show: the rules at hand.
#include "cli/verbs.hpp"

#include "cli/command.hpp"

namespace kdiag::cli {

int list_rules(const Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);
  if (!rules) return exit_code::rules;
  return print(options, rules_text(*rules), exit_code::ok);
}

int show_rule(const Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);
  if (!rules) return exit_code::rules;
  const Result<std::string> text = describe_rule(*rules, options.subject);
  if (text) return print(options, *text, exit_code::ok);
  complain(options, text.error());
  return exit_code::usage;
}

}  // namespace kdiag::cli
