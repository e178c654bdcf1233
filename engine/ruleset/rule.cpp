// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/rule.hpp"

#include <algorithm>

namespace kdiag {

std::string context_of(const Rule& rule) { return rule.id.empty() ? std::string() : "rule " + rule.id; }

const std::string& title_text(const Rule& rule) {
  static const std::string none;
  return rule.title.empty() ? none : rule.title.back().text.text.text;
}

std::vector<std::string_view> param_names(const Rule& rule) {
  std::vector<std::string_view> names;
  for (const Param& param : rule.params) names.push_back(param.name);
  return names;
}

bool has_param(const Rule& rule, std::string_view name) {
  return std::any_of(rule.params.begin(), rule.params.end(), [name](const Param& param) { return param.name == name; });
}

std::string_view name_of(RuleRole role) {
  switch (role) {
    case RuleRole::cause: return "cause";
    case RuleRole::symptom: return "symptom";
    case RuleRole::health: return "health";
  }
  return "";
}

std::string_view name_of(RuleStatus status) {
  switch (status) {
    case RuleStatus::stable: return "stable";
    case RuleStatus::incubating: return "incubating";
    case RuleStatus::deprecated: return "deprecated";
  }
  return "";
}

}  // namespace kdiag
