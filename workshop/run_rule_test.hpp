// SPDX-License-Identifier: Apache-2.0
// Runs single tests of rules.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/timings.hpp>

#include "base/interrupt.hpp"
#include "engine/judge/coverage.hpp"
#include "engine/ruleset/rule_test.hpp"

namespace kdiag {

class RuleTestRunner {
 public:
  /// `coverage`, which may be null, counts what the tests see. Of the options count whether what judging takes is added
  /// up, which traces may be read, and when to stop.
  RuleTestRunner(Coverage* coverage, const RuleTestOptions& options)
      : coverage_(coverage), timed_(options.timings), cancel_(options.cancel), may_read_(options.may_read) {}

  /// Runs a test with the rules of a set. Errors when the test is broken: what it names does not exist (check_test),
  /// its facts or values do not fit (test_facts, compare_value), K321 its trace cannot be read. Throws Interrupted soon
  /// after the host asked to stop.
  Result<RuleTestResult> run(const RuleTest& test, const RuleSet& rules);
  /// Of each rule in all tests so far, the dearest first.
  std::vector<CostEntry> costs() const;

 private:
  Result<Facts> trace_of(const RuleTest& test, const Reference& trace);
  Result<Facts> facts_of(const RuleTest& test);
  /// Of a test that has one.
  Result<Facts> baseline_of(const RuleTest& test);

  Coverage* coverage_;
  bool timed_;
  CancelFlag cancel_;
  std::function<bool(const std::string&)> may_read_;
  std::map<std::string, CostEntry> costs_;  ///< by rule
  std::map<std::string, Facts> traces_;     ///< that were loaded already, by path
};

/// The rules that a test is about: the one it stands in first, then those it names.
std::vector<std::string> rules_of(const RuleTest& test);

}  // namespace kdiag
