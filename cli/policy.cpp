// SPDX-License-Identifier: Apache-2.0
#include "cli/policy.hpp"

#include "cli/command.hpp"

namespace kdiag::cli {

std::optional<Policy> load_policy(const Options& options, const RuleSet& rules, int& code) {
  const bool chosen = options.project || options.given.contains("--select") || options.given.contains("--ignore");
  if (chosen && rules.size() == 0) {  // a gate that looks at nothing must not pass
    complain(options,
             "no rule is left to judge by; what chooses them are --select, --ignore, and these keys and `builtin` "
             "of the project file");
    code = exit_code::rules;
    return std::nullopt;
  }
  Policy policy{.today = options.today};
  if (options.project) {
    Result<Waivers> waivers = waivers_of(*options.project, rules);
    if (!waivers) {
      complain(options, waivers.error());
      code = exit_code::rules;
      return std::nullopt;
    }
    policy.waivers = std::move(*waivers);
  }
  if (options.known.empty()) return policy;
  Result<KnownFindings> known = load_known(options.known, &interrupted);
  if (!known) {
    complain(options, known.error());
    code = interrupted ? exit_code::interrupted : exit_code::usage;
    return std::nullopt;
  }
  policy.known = std::move(*known);
  return policy;
}

std::optional<RuleSet> rules_for_devices(const Options& options, const RuleSet& rules, const Facts& facts,
                                         const std::vector<std::string>& inputs) {
  if (!options.project || !options.project->asks_devices()) return rules;
  Options for_devices = options;
  for_devices.quiet = true;  // warnings were told before
  for_devices.rule_options.settings = options.project->rules_for(inputs, &facts);
  return load_rule_set(for_devices, options.rules);
}

}  // namespace kdiag::cli
