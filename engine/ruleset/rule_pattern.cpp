// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/rule_pattern.hpp"

#include <algorithm>

#include "base/glob.hpp"

namespace kdiag {
bool matches_rule(std::string_view pattern, std::string_view id) {
  const bool area_alone = pattern.find('.') == std::string_view::npos;
  return glob_matches(pattern, area_alone ? id.substr(0, id.find('.')) : id);
}

bool RuleChoice::chosen(std::string_view id) const {
  const auto any = [id](const std::vector<RulePattern>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [id](const RulePattern& pattern) { return matches_rule(pattern.text, id); });
  };
  return (select.empty() || any(select)) && !any(ignore);
}

}  // namespace kdiag
