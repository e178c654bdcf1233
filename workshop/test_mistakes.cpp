// SPDX-License-Identifier: Apache-2.0
// What is wrong with tests of rules, seen without running them.
#include <kdiag/kdiag.hpp>
#include <kdiag/rule_tests.hpp>

#include "dsl/test_facts.hpp"
#include "engine/ruleset/check_test.hpp"
#include "engine/ruleset/rule_set.hpp"

namespace kdiag {
namespace {

void check_facts(const RuleTest& test, TestRun run, Diagnostics& diagnostics) {
  const Result<Fragment> facts = test_facts(test, run);
  if (facts) return;
  for (Diagnostic diagnostic : facts.error()) {
    if (diagnostic.context.empty()) diagnostic.context = test.name;
    diagnostics.push_back(std::move(diagnostic));
  }
}

}  // namespace

Diagnostics test_mistakes(const RuleSet& rules) {
  Diagnostics out;
  for (const auto& file : rules.loaded().files) {
    if (file->builtin) continue;
    for (const Rule& rule : file->rules)
      for (const RuleTest& test : rule.tests) {
        check_test(test, rules.loaded(), out);
        if (!test.trace) check_facts(test, TestRun::judged, out);
        if (test.baseline && !test.baseline->trace) check_facts(test, TestRun::baseline, out);
      }
  }
  return out;
}

}  // namespace kdiag
