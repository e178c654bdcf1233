// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/about_rules.hpp"

#include <set>
#include <string_view>

namespace kdiag {
namespace {

void add_ids(const std::vector<Finding>& findings, std::set<std::string_view>& ids) {
  for (const Finding& finding : findings) {
    ids.insert(finding.rule);
    add_ids(finding.symptoms, ids);
  }
}

AboutRule about(const CheckedRule& checked) {
  const Rule& rule = checked.finding().source ? *checked.finding().source : *checked.rule;
  return {.id = checked.rule->id,
          .pack = checked.rule->pack,
          .summary = rule.summary.empty() ? title_text(rule) : rule.summary,
          .why = rule.why,
          .how = rule.how,
          .false_positives = rule.false_positives,
          .references = rule.references,
          .tags = rule.tags};
}

}  // namespace

std::vector<AboutRule> about_findings(const std::vector<Finding>& findings, const LoadedRules& rules) {
  std::set<std::string_view> ids;
  add_ids(findings, ids);
  std::vector<AboutRule> out;
  for (const std::string_view id : ids)
    if (const CheckedRule* rule = rules.find(id)) out.push_back(about(*rule));
  return out;
}

}  // namespace kdiag
