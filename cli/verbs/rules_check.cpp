// SPDX-License-Identifier: Apache-2.0
// kdiag rules check: finds what is wrong with rule files.
#include "cli/verbs.hpp"

#include <utility>

#include <kdiag/editing.hpp>

#include "cli/check_verdict.hpp"
#include "cli/command.hpp"
#include "cli/rule_paths.hpp"

namespace kdiag::cli {
namespace {

std::string skipped_files(const RulePaths& paths) {
  std::string out;
  for (std::size_t i = 0; i < paths.skipped.size(); ++i)
    out += (i == 0 ? "\npassed over, since they hold no rules: " : ", ") + paths.skipped[i];
  return out;
}

}  // namespace

int check_rules(const Options& options) {
  const RulePaths paths = rule_files(options.files);
  if (!all_found(options, paths, true)) return exit_code::rules;
  const Result<RuleSet> rules =
      load_rules(paths.files, options.rule_options);  // with the built-in ones: they may be named
  Diagnostics diagnostics = mistakes_of(rules);
  if (rules && options.quiet) diagnostics.resize(diagnostics.size() - rules->style().size());  // they are the last
  const bool passed =
      count_of(Level::error, diagnostics) == 0 && !(options.werror && count_of(Level::warning, diagnostics) > 0);
  if (options.format == Format::text && !(options.quiet && passed)) complain(options, diagnostics);
  std::string verdict = render_check(options, paths.files.size(), diagnostics);
  if (options.format == Format::text) verdict += skipped_files(paths);
  return print(options, std::move(verdict), passed ? exit_code::ok : exit_code::rules);
}

}  // namespace kdiag::cli
