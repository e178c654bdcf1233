// SPDX-License-Identifier: Apache-2.0
// kdiag rules new: a rule file to start from, or a test cut out of a trace.
#include "cli/verbs.hpp"

#include <unistd.h>

#include <algorithm>

#include <kdiag/tools.hpp>

#include "cli/command.hpp"
#include "cli/read_traces.hpp"

namespace kdiag::cli {
namespace {

/// Prints text; a file that is there already is kept, unless --force is given.
int print_new(const Options& options, const Result<std::string>& text) {
  if (!text) {
    complain(options, text.error());
    return exit_code::usage;
  }
  if (!options.output.empty() && !options.force && ::access(options.output.c_str(), F_OK) == 0) {
    complain(options, options.output + " is there already; --force replaces it");
    return exit_code::usage;
  }
  return print(options, *text, exit_code::ok);
}

int cut(Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Facts> facts = load(options, code);
  DiagnoseOptions compared;
  if (!facts || !load_baseline(options, compared.baseline, code)) return code;
  return worst({print_new(options, cut_test(*facts, *rules, options.subject, compared)), unreadable(options, *facts)});
}

}  // namespace

int make_rule(Options& options) {
  if (!options.files.empty()) return cut(options);
  const Result<RuleSet> rules = builtin_rules();
  const std::vector<RuleEntry> known = rules ? kdiag::list_rules(*rules) : std::vector<RuleEntry>();
  if (std::any_of(known.begin(), known.end(), [&](const RuleEntry& rule) { return rule.id == options.subject; })) {
    complain(options, "there is a built-in rule '" + options.subject + "' already; `kdiag rules show " +
                          options.subject + "` prints it");
    return exit_code::usage;
  }
  return print_new(options, rule_skeleton(options.subject));
}

}  // namespace kdiag::cli
