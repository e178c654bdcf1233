// SPDX-License-Identifier: Apache-2.0
// kdiag rules check: finds what is wrong with rule files.
#include "cli/verbs.hpp"

#include "cli/command.hpp"

namespace kdiag::cli {

int check_rules(const Options& options) {
  const std::optional<RuleSet> rules =
      load_rule_set(options, options.files);  // with the built-in ones, which they may name
  if (!rules) return exit_code::rules;
  return print(options, std::to_string(rules->size()) + " rules are valid, the built-in ones included", exit_code::ok);
}

}  // namespace kdiag::cli
