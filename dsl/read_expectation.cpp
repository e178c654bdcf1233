// SPDX-License-Identifier: Apache-2.0
#include "dsl/read_expectation.hpp"

#include <map>
#include <string>

#include <kdiag/error_ids.hpp>

#include "dsl/read_rule.hpp"
#include "dsl/test_value.hpp"

namespace kdiag {
namespace {

/// The outcomes that are lists of rules; `fired` is written as a finding.
const std::vector<std::pair<std::string_view, Outcome>> unfired{{"inconclusive", Outcome::inconclusive},
                                                                {"clear", Outcome::clear},
                                                                {"not_applicable", Outcome::not_applicable},
                                                                {"failed", Outcome::failed}};

/// `rule:` of an item, or the rule that the test stands in.
Reference read_rule_name(const YamlNode& item, std::string_view what, const Reference& rule, NodeReader& reader) {
  if (const YamlNode* name = item.find("rule")) return {reader.rule_id(*name), name->span};
  if (rule.rule.empty()) reader.error(error_id::missing_key, item.span, std::string(what) + " has no `rule`");
  return {rule.rule, item.span};
}

ExpectedFinding read_finding(const YamlNode& node, const Reference& rule, NodeReader& reader) {
  ExpectedFinding out;
  if (node.is(YamlNode::Kind::scalar)) {
    out.rule = {reader.rule_id(node), node.span};
    return out;
  }
  if (!reader.mapping(node, "a finding")) return out;
  reader.only_keys(node, "a finding", file_keys::finding);
  out.rule = read_rule_name(node, "this finding", rule, reader);
  if (const YamlNode* severity = node.find("severity"))
    out.severity = reader.choice<Severity>(*severity, "severity", severity_words());
  if (const YamlNode* impact = node.find("impact")) out.impact = read_impact(*impact, reader);
  if (const YamlNode* cause = node.find("symptom_of")) out.symptom_of = {reader.rule_id(*cause), cause->span};
  out.subject = reader.text_of(node, "subject");
  out.title = reader.text_of(node, "title");
  return out;
}

ExpectedOutcome read_outcome(const YamlNode& node, Outcome outcome, const Reference& rule, NodeReader& reader) {
  ExpectedOutcome out{.outcome = outcome};
  if (node.is(YamlNode::Kind::scalar)) {
    out.rule = {reader.rule_id(node), node.span};
  } else if (reader.mapping(node, in_backticks(name_of(outcome)))) {
    reader.only_keys(node, in_backticks(name_of(outcome)),
                     outcome == Outcome::inconclusive ? file_keys::inconclusive : file_keys::outcome);
    out.rule = read_rule_name(node, in_backticks(name_of(outcome)), rule, reader);
    out.missing = reader.texts_of(node, "missing");
  }
  return out;
}

void read_mapping(const YamlNode& node, const Reference& rule, Expectation& out, NodeReader& reader) {
  reader.only_keys(node, "`expect`", file_keys::expect);
  if (const YamlNode* findings = node.find("findings"); findings != nullptr && reader.sequence(*findings, "findings")) {
    for (const YamlNode& item : findings->items) out.findings.push_back(read_finding(item, rule, reader));
    if (findings->items.empty()) {
      out.only = true;
      out.only_span = findings->span;
    }
  }
  for (const auto& [word, outcome] : unfired) {
    const YamlNode* listed = node.find(word);
    if (listed == nullptr) continue;
    if (!listed->is(YamlNode::Kind::sequence)) {
      out.outcomes.push_back(read_outcome(*listed, outcome, rule, reader));
      continue;
    }
    for (const YamlNode& item : listed->items) out.outcomes.push_back(read_outcome(item, outcome, rule, reader));
  }
  if (const YamlNode* only = node.find("only"); only != nullptr && reader.boolean(*only, "only").value_or(false)) {
    out.only = true;
    out.only_span = only->span;
  }
}

/// A rule ends a run in one way.
void refuse_contradictions(const Expectation& expect, NodeReader& reader) {
  std::map<std::string, Outcome> known;
  for (const ExpectedFinding& finding : expect.findings) known.emplace(finding.rule.rule, Outcome::fired);
  for (const ExpectedOutcome& expected : expect.outcomes) {
    if (expected.rule.rule.empty()) continue;
    const auto [before, added] = known.emplace(expected.rule.rule, expected.outcome);
    if (!added && before->second != expected.outcome)
      reader.error(error_id::contradicting_test, expected.rule.span,
                   "'" + expected.rule.rule + "' cannot be both " + std::string(name_of(before->second)) + " and " +
                       std::string(name_of(expected.outcome)));
  }
}

}  // namespace

Expectation read_expectation(const YamlNode& node, const Reference& rule, NodeReader& reader) {
  Expectation out;
  if (node.is(YamlNode::Kind::scalar) && !rule.rule.empty()) {
    const auto outcome = reader.choice<Outcome>(node, "expect", outcome_words());
    if (outcome == Outcome::fired) out.findings.push_back({.rule = {rule.rule, node.span}});
    else if (outcome) out.outcomes.push_back({.rule = {rule.rule, node.span}, .outcome = *outcome});
    return out;
  }
  if (!reader.mapping(node, "expect")) return out;
  read_mapping(node, rule, out, reader);
  refuse_contradictions(out, reader);
  return out;
}

std::optional<std::pair<std::int64_t, std::int64_t>> read_impact(const YamlNode& node, NodeReader& reader) {
  if (!reader.sequence(node, "impact")) return {};
  if (node.items.size() != 2) {
    reader.error(error_id::wrong_kind_of_value, node.span, "`impact` must be [low, high]",
                 std::to_string(node.items.size()) + " items");
    return {};
  }
  std::vector<std::int64_t> ends;
  for (const YamlNode& item : node.items) {
    const auto text = reader.source_text(item, "impact");
    if (!text) continue;
    const auto number = read_quantity(*text, dimensions::time, "`impact` is");
    if (number) ends.push_back(number->rounded());
    else reader.add(number.error());
  }
  if (ends.size() < 2) return {};
  if (ends[0] > ends[1])
    reader.error(error_id::contradicting_test, node.span,
                 "`impact` is [low, high], and the low end is above the high one");
  return std::pair(ends[0], ends[1]);
}

}  // namespace kdiag
