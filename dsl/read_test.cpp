// SPDX-License-Identifier: Apache-2.0
#include "dsl/read_test.hpp"

#include <kdiag/error_ids.hpp>

#include "dsl/read_expectation.hpp"
#include "dsl/read_rule.hpp"

namespace kdiag {
namespace {

std::optional<TestRow> read_row(const YamlNode& node, const std::string& table, NodeReader& reader) {
  if (!reader.mapping(node, "a row of " + table)) return {};
  TestRow row;
  for (const YamlMember& member : node.members) {
    if (member.value.is(YamlNode::Kind::null)) {
      reader.error(error_id::wrong_kind_of_value, member.key.span, "'" + member.key.text.text + "' has no value", {},
                   "leave the key out: a fact that is not stated is absent");
      continue;
    }
    if (!reader.scalar(member.value, member.key.text.text)) continue;
    row.push_back({member.key.text.text, member.key.span, {member.value.text, member.value.span}});
  }
  return row;
}

std::vector<TestTable> read_facts(const YamlNode& node, std::string_view key, NodeReader& reader) {
  std::vector<TestTable> out;
  if (!reader.mapping(node, key)) return out;
  for (const YamlMember& member : node.members) {
    TestTable table;
    table.table = member.key.text.text;
    table.span = member.key.span;
    if (member.value.is(YamlNode::Kind::scalar)) {
      table.absent = member.value.text.text == "absent";
      if (!table.absent) {
        reader.error(error_id::wrong_kind_of_value, member.value.span,
                     in_backticks(table.table) + " must be a list of rows, or `absent`");
        continue;
      }
    } else {
      if (!reader.sequence(member.value, table.table)) continue;
      for (const YamlNode& item : member.value.items)
        if (auto row = read_row(item, table.table, reader)) table.rows.push_back(std::move(*row));
    }
    out.push_back(std::move(table));
  }
  return out;
}

TestBaseline read_baseline(const YamlNode& node, NodeReader& reader) {
  TestBaseline out;
  if (node.is(YamlNode::Kind::scalar)) out.trace = Reference{reader.text(node, "baseline"), node.span};
  else out.facts = read_facts(node, "baseline", reader);
  return out;
}

/// `set:`: a parameter of the rule that the test stands in by its name, one of another rule as rule.param.
std::vector<TestSetting> read_settings(const YamlNode& node, const Reference& rule, NodeReader& reader) {
  std::vector<TestSetting> out;
  if (!reader.mapping(node, "set")) return out;
  for (const YamlMember& member : node.members) {
    const std::string& key = member.key.text.text;
    const std::size_t dot = key.rfind('.');
    if (dot == std::string::npos && rule.rule.empty()) {
      reader.error(error_id::invalid_name, member.key.span, "'" + key + "' does not say whose parameter it is", {},
                   "write rule.param: clock.throttled.margin");
      continue;
    }
    if (const auto text = reader.source_text(member.value, key))
      out.push_back({.rule = {dot == std::string::npos ? rule.rule : key.substr(0, dot), member.key.span},
                     .param = dot == std::string::npos ? key : key.substr(dot + 1),
                     .value = {*text, member.value.span}});
  }
  return out;
}

std::optional<ValueTest> read_value_test(const YamlNode& node, const Reference& rule, NodeReader& reader) {
  if (!reader.mapping(node, "eval")) return {};
  reader.only_keys(node, "`eval`", file_keys::eval);
  const YamlNode* expr = reader.required(node, "expr", "this `eval`", node.span);
  const YamlNode* equals = reader.required(node, "equals", "this `eval`", node.span);
  if (expr == nullptr || equals == nullptr) return {};
  ValueTest out;
  out.rule = {rule.rule, node.span};
  if (const YamlNode* name = node.find("rule")) out.rule = {reader.rule_id(*name), name->span};
  out.expression = reader.expression(*expr, "expr");
  if (!reader.scalar(*equals, "equals")) return {};
  out.equals = {equals->text, equals->span};
  out.unknown = equals->style == ScalarStyle::plain && equals->text.text == "unknown";
  if (const YamlNode* within = node.find("within"); within != nullptr && reader.scalar(*within, "within"))
    out.within = TestValue{within->text, within->span};
  if (const YamlNode* subject = node.find("subject")) {
    out.subject = reader.text(*subject, "subject");
    if (out.rule.rule.empty())
      reader.error(error_id::contradicting_test, subject->span, "a `subject` is that of a `rule`, and none is named");
  }
  return out;
}

/// `severity:` and `impact:` beside `expect: fired`: of the finding of the rule that the test stands in.
void read_finding_keys(const YamlNode& node, RuleTest& test, NodeReader& reader) {
  for (const std::string_view key : {"severity", "impact"}) {
    const YamlNode* value = node.find(key);
    if (value == nullptr) continue;
    auto& findings = test.expect.findings;
    const auto own = std::find_if(findings.begin(), findings.end(),
                                  [&](const ExpectedFinding& finding) { return finding.rule.rule == test.rule.rule; });
    ExpectedFinding unused;
    ExpectedFinding& finding = own == findings.end() ? unused : *own;
    if (key == "severity") finding.severity = reader.choice<Severity>(*value, "severity", severity_words());
    else finding.impact = read_impact(*value, reader);
    if (own == findings.end())
      reader.error(error_id::contradicting_test, value->span,
                   in_backticks(key) + " belongs to a finding, and the test expects none of its rule");
  }
}

}  // namespace

RuleTest read_test(const YamlNode& node, std::size_t number, const Reference& rule, NodeReader& reader) {
  RuleTest test;
  test.span = node.span;
  test.rule = rule;
  test.name = "test " + std::to_string(number);
  if (!reader.mapping(node, "a test")) return test;
  const std::size_t first = reader.count();
  if (const YamlNode* name = node.find("name")) test.name = reader.text(*name, "name");
  reader.only_keys(node, "a test", rule.rule.empty() ? file_keys::test : file_keys::rule_test);

  const YamlNode* facts = node.find("facts");
  const YamlNode* trace = node.find("trace");
  if (facts == nullptr && trace == nullptr)
    reader.error(error_id::missing_key, node.span, "this test has neither `facts` nor `trace`");
  if (facts != nullptr && trace != nullptr)
    reader.error(error_id::contradicting_test, trace->span, "a test has either `facts` or a `trace`");
  if (facts != nullptr) test.facts = read_facts(*facts, "facts", reader);
  if (trace != nullptr) test.trace = Reference{reader.text(*trace, "trace"), trace->span};

  if (const YamlNode* baseline = node.find("baseline")) test.baseline = read_baseline(*baseline, reader);

  if (const YamlNode* set = node.find("set")) test.set = read_settings(*set, rule, reader);
  const YamlNode* expect = node.find("expect");
  const YamlNode* eval = node.find("eval");
  if (expect == nullptr && eval == nullptr)
    reader.error(error_id::missing_key, node.span, "this test has neither `expect` nor `eval`");
  if (expect != nullptr) test.expect = read_expectation(*expect, rule, reader);
  if (!rule.rule.empty()) read_finding_keys(node, test, reader);
  if (eval != nullptr && reader.sequence(*eval, "eval"))
    for (const YamlNode& item : eval->items)
      if (auto value = read_value_test(item, rule, reader)) test.eval.push_back(std::move(*value));
  if (const YamlNode* status = node.find("status"))
    test.todo = reader.choice<bool>(*status, "status", {{"todo", true}}).value_or(false);
  if (rule.rule.empty()) reader.set_context(first, test.name);
  return test;
}

}  // namespace kdiag
