// SPDX-License-Identifier: Apache-2.0
// The results of rule tests as JUnit XML, the form that continuous integration servers read.
#include <algorithm>
#include <string>

#include <kdiag/rule_tests.hpp>

#include "base/escape.hpp"

namespace kdiag {
namespace {

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + xml(value) + "\"";
}
std::string attribute(std::string_view name, std::size_t value) { return attribute(name, std::to_string(value)); }

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
  out += "    <testcase" + attribute("classname", test.rules.empty() ? test.file : test.rules.front()) +
         attribute("name", test.name) + attribute("file", test.file) + attribute("line", test.line);
  switch (test.status) {
    case TestStatus::passed: out += "/>\n"; return;
    case TestStatus::failed:
      out += ">\n      <failure" + attribute("type", "mismatch") + attribute("message", summary(test)) + ">" +
             xml(details(test)) + "</failure>\n";
      break;
    case TestStatus::todo: out += ">\n      <skipped" + attribute("message", "to do: " + summary(test)) + "/>\n"; break;
    case TestStatus::todo_passed:
      out += ">\n      <system-out>to do, but it holds: remove `status: todo`</system-out>\n";
  }
  out += "    </testcase>\n";
}

struct Counts {
  std::size_t tests = 0, failures = 0, skipped = 0;
  void add(const RuleTestResult& test) {
    ++tests;
    failures += test.status == TestStatus::failed ? 1 : 0;
    skipped += test.status == TestStatus::todo ? 1 : 0;
  }
  std::string attributes() const {
    return attribute("tests", tests) + attribute("failures", failures) + attribute("errors", std::size_t{0}) +
           attribute("skipped", skipped);
  }
};

}  // namespace

std::string to_junit(const RuleTestReport& report) {
  Counts all;
  for (const RuleTestResult& test : report.tests) all.add(test);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attribute("name", "kdiag rules test") +
                    all.attributes() + ">\n";
  for (auto first = report.tests.begin(); first != report.tests.end();) {
    const auto last =
        std::find_if(first, report.tests.end(), [&](const RuleTestResult& test) { return test.file != first->file; });
    Counts counts;
    std::string cases;
    for (auto test = first; test != last; ++test) {
      counts.add(*test);
      add_test(cases, *test);
    }
    out += "  <testsuite" + attribute("name", first->file) + counts.attributes() + ">\n" + cases + "  </testsuite>\n";
    first = last;
  }
  return out + "</testsuites>\n";
}

}  // namespace kdiag
