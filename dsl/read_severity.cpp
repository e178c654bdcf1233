// SPDX-License-Identifier: Apache-2.0
// Severities: what a rule says of its own, and the ladders that rules share.
#include <algorithm>

#include "dsl/param_value.hpp"
#include "dsl/read_rule.hpp"

namespace kdiag {
namespace {

std::optional<SeverityTier> read_ladder_use(const YamlNode& node, NodeReader& reader) {
  reader.only_keys(node, "a severity by a ladder", file_keys::ladder_use);
  const YamlNode* ladder = reader.required(node, "ladder", "this severity", node.span);
  const YamlNode* value = reader.required(node, "of", "this severity", node.span);
  if (ladder == nullptr || value == nullptr) return {};
  Reference name{reader.name(*ladder, "a ladder"), ladder->span};
  if (name.rule.empty()) return {};
  return SeverityTier{.condition = reader.expression(*value, "of"), .ladder = std::move(name)};
}

bool uses_ladder(const YamlNode& node) { return node.find("ladder") != nullptr || node.find("of") != nullptr; }

SeverityLadder read_ladder(const YamlNode& node, NodeReader& reader) {
  SeverityLadder out;
  reader.only_keys(node, "a ladder", file_keys::ladder);
  const YamlNode* name = reader.required(node, "name", "this ladder", node.span);
  out.name_span = name != nullptr ? name->span : node.span;
  if (name != nullptr) out.name = reader.name(*name, "a ladder");
  out.doc = reader.text_of(node, "doc");
  if (const YamlNode* type = reader.required(node, "type", "this ladder", out.name_span))
    out.type = reader.word(*type, "type", value_types());
  if (const YamlNode* above = reader.required(node, "above", "this ladder", out.name_span);
      above != nullptr && reader.mapping(*above, "above"))
    for (const YamlMember& step : above->members) {
      const auto severity = reader.choice<Severity>(step.key, "above", severity_words());
      Expression bound = reader.expression(step.value, step.key.text.text);
      if (severity) out.steps.push_back({*severity, std::move(bound)});
    }
  std::stable_sort(out.steps.begin(), out.steps.end(),
                   [](const auto& a, const auto& b) { return a.severity > b.severity; });
  if (const YamlNode* otherwise = node.find("else"))
    out.otherwise = reader.choice<Severity>(*otherwise, "else", severity_words()).value_or(out.otherwise);
  return out;
}

}  // namespace

std::vector<SeverityTier> read_severity(const YamlNode& node, NodeReader& reader) {
  std::vector<SeverityTier> out;
  if (node.is(YamlNode::Kind::scalar)) {
    if (const auto severity = reader.choice<Severity>(node, "severity", severity_words())) {
      const TextRange all{0, static_cast<std::uint32_t>(node.text.text.size())};
      out.push_back({.severity = *severity, .condition = {make_expr(BoolLiteral{true}, all), node.text}, .ladder = {}});
    }
    return out;
  }
  const auto add_ladder = [&](const YamlNode& use) {
    if (auto tier = read_ladder_use(use, reader)) out.push_back(std::move(*tier));
  };
  if (node.is(YamlNode::Kind::mapping) && uses_ladder(node)) {
    add_ladder(node);
    return out;
  }
  if (!reader.sequence(node, "severity")) return out;
  for (const YamlNode& tier : node.items) {
    if (!reader.mapping(tier, "severity")) continue;
    if (uses_ladder(tier)) {
      add_ladder(tier);
      continue;
    }
    for (const YamlMember& member : tier.members) {
      const auto severity = reader.choice<Severity>(member.key, "severity", severity_words());
      Expression condition = reader.expression(member.value, member.key.text.text);
      if (severity) out.push_back({.severity = *severity, .condition = std::move(condition), .ladder = {}});
    }
  }
  return out;
}

std::vector<SeverityLadder> read_ladders(const YamlNode& node, NodeReader& reader) {
  std::vector<SeverityLadder> out;
  if (!reader.sequence(node, "ladders")) return out;
  for (const YamlNode& item : node.items) {
    if (!reader.mapping(item, "a ladder")) continue;
    const std::size_t first = reader.count();
    SeverityLadder ladder = read_ladder(item, reader);
    if (ladder.name.empty()) continue;
    reader.set_context(first, "ladder " + ladder.name);
    out.push_back(std::move(ladder));
  }
  return out;
}

}  // namespace kdiag
