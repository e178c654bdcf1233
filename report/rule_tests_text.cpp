// SPDX-License-Identifier: Apache-2.0
// The results of rule tests as text.
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/format.hpp>
#include <kdiag/rule_tests.hpp>

#include "base/escape.hpp"
#include "report/cost_table.hpp"
#include "report/phrases/table.hpp"

namespace kdiag {
namespace {

/// "rules.yaml:14: FAILED host.sync-stall: item storm"
std::string heading(const RuleTestResult& test, std::string_view word) {
  std::string out = visible(test.file) + ":" + std::to_string(test.line) + ": " + std::string(word) + " ";
  if (!test.rules.empty()) out += test.rules.front() + ": ";
  return out + flowing(test.name) + "\n";
}

std::string mismatch_text(const RuleTestResult& test, const TestMismatch& mismatch) {
  std::string out = "   expected " + flowing(mismatch.expected);
  if (mismatch.line != 0 && mismatch.line != test.line) out += "   (line " + std::to_string(mismatch.line) + ")";
  return out + "\n   got      " + flowing(mismatch.got) + "\n";
}

/// Lines made harmless one by one, since explanations hold names out of traces.
std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += "   " + visible(text.substr(0, end)) + "\n";
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

void add_test(std::string& out, const RuleTestResult& test, bool verbose) {
  switch (test.status) {
    case TestStatus::passed:
      if (verbose) out += heading(test, "passed");
      break;
    case TestStatus::todo_passed: out += heading(test, "TODO PASSED") + "   it holds: remove `status: todo`\n"; break;
    case TestStatus::todo:
      out += heading(test, "todo");
      for (const TestMismatch& mismatch : test.mismatches) out += mismatch_text(test, mismatch);
      break;
    case TestStatus::failed:
      out += heading(test, "FAILED");
      for (const TestMismatch& mismatch : test.mismatches) out += mismatch_text(test, mismatch);
      out += indented(test.explanation) + "\n";
  }
}

std::string listed(const std::vector<std::string_view>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + std::string(words[i]);
  return out;
}

/// A line for each rule: how its subjects ended, and how many of its conditions were seen both true and false.
std::string coverage_table(const TestCoverage& coverage) {
  const auto number = [](std::size_t n) { return std::to_string(n); };
  std::vector<std::vector<std::string>> cells{
      {"fired", "clear", "cannot tell", "not applicable", "conditions", "rule"}};
  for (const RuleCoverage& rule : coverage.rules) {
    std::size_t conditions = 0, both = 0;
    for (const ConditionCoverage& condition : coverage.conditions)
      if (condition.rule == rule.rule) {
        ++conditions;
        both += condition.yes > 0 && condition.no > 0 ? 1 : 0;
      }
    cells.push_back({number(rule.fired), number(rule.clear), number(rule.inconclusive), number(rule.not_applicable),
                     number(both) + "/" + number(conditions), rule.rule});
  }
  std::string out;
  for (const std::string& line : report::align_columns(std::move(cells), {true, true, true, true, true, false}))
    out += line + "\n";
  return out;
}

void add_coverage(std::string& out, const TestCoverage& coverage) {
  for (const RuleCoverage& rule : coverage.rules) {
    std::vector<std::string_view> never;
    if (rule.fired == 0) never.push_back("fired");
    if (rule.clear == 0) never.push_back("clear");
    if (rule.inconclusive == 0) never.push_back("inconclusive");
    if (!never.empty())
      out += visible(rule.file) + ":" + std::to_string(rule.line) + ": " + rule.rule + " was never " + listed(never) +
             "\n";
    for (const ConditionCoverage& condition : coverage.conditions) {
      if (condition.rule != rule.rule) continue;
      never.clear();
      if (condition.yes == 0) never.push_back("true");
      if (condition.no == 0) never.push_back("false");
      if (condition.unknown == 0 && condition.can_be_unknown) never.push_back("unknown");
      if (!never.empty())
        out += visible(condition.file) + ":" + std::to_string(condition.line) + ":" + std::to_string(condition.column) +
               ": " + condition.rule + ", " + condition.role + ": `" + flowing(condition.text) + "` was never " +
               listed(never) + "\n";
    }
  }
  const double share =
      coverage.points == 0 ? 1 : static_cast<double>(coverage.seen) / static_cast<double>(coverage.points);
  out += "coverage " + format_share(share) + " (" + std::to_string(coverage.seen) + " of " +
         std::to_string(coverage.points) + ")\n";
}

}  // namespace

std::string to_text(const RuleTestReport& report, const RuleTestTextOptions& options) {
  std::string out;
  for (const RuleTestResult& test : report.tests) add_test(out, test, options.verbose);
  for (const std::string& path : report.skipped) out += visible(path) + ": skipped, it holds neither rules nor tests\n";
  if (report.coverage && options.verbose) out += coverage_table(*report.coverage);
  if (report.coverage) add_coverage(out, *report.coverage);
  if (report.costs) {
    constexpr std::size_t most_rules = 20;
    const double whole = seconds_of(*report.costs);
    out += "judging took " + time_text(whole) + " in all tests, without what rules share\n" +
           dearest("rules", *report.costs, whole, most_rules) + "\n";
  }
  const std::size_t todo = report.count(TestStatus::todo);
  const std::size_t todo_passed = report.count(TestStatus::todo_passed);
  out += std::to_string(report.count(TestStatus::passed)) + " passed, " +
         std::to_string(report.count(TestStatus::failed)) + " failed";
  if (todo > 0) out += ", " + std::to_string(todo) + " to do";
  if (todo_passed > 0) out += ", " + std::to_string(todo_passed) + " to do but passed";
  if (report.unselected > 0) out += ", " + std::to_string(report.unselected) + " left out";
  return out + "\n";
}

}  // namespace kdiag
