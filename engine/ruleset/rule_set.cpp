// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/rule_set.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <iterator>
#include <set>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/distinct_diagnostics.hpp"
#include "base/edit_distance.hpp"
#include "base/once.hpp"
#include "engine/ruleset/pack_hash.hpp"
#include "engine/ruleset/pack_settings.hpp"
#include "engine/ruleset/rule_checker.hpp"
#include "engine/ruleset/severity_ladders.hpp"

namespace kdiag {
namespace {

using Ids = std::set<std::string, std::less<>>;

std::string suggestion(std::string_view id, const Ids& known) {
  return did_you_mean(id, std::vector<std::string_view>(known.begin(), known.end()));
}

/// The id that a rule has now; K403 when it is another one than that which stands there.
std::string renewed(const LoadedRules& loaded, std::string_view id, const Span& place, std::string_view context,
                    Diagnostics& warnings) {
  const std::string_view now = loaded.id_now(id);
  if (now != id) {
    Diagnostic warning = make_warning(
        error_id::old_id, place, "'" + std::string(id) + "' is now called '" + std::string(now) + "'", "an old name");
    warning.context = context;
    warnings.push_back(std::move(warning));
  }
  return std::string(now);
}

/// Old ids, each of one rule and of none that is still there.
void collect_renamed(const std::map<std::string, const Rule*>& rules, LoadedRules& loaded, Diagnostics& diagnostics) {
  std::map<std::string_view, Span> places;
  for (const auto& file : loaded.files)
    for (const Rule& rule : file->rules)
      for (const Reference& old : rule.replaces) {
        Diagnostic error = make_error(error_id::taken_old_id, old.span, "'" + old.rule + "' cannot be replaced");
        error.context = context_of(rule);
        if (const auto living = rules.find(old.rule); living != rules.end())
          error.labels.push_back({living->second->span, "it is still a rule"});
        else if (const auto [other, added] = places.emplace(old.rule, old.span); !added)
          error.labels.push_back({other->second, "it was replaced here"});
        else {
          loaded.renamed.emplace(old.rule, rule.id);
          continue;
        }
        diagnostics.push_back(std::move(error));
      }
}

/// The overrides of each rule, in the order in which they apply.
std::map<std::string, std::vector<const Override*>> collect_overrides(LoadedRules& loaded, const Ids& known,
                                                                      const std::map<std::string, const Rule*>& rules,
                                                                      Diagnostics& diagnostics) {
  std::map<std::string, std::vector<const Override*>> out;
  for (const auto& file : loaded.files)
    for (const Override& change : file->overrides) {
      if (change.of_pack) continue;  // it sets parameters alone
      const Reference& target = change.target;
      std::string id = renewed(loaded, target.rule, target.span, {}, loaded.warnings);
      if (rules.count(id)) out[std::move(id)].push_back(&change);
      else if (!known.count(id))
        diagnostics.push_back(make_error(error_id::unknown_rule, target.span, "no rule '" + target.rule + "'",
                                         suggestion(target.rule, known), "`kdiag rules list` names them"));
    }
  return out;
}

/// Settings name parameters of rules; the ids become those that the rules have now.
void check_settings(LoadedRules& loaded, const Ids& known, const std::map<std::string, const Rule*>& rules,
                    Diagnostics& diagnostics) {
  for (ParamSetting& setting : loaded.settings) {
    setting.rule = renewed(loaded, setting.rule, setting.place, {}, loaded.warnings);
    const auto rule = rules.find(setting.rule);
    if (rule == rules.end()) {
      diagnostics.push_back(make_error(error_id::unknown_rule, setting.place, "no rule '" + setting.rule + "'",
                                       suggestion(setting.rule, known), "--set rule.param=value"));
      continue;
    }
    if (!has_param(*rule->second, setting.param))
      diagnostics.push_back(make_error(error_id::unknown_param, setting.place,
                                       "rule '" + setting.rule + "' has no parameter '" + setting.param + "'",
                                       did_you_mean(setting.param, param_names(*rule->second))));
  }
}

/// A pattern that no rule has would silently choose nothing; K311.
void check_choice(const LoadedRules& loaded, const Ids& known, Diagnostics& diagnostics) {
  Ids areas;
  for (const std::string& id : known) areas.insert(id.substr(0, id.find('.')));
  for (const auto* patterns : {&loaded.choice.select, &loaded.choice.ignore})
    for (const RulePattern& pattern : *patterns) {
      const auto fits = [&](std::string_view id) { return matches_rule(pattern.text, id); };
      const bool old = std::any_of(loaded.renamed.begin(), loaded.renamed.end(),
                                   [&](const auto& renamed) { return fits(renamed.first); });
      if (old || std::any_of(known.begin(), known.end(), fits)) continue;
      const bool of_area = pattern.text.find('.') == std::string::npos;
      diagnostics.push_back(
          make_error(error_id::unknown_rule, pattern.place, "no rule is '" + pattern.text + "'",
                     suggestion(pattern.text, of_area ? areas : known),
                     "`kdiag rules list` names them; `host` means all of an area, `*` any characters"));
    }
}

/// The present id of a rule that another names; a lint and nothing when no pack defines it.
std::optional<std::string> known_rule(LoadedRules& loaded, const Ids& known, const Reference& reference,
                                      const Rule& rule) {
  const std::string context = context_of(rule);
  std::string id = renewed(loaded, reference.rule, reference.span, context, loaded.warnings);
  if (known.count(id)) return id;
  Diagnostic warning =
      make_warning(error_id::unknown_link, reference.span, "no loaded pack defines '" + reference.rule + "'",
                   suggestion(reference.rule, known));
  warning.context = context;
  loaded.warnings.push_back(std::move(warning));
  return {};
}

/// Cause and symptom edges by rule index; unknown ids are lints, cycles errors.
void link_causes(LoadedRules& loaded, const Ids& known, Diagnostics& diagnostics) {
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < loaded.rules.size(); ++i) index.emplace(loaded.rules[i].rule->id, i);
  loaded.causes_of.resize(loaded.rules.size());
  const auto edge = [&](const Reference& reference, const Rule& rule, bool reference_is_cause) {
    const auto id = known_rule(loaded, known, reference, rule);
    if (!id) return;
    const auto other = index.find(*id);
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
    for (const Recommendation& advice : checked.rule->recommend)  // of built-in rules a test looks at
      for (const Reference& reference : advice.unless) known_rule(loaded, known, reference, *checked.rule);
  }
  std::vector<int> state(loaded.rules.size());
  const std::function<bool(std::size_t)> acyclic = [&](std::size_t i) {
    if (state[i] == 1) return false;
    if (state[i] == 2) return true;
    state[i] = 1;
    for (std::size_t cause : loaded.causes_of[i])
      if (!acyclic(cause)) {
        diagnostics.push_back(make_error(error_id::circular_symptom, loaded.rules[i].rule->span,
                                         "rule '" + loaded.rules[i].rule->id + "' is a symptom of itself",
                                         "through '" + loaded.rules[cause].rule->id + "'",
                                         "`explains` and `symptom_of` must not form a circle"));
        state[i] = 2;
        return true;
      }
    state[i] = 2;
    return true;
  };
  for (std::size_t i = 0; i < loaded.rules.size(); ++i) acyclic(i);
}

/// The files, whole those of whose rules an override or a setting changes one that was read in part.
std::vector<std::shared_ptr<const RuleFile>> with_changed_rules_whole(
    const std::vector<std::shared_ptr<const RuleFile>>& files, const std::vector<ParamSetting>& settings) {
  std::set<std::string_view> changed;
  for (const ParamSetting& setting : settings) changed.insert(setting.rule);
  for (const auto& file : files)
    for (const Override& change : file->overrides) changed.insert(change.target.rule);
  const auto is_changed = [&](const Rule& rule) {
    return rule.parts != RuleParts::whole &&
           (changed.contains(rule.id) || std::any_of(rule.replaces.begin(), rule.replaces.end(),
                                                     [&](const Reference& old) { return changed.contains(old.rule); }));
  };
  auto out = files;  // `changed` looks into texts of the files
  for (auto& file : out)
    if (std::any_of(file->rules.begin(), file->rules.end(), is_changed)) file = file->whole();
  return out;
}

void share_expressions(LoadedRules& loaded, CancelFlag cancel) {
  ExpressionNumbering numbering(loaded.library.defines);
  for (const CheckedRule& rule : loaded.rules) {
    stop_if(cancel);
    const auto add = [&](const PlanPtr& plan) { numbering.add(plan, rule.lets); };
    for_each_plan(rule, add);
    // What is checked late has no numbers: where a rule fires it computes again what others did.
    if (rule.late_finding && rule.late_finding->early()) for_each_plan(rule.finding(), add);
    numbering.next_rule();
  }
  loaded.library.shared = std::move(numbering).finish();
}

}  // namespace

std::string_view LoadedRules::id_now(std::string_view id) const {
  const auto found = renamed.find(id);
  return found == renamed.end() ? id : std::string_view(found->second);
}

const CheckedFinding& CheckedRule::finding() const {
  static const CheckedFinding none;
  return late_finding ? late_finding->get() : none;
}

/// The same rules, all checked.
struct LoadedRules::Completion {
  Once once;
  std::shared_ptr<const LoadedRules> rules;
  Diagnostics errors;
};

const LoadedRules& LoadedRules::complete() const {
  if (!completion) return *this;
  completion->once.call([this] {
    auto checked = check_rules(whole_files(files), settings, choice, functions, 0);
    if (checked) completion->rules = std::move(*checked);
    else completion->errors = std::move(checked.error());
  });
  return completion->rules ? *completion->rules : *this;
}

const LoadedRules& LoadedRules::comparing() const {
  if (!comparison) return *this;
  comparison->once.call([this] {
    auto read = files;
    for (auto& file : read)
      if (file->comparing) file = file->comparing();
    if (auto checked = check_rules(std::move(read), settings, choice, functions, 0))
      comparison->rules = std::move(*checked);
  });
  assert(comparison->rules);  // built-in packs are good, and where a user's version stands for one all are read whole
  return comparison->rules ? *comparison->rules : *this;
}

const Diagnostics& LoadedRules::completion_errors() const {
  static const Diagnostics none;
  return completion ? completion->errors : none;
}

Shared<LoadedRules> complete_rules(const Shared<LoadedRules>& rules) {
  if (!rules->completion) return rules;
  rules->complete();
  return rules->completion->rules ? Shared<LoadedRules>(rules->completion->rules) : rules;
}

const CheckedRule* LoadedRules::find(std::string_view id) const {
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [now = id_now(id)](const CheckedRule& rule) { return rule.rule->id == now; });
  return found == rules.end() ? nullptr : &*found;
}

void LoadedRules::activate(std::string_view id) {
  for (CheckedRule& rule : rules)
    if (rule.rule->id == id_now(id)) rule.active = true;
}

std::vector<std::shared_ptr<const RuleFile>> whole_files(std::vector<std::shared_ptr<const RuleFile>> files) {
  for (auto& file : files)
    if (file->whole) file = file->whole();
  return files;
}

Result<std::shared_ptr<const LoadedRules>> check_rules(std::vector<std::shared_ptr<const RuleFile>> files,
                                                       std::vector<ParamSetting> settings, const RuleChoice& choice,
                                                       const std::vector<Shared<HostFunction>>& functions,
                                                       unsigned threads, CancelFlag cancel) {
  CheckNotes notes;
  Diagnostics& diagnostics = notes.diagnostics;
  settings = written_out(std::move(settings), files, diagnostics);
  files = with_ladder_bounds(with_changed_rules_whole(files, settings));
  keep_known(settings, files, diagnostics);
  auto loaded = std::make_shared<LoadedRules>();
  loaded->files = std::move(files);
  loaded->settings = std::move(settings);
  loaded->choice = choice;
  loaded->functions = functions;
  loaded->packs = user_packs(loaded->files);
  if (std::any_of(loaded->files.begin(), loaded->files.end(), [](const auto& file) { return bool(file->whole); }))
    loaded->completion = std::make_shared<LoadedRules::Completion>();
  if (std::any_of(loaded->files.begin(), loaded->files.end(), [](const auto& file) { return bool(file->comparing); }))
    loaded->comparison = std::make_shared<LoadedRules::Completion>();
  Result<HostFunctions> of_host = check_host_functions(functions);
  if (!of_host) return std::move(of_host.error());
  loaded->defines->host_functions = std::move(*of_host);
  refuse_two_versions(loaded->files, diagnostics);
  collect_ladders(*loaded, diagnostics);
  check_defines(*loaded, notes);

  std::map<std::string, const Rule*> rules;
  Ids known;
  for (const auto& file : loaded->files) {
    known.insert(file->withheld.begin(), file->withheld.end());
    for (const Rule& rule : file->rules) {
      known.insert(rule.id);
      if (const auto [first, added] = rules.emplace(rule.id, &rule); !added) {
        Diagnostic error = make_error(error_id::defined_twice, rule.span, "rule '" + rule.id + "' is defined twice", {},
                                      "rename one of them; `overrides` change a rule of another file");
        error.labels.push_back({first->second->span, "first here"});
        diagnostics.push_back(std::move(error));
      }
    }
  }
  collect_renamed(rules, *loaded, diagnostics);
  check_choice(*loaded, known, diagnostics);
  check_settings(*loaded, known, rules, diagnostics);
  const auto overrides = collect_overrides(*loaded, known, rules, diagnostics);
  std::vector<WrittenRule> written;
  for (const auto& file : loaded->files)
    for (const Rule& rule : file->rules) {
      if (rules.find(rule.id)->second != &rule) continue;
      const auto found = overrides.find(rule.id);
      written.push_back({.rule = &rule,
                         .overrides = found != overrides.end() ? found->second : std::vector<const Override*>(),
                         .builtin = file->builtin});
    }
  check_each(written, {threads, cancel}, *loaded, notes);
  if (diagnostics.empty()) lint_unused(*loaded, notes);  // what has an error may have used anything
  notes.warnings = distinct(std::move(notes.warnings));
  std::move(notes.warnings.begin(), notes.warnings.end(), std::back_inserter(loaded->warnings));
  loaded->style = std::move(notes.style);
  stop_if(cancel);
  link_causes(*loaded, known, diagnostics);
  if (has_error(diagnostics)) {
    diagnostics.insert(diagnostics.end(), loaded->warnings.begin(), loaded->warnings.end());
    return std::move(diagnostics);
  }
  share_expressions(*loaded, cancel);
  return std::shared_ptr<const LoadedRules>(std::move(loaded));
}

namespace {

CheckScope query_scope(const LoadedRules& rules) {
  CheckScope scope;
  scope.query = true;
  scope.defines = rules.defines.get();
  return scope;
}

}  // namespace

Result<CheckedRule> check_with_evidence(const LoadedRules& rules, const CheckedRule& rule,
                                        std::vector<NamedExpression> evidence) {
  auto varied = std::make_shared<Rule>(*rule.rule);  // what overrides changed is in it
  std::move(evidence.begin(), evidence.end(), std::back_inserter(varied->evidence));
  CheckNotes notes;
  CheckedRule checked = check_again({.rule = varied.get()}, rules, notes);
  if (!notes.diagnostics.empty()) return std::move(notes.diagnostics);
  checked.own = std::move(varied);
  return checked;
}

PlanPtr check_query(const Expression& expression, const LoadedRules& rules, Diagnostics& diagnostics) {
  CheckScope scope = query_scope(rules);
  return check_expression(expression, scope, diagnostics);
}

PlanPtr check_run_condition(const Expression& expression, std::string_view what, const LoadedRules& rules,
                            Diagnostics& diagnostics) {
  CheckScope scope = query_scope(rules);
  return check_condition(expression, scope, what, diagnostics);
}

}  // namespace kdiag
