// SPDX-License-Identifier: Apache-2.0
#include "engine/rule_set.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "engine/diagnostic.hpp"
#include "engine/edit_distance.hpp"
#include "engine/rule_checker.hpp"

namespace kdiag {
namespace {

/// Cause and symptom edges by rule index; unknown ids are lints, cycles errors.
void link_causes(LoadedRules& loaded, const std::set<std::string>& known, Diagnostics& diagnostics) {
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < loaded.rules.size(); ++i) index.emplace(loaded.rules[i].rule->id, i);
  loaded.causes_of.resize(loaded.rules.size());
  const auto edge = [&](const Reference& reference, const Rule& rule, bool reference_is_cause) {
    if (!known.count(reference.rule)) {
      std::vector<std::string_view> names(known.begin(), known.end());
      Diagnostic warning = make_warning("K402", reference.span, "no loaded pack defines '" + reference.rule + "'",
                                        did_you_mean(reference.rule, names));
      warning.context = "rule " + rule.id;
      loaded.warnings.push_back(std::move(warning));
      return;
    }
    const auto other = index.find(reference.rule);
    const auto self = index.find(rule.id);
    if (other == index.end() || self == index.end()) return;
    const std::size_t cause = reference_is_cause ? other->second : self->second;
    const std::size_t symptom = reference_is_cause ? self->second : other->second;
    auto& causes = loaded.causes_of[symptom];
    if (std::find(causes.begin(), causes.end(), cause) == causes.end()) causes.push_back(cause);
  };
  for (const CheckedRule& checked : loaded.rules) {
    for (const Reference& reference : checked.rule->explains) edge(reference, *checked.rule, false);
    for (const Reference& reference : checked.rule->symptom_of) edge(reference, *checked.rule, true);
  }
  std::vector<int> state(loaded.rules.size());
  const std::function<bool(std::size_t)> acyclic = [&](std::size_t i) {
    if (state[i] == 1) return false;
    if (state[i] == 2) return true;
    state[i] = 1;
    for (std::size_t cause : loaded.causes_of[i])
      if (!acyclic(cause)) {
        diagnostics.push_back(make_error(
            "K308", loaded.rules[i].rule->span, "rule '" + loaded.rules[i].rule->id + "' is a symptom of itself",
            "through '" + loaded.rules[cause].rule->id + "'", "`explains` and `symptom_of` must not form a circle"));
        state[i] = 2;
        return true;
      }
    state[i] = 2;
    return true;
  };
  for (std::size_t i = 0; i < loaded.rules.size(); ++i) acyclic(i);
}

}  // namespace

const CheckedRule* LoadedRules::find(std::string_view id) const {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [id](const CheckedRule& rule) { return rule.rule->id == id; });
  return found == rules.end() ? nullptr : &*found;
}

Result<std::shared_ptr<const LoadedRules>> check_rules(std::vector<std::shared_ptr<const RuleFile>> files,
                                                       const std::vector<ParamSetting>& settings) {
  auto loaded = std::make_shared<LoadedRules>();
  loaded->files = std::move(files);
  Diagnostics diagnostics;
  RuleChecker checker(*loaded, settings, diagnostics);
  checker.check_defines();

  std::map<std::string, const Rule*> seen;
  std::set<std::string> known;
  for (const auto& file : loaded->files)
    for (const Rule& rule : file->rules) {
      if (const auto [first, added] = seen.emplace(rule.id, &rule); !added) {
        Diagnostic error = make_error("K306", rule.span, "rule '" + rule.id + "' is defined twice", {},
                                      "rename one of them; a user's file changes a built-in rule through `--set`");
        error.labels.push_back({first->second->span, "first here"});
        diagnostics.push_back(std::move(error));
        continue;
      }
      known.insert(rule.id);
      checker.check(rule);
    }
  for (const ParamSetting& setting : settings) {
    const auto rule = seen.find(setting.rule);
    std::vector<std::string_view> names;
    if (rule == seen.end()) {
      names.assign(known.begin(), known.end());
      diagnostics.push_back(make_error("K311", setting.value.text.whole, "no rule '" + setting.rule + "'",
                                       did_you_mean(setting.rule, names), "--set rule.param=value"));
      continue;
    }
    for (const Param& param : rule->second->params) names.push_back(param.name);
    if (std::find(names.begin(), names.end(), setting.param) == names.end())
      diagnostics.push_back(make_error("K304", setting.value.text.whole,
                                       "rule '" + setting.rule + "' has no parameter '" + setting.param + "'",
                                       did_you_mean(setting.param, names)));
  }
  link_causes(*loaded, known, diagnostics);
  if (has_error(diagnostics)) return diagnostics;
  return std::shared_ptr<const LoadedRules>(std::move(loaded));
}

PlanPtr check_query(const Expression& expression, const LoadedRules& rules, Diagnostics& diagnostics) {
  CheckScope scope;
  scope.query = true;
  scope.defines = &rules.defines;
  return check_expression(expression, scope, diagnostics);
}

}  // namespace kdiag
