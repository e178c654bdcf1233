// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/rule_checker.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <optional>
#include <set>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/names/contains_word.hpp"
#include "base/parallel.hpp"
#include "engine/checking/fact_presence.hpp"
#include "engine/language/functions.hpp"
#include "engine/ruleset/finding_checker.hpp"
#include "engine/ruleset/lint.hpp"
#include "engine/ruleset/rule_lets.hpp"
#include "engine/ruleset/rule_params.hpp"
#include "engine/ruleset/rule_subject.hpp"

namespace kdiag {
namespace {

class RuleChecker {
 public:
  explicit RuleChecker(std::shared_ptr<const DefineNames> defines) : defines_(std::move(defines)) {}

  /// The settings and which rules are judged are those of `loaded`.
  CheckedRule check(const WrittenRule& written, const LoadedRules& loaded);

  CheckNotes notes;

 private:
  static void apply(const std::vector<const Override*>& overrides, CheckedRule& checked);
  std::shared_ptr<const ScriptScope> script_scope(const Script& script, CheckScope& scope) const;
  void check_needs(const Rule& rule, const CheckScope& scope, CheckedRule& checked);
  void check_tests(const Rule& rule, const std::string& context);
  static void forget_unused(const Rule& rule, const UsedNames& used, CheckedRule& checked);
  void note_use(const Rule& rule, const UsedNames& used, const CheckScope& scope);
  void warn_unused(const Span& span, std::string title, const std::string& context) {
    notes.warnings.push_back(unused_warning(span, std::move(title), context));
  }

  void warn_without_value(const Param& param, const std::string& context) {
    notes.warnings.push_back(make_warning(error_id::param_without_value, param.name_span,
                                          "parameter '" + param.name + "' has no value", {},
                                          "give it a `default`; else the rule cannot tell until somebody sets it"));
    notes.warnings.back().context = context;
  }

  std::shared_ptr<const DefineNames> defines_;
  Diagnostics& diagnostics_ = notes.diagnostics;
};

void RuleChecker::apply(const std::vector<const Override*>& overrides, CheckedRule& checked) {
  if (overrides.empty()) return;
  auto own = std::make_shared<Rule>(*checked.rule);
  for (const Override* change : overrides) {
    const auto note = [&](std::string what) { checked.changes.push_back({std::move(what), change->target.span}); };
    if (change->severity) {
      own->severity = *change->severity;
      note("severity");
    }
    if (change->enabled) {
      own->enabled = *change->enabled;
      if (own->enabled) own->status = RuleStatus::stable;  // named by the user, whatever the author thinks of it
      note(own->enabled ? "enabled" : "disabled");
    }
    own->except.insert(own->except.end(), change->except.begin(), change->except.end());
    own->recommend.insert(own->recommend.end(), change->recommend.begin(), change->recommend.end());
    own->tags.insert(own->tags.end(), change->tags.begin(), change->tags.end());
    if (!change->except.empty()) note("more exceptions");
    if (!change->recommend.empty()) note("more recommendations");
    if (!change->tags.empty()) note("more tags");
  }
  checked.own = own;
  checked.rule = checked.own.get();
}

/// The finding of a rule of which only the decision was read: the rest is read and checked when it first fires.
std::shared_ptr<const LateFinding> late_finding(const CheckedRule& checked, CheckScope scope,
                                                std::shared_ptr<const DefineNames> defines) {
  scope.used = nullptr;
  return std::make_shared<const LateFinding>(
      // The scope points to the defines, which must live as long.
      [whole = checked.rule->whole, lets = checked.lets, scope = std::move(scope), defines = std::move(defines)] {
        std::shared_ptr<const Rule> rule = whole();
        CheckScope names = scope;
        Diagnostics diagnostics;
        CheckedFinding finding = check_finding(*rule, lets, names, diagnostics);
        assert(diagnostics.empty());  // a test checks each pack
        finding.source = std::move(rule);
        return finding;
      });
}

CheckedRule RuleChecker::check(const WrittenRule& written, const LoadedRules& loaded) {
  CheckedRule checked{.rule = written.rule};
  apply(written.overrides, checked);
  const Rule& rule = *checked.rule;
  checked.active =
      rule.enabled &&
      (rule.status == RuleStatus::stable || (rule.status == RuleStatus::incubating && loaded.choice.incubating)) &&
      loaded.choice.chosen(rule.id);
  UsedNames used;
  CheckScope scope;
  scope.context = context_of(rule);
  scope.proven = written.builtin && written.overrides.empty();
  scope.defines = defines_.get();
  scope.used = &used;
  scope.subject = checked.subject = check_subject(rule, scope.context, diagnostics_);
  check_params(rule, loaded, scope, checked, notes);
  if (rule.parts == RuleParts::outline || rule.parts == RuleParts::compared) return checked;
  check_lets(rule, scope, checked.lets, diagnostics_);
  check_needs(rule, scope, checked);
  if (rule.applies) checked.applies = check_condition(*rule.applies, scope, "applies", diagnostics_);
  if (rule.when) checked.when = check_condition(*rule.when, scope, "when", diagnostics_);
  if (rule.script) checked.script_scope = script_scope(*rule.script, scope);
  if (rule.parts == RuleParts::decision) {
    checked.late_finding = late_finding(checked, std::move(scope), defines_);
    return checked;
  }
  checked.late_finding = std::make_shared<const LateFinding>(check_finding(rule, checked.lets, scope, diagnostics_));
  check_tests(rule, scope.context);
  notes.used_defines.merge(used.defines);
  forget_unused(rule, used, checked);
  if (diagnostics_.empty() && !(written.builtin && written.overrides.empty())) {
    if (!written.builtin) note_use(rule, used, scope);  // an override uses no less
    lint_rule(checked, notes.warnings, notes.style);
  }
  return checked;
}

std::shared_ptr<const ScriptScope> RuleChecker::script_scope(const Script& script, CheckScope& scope) const {
  const std::string& text = script.source()->text;  // a script makes its expressions as it runs: what it names, it uses
  for (const auto& [name, binding] : scope.lets)
    if (contains_word(text, name)) scope.used->lets.insert(name);
  for (const auto& [name, type] : scope.param_types)
    if (contains_word(text, name)) scope.used->params.insert(name);
  for (const auto& [name, binding] : defines_->values)
    if (contains_word(text, name)) scope.used->defines.insert(name);
  for (const auto& [name, formula] : defines_->formulas)
    if (contains_word(text, name)) scope.used->defines.insert(name);
  auto out = std::make_shared<ScriptScope>(ScriptScope{scope, defines_});
  out->names.used = nullptr;
  return out;
}

void RuleChecker::check_needs(const Rule& rule, const CheckScope& scope, CheckedRule& checked) {
  for (const Reference& need : rule.needs) {
    const TextRange range{0, static_cast<std::uint32_t>(need.rule.size())};
    auto present = std::make_shared<Expression>();
    present->tree = presence_of(need, range, scope.context, diagnostics_);
    present->text.text = need.rule;
    present->text.whole = need.span;
    CheckScope facts;
    facts.subject = scope.subject;
    facts.context = scope.context;
    if (PlanPtr plan = check_expression(*present, facts, diagnostics_))
      checked.needs.push_back({need.rule, std::move(plan), std::move(present)});
  }
}

void RuleChecker::check_tests(const Rule& rule, const std::string& context) {
  for (const RuleTest& test : rule.tests)
    for (const TestSetting& setting : test.set)
      if (setting.rule.rule == rule.id && !has_param(rule, setting.param)) {
        Diagnostic error =
            make_error(error_id::unknown_param, setting.rule.span, "unknown parameter '" + setting.param + "'",
                       did_you_mean(setting.param, param_names(rule)));
        error.context = context;
        diagnostics_.push_back(std::move(error));
      }
}

/// Parameters of the file that this rule does not use are none of its own.
void RuleChecker::forget_unused(const Rule& rule, const UsedNames& used, CheckedRule& checked) {
  for (const Param& param : rule.params)
    if (param.shared && !used.params.contains(param.name)) {
      std::erase_if(checked.param_texts, [&](const auto& text) { return text.first == param.name; });
      std::erase_if(checked.changes, [&](const auto& change) { return change.what.starts_with(param.name + " = "); });
    }
}

/// Whether an expression of the rule did not parse: it may name anything.
bool has_unparsed(const Rule& rule) {
  const auto broken = [](const std::optional<Expression>& expression) { return expression && !expression->tree; };
  const auto any = [&](const auto& list, auto part) { return std::any_of(list.begin(), list.end(), part); };
  return broken(rule.applies) || broken(rule.when) || broken(rule.impact) || broken(rule.gain) ||
         broken(rule.confidence) || broken(rule.location) || broken(rule.verify) ||
         (rule.one_off && !rule.one_off->time.tree) ||
         any(rule.let, [](const NamedExpression& let) { return !let.value.tree; }) ||
         any(rule.evidence, [](const NamedExpression& entry) { return !entry.value.tree; }) ||
         any(rule.severity,
             [](const SeverityTier& tier) { return !tier.condition.text.text.empty() && !tier.condition.tree; }) ||
         any(rule.except, [](const Exception& exception) { return !exception.when.tree; }) ||
         any(rule.recommend,
             [&](const Recommendation& advice) { return broken(advice.condition) || broken(advice.verify); });
}

void RuleChecker::note_use(const Rule& rule, const UsedNames& used, const CheckScope& scope) {
  if (has_unparsed(rule)) return;
  const std::string& context = scope.context;
  for (const NamedExpression& let : rule.let)
    if (!used.lets.count(let.name)) warn_unused(let.name_span, "let '" + let.name + "' is never used", context);
  for (const Param& param : rule.params) {
    if (!used.params.count(param.name)) {
      notes.unused_params.push_back({param.name_span, param.name, context});
      continue;
    }
    notes.used_params.emplace(&*param.name_span.source, param.name_span.offset);
    const bool typed = !scope.param_types.at(param.name).is(Kind::nothing);  // else an error says so
    if (typed && !param.default_value && !scope.params.at(param.name).known()) warn_without_value(param, context);
  }
}

void append(Diagnostics& all, Diagnostics&& more) { std::move(more.begin(), more.end(), std::back_inserter(all)); }

void append(CheckNotes& all, CheckNotes&& more) {
  append(all.diagnostics, std::move(more.diagnostics));
  append(all.warnings, std::move(more.warnings));
  append(all.style, std::move(more.style));
  all.used_defines.merge(more.used_defines);
  all.used_params.merge(more.used_params);
  std::move(more.unused_params.begin(), more.unused_params.end(), std::back_inserter(all.unused_params));
}

}  // namespace

Diagnostic expression_error(std::string_view id, const Expression& expression, std::string title, std::string label,
                            const std::string& context, std::string help) {
  Diagnostic error =
      make_error(id, expression.text.span(expression.tree->range), std::move(title), std::move(label), std::move(help));
  error.context = context;
  return error;
}

Diagnostic unused_warning(const Span& span, std::string title, const std::string& context) {
  Diagnostic warning = make_warning(error_id::never_used, span, std::move(title));
  warning.context = context;
  return warning;
}

void check_each(const std::vector<WrittenRule>& rules, const CheckingWork& work, LoadedRules& out, CheckNotes& notes) {
  std::vector<std::optional<CheckedRule>> checked(rules.size());
  std::vector<CheckNotes> brought(rules.size());
  parallel_for(rules.size(), work.threads, [&](std::size_t i) {
    stop_if(work.cancel);
    RuleChecker checker(out.defines);
    checked[i] = checker.check(rules[i], out);
    brought[i] = std::move(checker.notes);
  });
  for (std::size_t i = 0; i < rules.size(); ++i) {
    out.rules.push_back(std::move(*checked[i]));
    append(notes, std::move(brought[i]));
  }
}

void lint_unused(const LoadedRules& rules, CheckNotes& notes) {
  // Of a pack of which rules were withheld, those may use what the others do not.
  std::set<const Source*> in_part;
  for (const auto& file : rules.files)
    if (!file->withheld.empty()) in_part.insert(&*file->source);
  for (const CheckNotes::UnusedParam& param : notes.unused_params)
    if (!in_part.count(&*param.span.source) &&
        notes.used_params.emplace(&*param.span.source, param.span.offset).second)  // once, too
      notes.warnings.push_back(
          unused_warning(param.span, "parameter '" + param.name + "' is never used", param.context));
  for (const auto& file : rules.files)
    if (!file->builtin && !file->rules.empty() && !in_part.count(&*file->source))  // a file without rules is a library
      for (const Define& define : file->defines)
        if (!notes.used_defines.count(define.name))
          notes.warnings.push_back(unused_warning(define.name_span, "define '" + define.name + "' is never used", {}));
}

CheckedRule check_again(const WrittenRule& rule, const LoadedRules& rules, CheckNotes& notes) {
  RuleChecker checker(rules.defines);
  CheckedRule checked = checker.check(rule, rules);
  notes = std::move(checker.notes);
  return checked;
}

}  // namespace kdiag
