// SPDX-License-Identifier: Apache-2.0
// The results of rule tests as JSON, schema "kdiag.rule-tests/1".
#include <cstdint>

#include <kdiag/rule_tests.hpp>

#include "base/json_writer.hpp"
#include "report/cost_table.hpp"

namespace kdiag {
namespace {

std::uint64_t count(std::size_t number) { return number; }

void write_test(JsonWriter& json, const RuleTestResult& test) {
  json.object([&] {
    json.member("file", test.file);
    json.member("line", count(test.line));
    json.member("name", test.name);
    json.array("rules", Layout::line, [&] {
      for (const std::string& rule : test.rules) json.value(rule);
    });
    json.member("status", name_of(test.status));
    json.list("mismatches", test.mismatches, [&](const TestMismatch& mismatch) {
      json.object(Layout::line, [&] {
        json.member("line", count(mismatch.line));
        json.member("expected", mismatch.expected);
        json.member("got", mismatch.got);
      });
    });
    json.text_or_null("explanation", test.explanation);
  });
}

void write_coverage(JsonWriter& json, const TestCoverage& coverage) {
  json.object("coverage", [&] {
    json.member("seen", count(coverage.seen));
    json.member("points", count(coverage.points));
    json.list("rules", coverage.rules, [&](const RuleCoverage& rule) {
      json.object(Layout::line, [&] {
        json.member("rule", rule.rule);
        json.member("file", rule.file);
        json.member("line", count(rule.line));
        json.member("fired", count(rule.fired));
        json.member("clear", count(rule.clear));
        json.member("inconclusive", count(rule.inconclusive));
        json.member("not_applicable", count(rule.not_applicable));
        json.member("failed", count(rule.failed));
      });
    });
    json.list("conditions", coverage.conditions, [&](const ConditionCoverage& condition) {
      json.object(Layout::line, [&] {
        json.member("rule", condition.rule);
        json.member("role", condition.role);
        json.member("text", condition.text);
        json.member("file", condition.file);
        json.member("line", count(condition.line));
        json.member("column", count(condition.column));
        json.member("true", count(condition.yes));
        json.member("false", count(condition.no));
        if (condition.can_be_unknown) json.member("unknown", count(condition.unknown));
        else json.null_member("unknown");
      });
    });
  });
}

}  // namespace

std::string to_json(const RuleTestReport& report) {
  JsonWriter json;
  json.object([&] {
    json.member("schema", "kdiag.rule-tests/1");
    json.member("version", report.version);
    json.object("tally", Layout::line, [&] {
      for (const TestStatus status :
           {TestStatus::passed, TestStatus::failed, TestStatus::todo, TestStatus::todo_passed})
        json.member(name_of(status), count(report.count(status)));
      json.member("left_out", count(report.unselected));
    });
    json.list("tests", report.tests, [&](const RuleTestResult& test) { write_test(json, test); });
    json.list("skipped", report.skipped, [&](const std::string& path) { json.value(path); });
    if (report.coverage) write_coverage(json, *report.coverage);
    else json.null_member("coverage");
    if (report.costs) write_costs(json, "costs", *report.costs);
  });
  return json.take();
}

}  // namespace kdiag
