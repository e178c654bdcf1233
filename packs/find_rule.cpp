// SPDX-License-Identifier: Apache-2.0
#include "packs/find_rule.hpp"

#include <memory>
#include <string>
#include <vector>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"

namespace kdiag {

Result<const CheckedRule*> find_rule(const RuleSet& rules, std::string_view id) {
  if (const CheckedRule* found = rules.loaded().complete().find(id)) {
    if (found->rule->parts != RuleParts::whole) return rules.loaded().completion_errors();
    return found;
  }
  std::vector<std::string_view> names;
  for (const CheckedRule& known : rules.loaded().rules) names.push_back(known.rule->id);
  const auto source = std::make_shared<const Source>(Source{"rule", std::string(id)});
  return make_error(error_id::unknown_rule, {source, 0, id.size()}, "no rule '" + std::string(id) + "'",
                    did_you_mean(id, names), "`kdiag rules list` names them; --rules FILE adds those of a file");
}

}  // namespace kdiag
