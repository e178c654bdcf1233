// SPDX-License-Identifier: Apache-2.0
// kdiag rules test: runs the tests of rules.
#include "cli/verbs.hpp"

#include "cli/command.hpp"

namespace kdiag::cli {

int test_rule_files(const Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.files);
  if (!rules) return exit_code::rules;
  std::vector<RuleTestResult> results;
  if (options.files.empty()) results = test_rules(*rules);
  for (const std::string& file : options.files) {
    const std::vector<RuleTestResult> of_file = test_rules(*rules, file);
    results.insert(results.end(), of_file.begin(), of_file.end());
  }
  std::string text;
  std::size_t failed = 0;
  for (const RuleTestResult& result : results) {
    if (result.passed) continue;
    ++failed;
    text += result.file + ":" + std::to_string(result.line) + ": FAILED " + result.rule + ": " + result.test + "\n" +
            result.message + "\n";
  }
  if (results.empty()) {
    complain(options, "no tests were found");
    return exit_code::tests;
  }
  text += std::to_string(results.size() - failed) + " passed, " + std::to_string(failed) + " failed\n";
  return print(options, text, failed > 0 ? exit_code::tests : exit_code::ok);
}

}  // namespace kdiag::cli
