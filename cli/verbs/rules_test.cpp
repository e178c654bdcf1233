// SPDX-License-Identifier: Apache-2.0
// kdiag rules test: runs the tests of rules.
#include "cli/verbs.hpp"

#include <kdiag/refusal_ids.hpp>
#include <kdiag/rule_tests.hpp>

#include "cli/command.hpp"

namespace kdiag::cli {
namespace {

std::string render_report(const Options& options, const RuleTestReport& report) {
  switch (options.format) {
    case Format::json: return to_json(report);
    case Format::junit: return to_junit(report);
    default: return to_text(report, {.verbose = options.verbose});
  }
}

/// Why there is nothing to say; a run that tests nothing must not look like one in which all is well.
std::string nothing_to_run(const Options& options, const RuleTestReport& report) {
  if (report.unselected > 0)
    return "none of the " + std::to_string(report.unselected) + " tests is selected by --filter and --run";
  std::string where;
  for (const std::string& file : options.files) where += (where.empty() ? " in " : ", ") + file;
  return "no tests were found" + where + ": they stand in rules under `tests`, and in files that begin with " +
         "`kdiag_test: 1`";
}

bool covered(const Options& options, const TestCoverage& coverage) {
  return !options.min_coverage ||
         coverage.seen * 100 >= static_cast<std::size_t>(*options.min_coverage) * coverage.points;
}

}  // namespace

int test_rule_files(const Options& options) {
  RuleTestOptions test = options.test;
  test.builtin = !options.only_rules;
  test.coverage = test.coverage || options.min_coverage.has_value();
  test.cancel = &interrupted;
  const Result<RuleTestReport> report = test_rules(options.files, test);
  if (interrupted) return exit_code::interrupted;
  if (!report) {
    complain(options, report.error());
    return report.error().front().id == refusal_id::usage ? exit_code::usage : exit_code::rules;
  }
  if (!options.quiet) complain(options, report->warnings);
  if (report->tests.empty()) {
    complain(options, nothing_to_run(options, *report));
    return exit_code::tests;
  }
  const bool good =
      report->count(TestStatus::failed) == 0 && (!report->coverage || covered(options, *report->coverage));
  return print(options, render_report(options, *report), good ? exit_code::ok : exit_code::tests);
}

}  // namespace kdiag::cli
