// SPDX-License-Identifier: Apache-2.0
// What is wrong with scripts of rules, seen without running them.
#include <kdiag/kdiag.hpp>
#include <kdiag/tools.hpp>

#include <utility>

#include "base/distinct_diagnostics.hpp"
#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

Diagnostics script_mistakes(const RuleSet& rules) {
  Diagnostics out;
  const LoadedRules& loaded = rules.loaded();
  for (const auto& file : loaded.files) {
    if (file->builtin) continue;
    for (const Rule& rule : file->rules) {
      const CheckedRule* const checked = rule.script ? loaded.find(rule.id) : nullptr;
      if (checked == nullptr || !checked->script_scope) continue;
      const Diagnostics mistakes = rule.script->mistakes(*checked->script_scope);
      out.insert(out.end(), mistakes.begin(), mistakes.end());
    }
  }
  return distinct(std::move(out));
}

}  // namespace kdiag
