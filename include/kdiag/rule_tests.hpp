// SPDX-License-Identifier: Apache-2.0
// Tests of rules: those inside rules and those of test files, what became of them, and what they covered.
//
//     const std::string paths[] = {"rules/"};
//     auto report = kdiag::test_rules(paths, {.coverage = true});
//     if (!report) { std::cerr << kdiag::render(report.error()); return 3; }
//     std::cout << kdiag::to_text(*report);
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/export.hpp>
#include <kdiag/result.hpp>
#include <kdiag/shared.hpp>
#include <kdiag/timings.hpp>

namespace kdiag {

struct FileReader;  // <kdiag/file_reader.hpp>
class RuleSet;

struct RuleTestOptions {
  bool builtin = true;       ///< judge tests inside rules with the built-in packs as well
  std::string filter = {};   ///< run only tests whose rules or name contain it
  std::string pattern = {};  ///< run only tests of whose rules or name this regular expression (RE2) finds a part
  bool coverage = false;
  bool timings = false;  ///< measure what judging takes, rule by rule
  /// true: stop soon. K690 while the rules are read, then a report of the tests that were done.
  const std::atomic<bool>* cancel = nullptr;
  bool lua = true;                ///< run Lua rules; see RuleOptions
  bool imports_outside = false;   ///< see RuleOptions
  Shared<FileReader> files = {};  ///< see RuleOptions
  /// Whether a trace that a test names may be read, by its path; what may not is K321. Without a function every one.
  std::function<bool(const std::string& path)> may_read = {};
};

/// todo: it is known not to hold (`status: todo`), and does not; todo_passed: it holds nevertheless.
enum class TestStatus : std::uint8_t { passed, failed, todo, todo_passed };
KDIAG_API std::string_view name_of(TestStatus status);

/// One thing that a test expects and did not get.
struct TestMismatch {
  std::size_t line = 0;  ///< of the expectation
  std::string expected, got;
};

struct RuleTestResult {
  std::string file, name;
  std::size_t line = 0;
  std::vector<std::string> rules;  ///< that it is about
  TestStatus status = TestStatus::passed;
  std::vector<TestMismatch> mismatches;
  std::string explanation;  ///< the trees of values behind them, as `kdiag explain` prints them
};

/// How often the tests saw a rule end in each way; counted once for each subject.
struct RuleCoverage {
  std::string rule, file;
  std::size_t line = 0;
  std::size_t fired = 0, clear = 0, inconclusive = 0, not_applicable = 0, failed = 0;
};

/// How often the tests saw a condition that is not made of others (a comparison, `in`, a match, a call) each way.
struct ConditionCoverage {
  std::string rule, role, text, file;  ///< role: applies, when, except, severity; text: as written
  std::size_t line = 0, column = 0;
  std::size_t yes = 0, no = 0, unknown = 0;
  bool can_be_unknown = true;  ///< false: default(...), defined(...) and their like
};

struct TestCoverage {
  /// Of the points: each rule fired, clear and inconclusive, each condition true, false and, where it can be, unknown.
  std::size_t seen = 0, points = 0;
  std::vector<RuleCoverage> rules;
  std::vector<ConditionCoverage> conditions;
};

struct RuleTestReport {
  std::string version;
  std::vector<RuleTestResult> tests;  ///< by file, in the order of the file
  std::size_t unselected = 0;         ///< tests that filter and pattern left out
  std::vector<std::string> skipped;   ///< YAML files in folders that are neither rules nor tests
  Diagnostics warnings;               ///< and lints of the rules
  std::optional<TestCoverage> coverage;
  /// What judging took in all tests, the dearest rule first; with RuleTestOptions::timings.
  std::optional<std::vector<CostEntry>> costs;
  KDIAG_API std::size_t count(TestStatus status) const;
};

/// Runs the tests of rule files and test files; folders mean every *.yaml and *.yml below them. Without paths those of
/// the built-in rules. Errors, all at once: of the rules, of the test files, and of traces they name; K697: the
/// pattern.
KDIAG_API Result<RuleTestReport> test_rules(std::span<const std::string> paths, const RuleTestOptions& options = {});
/// Runs the tests inside the rules of a set.
KDIAG_API Result<RuleTestReport> test_rules(const RuleSet& rules, const RuleTestOptions& options = {});

/// What is wrong with the tests inside the rules of a set that are not built in, without running them: rules,
/// parameters and facts that there are not, values that do not fit.
KDIAG_API Diagnostics test_mistakes(const RuleSet& rules);

struct RuleTestTextOptions {
  bool verbose = false;  ///< name the tests that passed, too
};
/// For people: what failed, with the place, what was expected and got and the values behind it; coverage; a summary.
KDIAG_API std::string to_text(const RuleTestReport& report, const RuleTestTextOptions& options = {});
/// One JSON document, schema "kdiag.rule-tests/1" (docs/rule-tests.md). Byte-stable.
KDIAG_API std::string to_json(const RuleTestReport& report);
/// JUnit XML: a suite for each file; tests to do are skipped ones.
KDIAG_API std::string to_junit(const RuleTestReport& report);

}  // namespace kdiag
