// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <kdiag/error_ids.hpp>

#include "dsl/read_rule.hpp"

namespace kdiag {
namespace {

bool has(const KeyGroup& group, std::string_view name) {
  return std::any_of(group.keys.begin(), group.keys.end(), [name](const FileKey& key) { return key.name == name; });
}

/// K118 for keys of rules that do not belong here, K111 for all else.
void check_keys(const YamlNode& node, std::string_view what, const KeyGroup& known, NodeReader& reader) {
  const auto of_rules = [&](const YamlMember& member) {
    return has(file_keys::rule, member.key.text.text) && !has(known, member.key.text.text);
  };
  YamlNode rest = node;
  std::erase_if(rest.members, of_rules);
  reader.only_keys(rest, what, known);
  for (const YamlMember& member : node.members) {
    if (!of_rules(member)) continue;
    const std::string& key = member.key.text.text;
    if (has(file_keys::set, key))
      reader.error(error_id::invalid_override, member.key.span, in_backticks(key) + " is set", {},
                   "`set: {" + key + ": ...}`");
    else if (has(file_keys::append, key))
      reader.error(error_id::invalid_override, member.key.span, in_backticks(key) + " is appended to", {},
                   "`append: {" + key + ": ...}`");
    else
      reader.error(error_id::invalid_override, member.key.span, in_backticks(key) + " of a rule cannot be overridden",
                   {}, "copy the rule under an id of your own, and switch this one off by `set: {enabled: false}`");
  }
}

void read_set(const YamlNode& node, Override& out, NodeReader& reader) {
  if (!reader.mapping(node, "set")) return;
  check_keys(node, "`set`", file_keys::set, reader);
  if (const YamlNode* params = node.find("params"); params != nullptr && reader.mapping(*params, "params"))
    for (const YamlMember& member : params->members)
      if (auto text = reader.source_text(member.value, member.key.text.text))
        out.params.push_back({member.key.text.text, member.key.span, {std::move(*text), member.value.span}});
  if (const YamlNode* severity = node.find("severity")) out.severity = read_severity(*severity, reader);
  if (const YamlNode* enabled = node.find("enabled")) out.enabled = reader.boolean(*enabled, "enabled");
}

void read_append(const YamlNode& node, Override& out, NodeReader& reader) {
  if (!reader.mapping(node, "append")) return;
  check_keys(node, "`append`", file_keys::append, reader);
  if (const YamlNode* except = node.find("except")) out.except = read_except(*except, reader);
  if (const YamlNode* recommend = node.find("recommend")) out.recommend = read_recommend(*recommend, reader);
  for (const Reference& tag : reader.texts_of(node, "tags")) out.tags.push_back(tag.rule);
}

}  // namespace

std::optional<Override> read_override(const YamlNode& node, NodeReader& reader) {
  if (!reader.mapping(node, "an override")) return {};
  const std::size_t first = reader.count();
  Override out;
  check_keys(node, "an override", file_keys::override_rule, reader);
  const YamlNode* pack = node.find("pack");
  out.of_pack = pack != nullptr && node.find("rule") == nullptr;
  const YamlNode* target = out.of_pack ? pack : reader.required(node, "rule", "this override", node.span);
  if (pack != nullptr && !out.of_pack)
    reader.error(error_id::unknown_key, pack->span, "an override names a rule or a pack, not both");
  if (target != nullptr) out.target = {reader.text(*target, out.of_pack ? "pack" : "rule"), target->span};
  if (const YamlNode* set = node.find("set")) read_set(*set, out, reader);
  if (const YamlNode* append = node.find("append")) read_append(*append, out, reader);
  if (out.target.rule.empty()) return {};
  if (out.of_pack && (out.severity || out.enabled || node.find("append") != nullptr)) {
    reader.error(error_id::invalid_override, out.target.span, "of a pack only parameters are set", {},
                 "name a rule to change its severity, switch it off or append to it");
    return {};
  }
  reader.set_context(first, "override of " + out.target.rule);
  return out;
}

}  // namespace kdiag
