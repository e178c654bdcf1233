// SPDX-License-Identifier: Apache-2.0
// kdiag rules check: finds what is wrong with rule files.
#include "cli/verbs.hpp"

#include <algorithm>

#include <kdiag/tools.hpp>

#include "cli/command.hpp"
#include "cli/rule_paths.hpp"

namespace kdiag::cli {
namespace {

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::size_t count_of(Level level, const Diagnostics& diagnostics) {
  return static_cast<std::size_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(), [level](const Diagnostic& d) { return d.level == level; }));
}

/// "3 files: no errors, 1 warning"
std::string verdict(const RulePaths& paths, const Diagnostics& diagnostics) {
  const std::size_t errors = count_of(Level::error, diagnostics);
  const std::size_t warnings = count_of(Level::warning, diagnostics);
  std::string out = counted(paths.files.size(), "file") + ": " +
                    (errors == 0 ? "no errors" : counted(errors, "error")) + ", " +
                    (warnings == 0 ? "no warnings" : counted(warnings, "warning"));
  for (std::size_t i = 0; i < paths.skipped.size(); ++i)
    out += (i == 0 ? "\npassed over, since they hold no rules: " : ", ") + paths.skipped[i];
  return out;
}

std::string render_check(const Options& options, const RulePaths& paths, const Diagnostics& diagnostics) {
  switch (options.format) {
    case Format::json: return to_json(diagnostics);
    case Format::sarif: return to_sarif(diagnostics);
    case Format::github: return to_github(diagnostics);
    default: return verdict(paths, diagnostics);
  }
}

}  // namespace

int check_rules(const Options& options) {
  const RulePaths paths = rule_files(options.files);
  if (paths.files.empty()) {
    complain(options, no_rule_files);
    return exit_code::rules;
  }
  const Result<RuleSet> rules =
      load_rules(paths.files, options.rule_options);  // with the built-in ones: they may be named
  Diagnostics diagnostics = rules ? rules->warnings() : rules.error();
  if (rules && !options.quiet) diagnostics.insert(diagnostics.end(), rules->style().begin(), rules->style().end());
  const bool passed = rules && !(options.werror && count_of(Level::warning, diagnostics) > 0);
  if (options.format == Format::text && !(options.quiet && passed)) complain(options, diagnostics);
  return print(options, render_check(options, paths, diagnostics), passed ? exit_code::ok : exit_code::rules);
}

}  // namespace kdiag::cli
