// SPDX-License-Identifier: Apache-2.0
// The results of rule tests as JUnit XML, the form that continuous integration servers read.
#include <algorithm>
#include <string>

#include <kdiag/rule_tests.hpp>

#include "base/escape.hpp"
#include "report/junit_xml.hpp"

namespace kdiag {
namespace {

using report::xml_attribute;

/// "expected ...; got ..." of the first mismatch, for lists that show one line.
std::string summary(const RuleTestResult& test) {
  if (test.mismatches.empty()) return {};
  const TestMismatch& first = test.mismatches.front();
  return "expected " + first.expected + ", got " + first.got;
}

std::string details(const RuleTestResult& test) {
  std::string out = test.file + ":" + std::to_string(test.line) + "\n";
  for (const TestMismatch& mismatch : test.mismatches)
    out += "expected " + mismatch.expected + "\ngot      " + mismatch.got + "\n";
  return out + test.explanation;
}

void add_test(std::string& out, const RuleTestResult& test) {
  // Viewers group by class name: the rule that the test is first about.
  out += "    <testcase" + xml_attribute("classname", test.rules.empty() ? test.file : test.rules.front()) +
         xml_attribute("name", test.name) + xml_attribute("file", test.file) + xml_attribute("line", test.line);
  switch (test.status) {
    case TestStatus::passed: out += "/>\n"; return;
    case TestStatus::failed:
      out += ">\n      <failure" + xml_attribute("type", "mismatch") + xml_attribute("message", summary(test)) + ">" +
             xml(details(test)) + "</failure>\n";
      break;
    case TestStatus::todo:
      out += ">\n      <skipped" + xml_attribute("message", "to do: " + summary(test)) + "/>\n";
      break;
    case TestStatus::todo_passed:
      out += ">\n      <system-out>to do, but it holds: remove `status: todo`</system-out>\n";
  }
  out += "    </testcase>\n";
}

report::JunitCounts counts_of(const RuleTestResult& test) {
  return {.tests = 1,
          .failures = test.status == TestStatus::failed ? 1U : 0U,
          .skipped = test.status == TestStatus::todo ? 1U : 0U};
}

}  // namespace

std::string to_junit(const RuleTestReport& report) {
  report::JunitCounts all;
  for (const RuleTestResult& test : report.tests) all += counts_of(test);
  std::string out = std::string(report::xml_declaration) + "<testsuites" + xml_attribute("name", "kdiag rules test") +
                    all.attributes() + ">\n";
  for (auto first = report.tests.begin(); first != report.tests.end();) {
    const auto last =
        std::find_if(first, report.tests.end(), [&](const RuleTestResult& test) { return test.file != first->file; });
    report::JunitCounts counts;
    std::string cases;
    for (auto test = first; test != last; ++test) {
      counts += counts_of(*test);
      add_test(cases, *test);
    }
    out +=
        "  <testsuite" + xml_attribute("name", first->file) + counts.attributes() + ">\n" + cases + "  </testsuite>\n";
    first = last;
  }
  return out + "</testsuites>\n";
}

}  // namespace kdiag
