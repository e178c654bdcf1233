// SPDX-License-Identifier: Apache-2.0
#include "dsl/read_rule.hpp"

namespace kdiag {
namespace {

using Kind = YamlNode::Kind;

std::optional<TestRow> read_row(const YamlNode& node, const std::string& table, NodeReader& reader) {
  if (!reader.mapping(node, "a row of " + table)) return {};
  TestRow row;
  for (const YamlMember& member : node.members) {
    if (member.value.is(Kind::null)) {
      reader.error("K110", member.key.span, "'" + member.key.text.text + "' has no value", {},
                   "leave the key out: a fact that is not stated is absent");
      continue;
    }
    if (!reader.scalar(member.value, member.key.text.text)) continue;
    row.push_back({member.key.text.text, member.key.span, {member.value.text, member.value.span}});
  }
  return row;
}

std::vector<TestTable> read_facts(const YamlNode& node, NodeReader& reader) {
  std::vector<TestTable> out;
  if (!reader.mapping(node, "facts")) return out;
  for (const YamlMember& member : node.members) {
    TestTable table;
    table.table = member.key.text.text;
    table.span = member.key.span;
    if (member.value.is(Kind::scalar)) {
      table.absent = member.value.text.text == "absent";
      if (!table.absent) {
        reader.error("K110", member.value.span, quoted(table.table) + " must be a list of rows, or `absent`");
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

/// `expect:`: a word, or {inconclusive: {missing: [facts]}}.
void read_expect(const YamlNode& node, RuleTest& test, NodeReader& reader) {
  const std::vector<std::pair<std::string_view, Outcome>> words{{"fired", Outcome::fired},
                                                                {"clear", Outcome::clear},
                                                                {"inconclusive", Outcome::inconclusive},
                                                                {"not_applicable", Outcome::not_applicable},
                                                                {"failed", Outcome::failed}};
  if (!node.is(Kind::mapping)) {
    test.expect = reader.choice<Outcome>(node, "expect", words).value_or(test.expect);
    return;
  }
  reader.only_keys(node, "`expect`", {"inconclusive"},
                   {{"findings", "a test inside a rule expects one word; more keys belong to test files"}});
  const YamlNode* inconclusive = node.find("inconclusive");
  if (inconclusive == nullptr) return;
  test.expect = Outcome::inconclusive;
  if (!reader.mapping(*inconclusive, "inconclusive")) return;
  reader.only_keys(*inconclusive, "`inconclusive`", {"missing"});
  for (Reference& fact : reader.texts_of(*inconclusive, "missing")) test.missing.push_back(std::move(fact.rule));
}

}  // namespace

RuleTest read_test(const YamlNode& node, std::size_t number, NodeReader& reader) {
  RuleTest test;
  test.span = node.span;
  test.name = "test " + std::to_string(number);
  if (!reader.mapping(node, "a test")) return test;
  if (const YamlNode* name = node.find("name")) test.name = reader.text(*name, "name");
  reader.only_keys(node, "a test", {"name", "facts", "set", "expect", "impact", "severity"},
                   {{"trace", "state the facts"},
                    {"baseline", "state the facts"},
                    {"eval", "state what the rule does under `expect`"},
                    {"only", "a test inside a rule sees only that rule"},
                    {"status", "remove the test, or let it fail"}});
  if (const YamlNode* facts = reader.required(node, "facts", "this test", node.span))
    test.facts = read_facts(*facts, reader);
  if (const YamlNode* set = node.find("set"); set != nullptr && reader.mapping(*set, "set"))
    for (const YamlMember& member : set->members)
      if (const auto text = reader.source_text(member.value, member.key.text.text))
        test.set.emplace_back(member.key.text.text, TestValue{*text, member.value.span});
  if (const YamlNode* expect = reader.required(node, "expect", "this test", node.span))
    read_expect(*expect, test, reader);
  if (const YamlNode* impact = node.find("impact")) test.impact = reader.range(*impact, "impact");
  if (const YamlNode* severity = node.find("severity"))
    test.severity = reader.choice<Severity>(*severity, "severity", severity_words());
  return test;
}

}  // namespace kdiag
