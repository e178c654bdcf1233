// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/rule_checker.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <optional>
#include <set>

#include <kdiag/error_ids.hpp>

#include "base/contains_word.hpp"
#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"
#include "base/parallel.hpp"
#include "engine/language/fact_presence.hpp"
#include "engine/language/free_names.hpp"
#include "engine/language/functions.hpp"
#include "engine/ruleset/constant_value.hpp"
#include "engine/ruleset/dependency_order.hpp"
#include "engine/ruleset/lint.hpp"
#include "engine/ruleset/severity_ladders.hpp"
#include "engine/ruleset/verify_text.hpp"

namespace kdiag {
namespace {

/// Lets call functions and defines, never each other.
std::set<std::string> names_in(const NamedExpression& let, const std::vector<NamedExpression>& lets) {
  return free_names(let.value.tree, false, [&lets](std::string_view name) {
    const auto found =
        std::find_if(lets.begin(), lets.end(), [name](const NamedExpression& other) { return other.name == name; });
    return found == lets.end() ? ExprPtr() : found->value.tree;
  });
}

std::string known_subjects() {
  std::string out = "it is one of";
  for (const std::string_view kind : subject_kinds()) out += " " + std::string(kind) + ",";
  return out + " or `table group by (columns)`";
}

class RuleChecker {
 public:
  explicit RuleChecker(std::shared_ptr<const DefineNames> defines) : defines_(std::move(defines)) {}

  /// The settings and which rules are judged are those of `loaded`.
  CheckedRule check(const WrittenRule& written, const LoadedRules& loaded);
  /// What `rule` says where it fires. The scope has its parameters, and the lets of which `lets` has the plans.
  CheckedFinding check_finding(const Rule& rule, std::vector<PlanPtr> lets, CheckScope& scope);

  CheckNotes notes;

 private:
  SubjectSpec subject_of(const Rule& rule, const std::string& context);
  std::optional<SubjectSpec> groups_of(const Expression& groups, const std::string& context);
  static void apply(const std::vector<const Override*>& overrides, CheckedRule& checked);
  void check_params(const Rule& rule, const LoadedRules& loaded, CheckScope& scope, CheckedRule& checked);
  std::optional<Value> constant(const Expression& expression, const Type& type, const Param& param,
                                const std::string& context);
  void check_range(const Param& param, const Type& type, const Value& value, const Span& place,
                   const std::string& context);
  std::shared_ptr<const ScriptScope> script_scope(const Script& script, CheckScope& scope) const;
  void check_needs(const Rule& rule, const CheckScope& scope, CheckedRule& checked);
  void check_lets(const Rule& rule, CheckScope& scope, std::vector<PlanPtr>& lets);
  void check_claims(const Rule& rule, const CheckScope& scope, CheckedFinding& finding);
  void check_advice(const Rule& rule, const CheckScope& scope, CheckedFinding& finding);
  void check_doubts(const Rule& rule, const CheckScope& scope, CheckedFinding& finding);
  void check_tests(const Rule& rule, const std::string& context);
  std::vector<CheckedSentence> check_sentences(const std::vector<Sentence>& sentences, const CheckScope& scope);
  CheckedTemplate check_template(const Template& source, const CheckScope& scope);
  void wrong(std::string_view id, const Expression& expression, std::string title, std::string label,
             const std::string& context, std::string help = {}) {
    diagnostics_.push_back(
        expression_error(id, expression, std::move(title), std::move(label), context, std::move(help)));
  }
  static void forget_unused(const Rule& rule, const UsedNames& used, CheckedRule& checked);
  void note_use(const Rule& rule, const UsedNames& used, const std::string& context);
  void warn_unused(const Span& span, std::string title, const std::string& context) {
    notes.warnings.push_back(unused_warning(span, std::move(title), context));
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
                                                const std::shared_ptr<const DefineNames>& defines) {
  scope.used = nullptr;
  return std::make_shared<const LateFinding>(
      [whole = checked.rule->whole, lets = checked.lets, scope = std::move(scope), defines] {
        std::shared_ptr<const Rule> rule = whole();
        RuleChecker checker(defines);
        CheckScope names = scope;
        CheckedFinding finding = checker.check_finding(*rule, lets, names);
        assert(checker.notes.diagnostics.empty());  // a test checks each pack
        finding.source = std::move(rule);
        return finding;
      });
}

CheckedRule RuleChecker::check(const WrittenRule& written, const LoadedRules& loaded) {
  CheckedRule checked{.rule = written.rule};
  apply(written.overrides, checked);
  const Rule& rule = *checked.rule;
  checked.active = rule.enabled &&
                   (rule.status == RuleStatus::stable || (rule.status == RuleStatus::incubating && loaded.incubating));
  UsedNames used;
  CheckScope scope;
  scope.context = "rule " + rule.id;
  scope.proven = written.builtin && written.overrides.empty();
  scope.defines = defines_.get();
  scope.used = &used;
  scope.subject = checked.subject = subject_of(rule, scope.context);
  check_params(rule, loaded, scope, checked);
  if (rule.parts == RuleParts::outline || rule.parts == RuleParts::compared) return checked;
  check_lets(rule, scope, checked.lets);
  check_needs(rule, scope, checked);
  if (rule.applies) checked.applies = check_condition(*rule.applies, scope, "applies", diagnostics_);
  if (rule.when) checked.when = check_condition(*rule.when, scope, "when", diagnostics_);
  if (rule.script) checked.script_scope = script_scope(*rule.script, scope);
  if (rule.parts == RuleParts::decision) {
    checked.late_finding = late_finding(checked, std::move(scope), defines_);
    return checked;
  }
  checked.late_finding = std::make_shared<const LateFinding>(check_finding(rule, checked.lets, scope));
  check_tests(rule, scope.context);
  notes.used_defines.merge(used.defines);
  forget_unused(rule, used, checked);
  if (diagnostics_.empty() && !(written.builtin && written.overrides.empty())) {
    note_use(rule, used, scope.context);
    lint_rule(checked, notes.warnings, notes.style);
  }
  return checked;
}

CheckedFinding RuleChecker::check_finding(const Rule& rule, std::vector<PlanPtr> lets, CheckScope& scope) {
  CheckedFinding finding{.source = nullptr, .lets = std::move(lets)};
  check_lets(rule, scope, finding.lets);
  check_severity(rule, scope, finding, diagnostics_);
  check_claims(rule, scope, finding);
  for (const NamedExpression& evidence : rule.evidence)
    if (PlanPtr plan = check_expression(evidence.value, scope, diagnostics_))
      finding.evidence.emplace_back(evidence.name, std::move(plan));
  for (const Exception& exception : rule.except)
    if (PlanPtr plan = check_condition(exception.when, scope, "except", diagnostics_))
      finding.except.emplace_back(std::move(plan), exception.reason);
  check_advice(rule, scope, finding);
  check_doubts(rule, scope, finding);
  return finding;
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

SubjectSpec RuleChecker::subject_of(const Rule& rule, const std::string& context) {
  if (rule.for_each.empty()) return SubjectKind::run;
  // After an error the rest is checked all the same, as for what was probably meant.
  if (rule.for_each_groups) return groups_of(*rule.for_each_groups, context).value_or(SubjectKind::device);
  if (const auto kind = subject_kind(rule.for_each)) return *kind;
  Diagnostic error =
      make_error(error_id::unknown_subject, rule.for_each_span, "unknown kind of subject '" + rule.for_each + "'",
                 did_you_mean(rule.for_each, subject_kinds()), known_subjects());
  error.context = context;
  diagnostics_.push_back(std::move(error));
  return subject_kind(closest(rule.for_each, subject_kinds())).value_or(SubjectKind::device);
}

std::optional<SubjectSpec> RuleChecker::groups_of(const Expression& groups, const std::string& context) {
  const auto wrong_groups = [&](TextRange range, const std::string& title) -> std::optional<SubjectSpec> {
    Diagnostic error = make_error(error_id::unknown_subject, groups.text.span(range), title, {},
                                  "write `for_each: kernels group by (class)`: a table and some of its columns");
    error.context = context;
    diagnostics_.push_back(std::move(error));
    return {};
  };
  if (!groups.tree) return {};  // the reader said why
  const auto* group = std::get_if<Group>(&groups.tree->node);
  if (group == nullptr) return wrong_groups(groups.tree->range, "this is neither a kind of subject nor groups of rows");
  const auto* name = std::get_if<NameRef>(&group->table->node);
  const TableId id = name != nullptr ? find_table(name->name) : TableId{};
  if (!id.valid()) return wrong_groups(group->table->range, "subjects are groups of the rows of a table");
  if (!group->select.empty()) return wrong_groups(groups.tree->range, "groups that are subjects select nothing");
  std::vector<ColumnId> keys;
  for (const Named& key : group->keys) {
    const auto* of = std::get_if<NameRef>(&key.value->node);
    const ColumnId column = of != nullptr ? find_column(name->name, of->name) : ColumnId{};
    if (!column.valid() || info(column).traits.transient)
      return wrong_groups(
          key.value->range,
          "'" + groups.text.text.substr(key.value->range.begin, key.value->range.end - key.value->range.begin) +
              "' is no column of " + name->name);
    if (std::find(keys.begin(), keys.end(), column) != keys.end())
      return wrong_groups(key.value->range, "'" + of->name + "' is named twice");
    keys.push_back(column);
  }
  return SubjectSpec::groups(id, std::move(keys));
}

void RuleChecker::check_params(const Rule& rule, const LoadedRules& loaded, CheckScope& scope, CheckedRule& checked) {
  for (const Param& param : rule.params) {
    const auto type = param_type(param.type);
    if (!type) continue;  // the reader refused it
    std::optional<Value> value;
    std::string text;
    Span place = param.name_span;
    if (param.default_value) {
      value = constant(*param.default_value, *type, param, scope.context);
      text = param.default_value->text.text;
    }
    for (const ParamSetting& setting : loaded.settings)
      if (setting.rule == rule.id && setting.param == param.name)
        if (auto set = constant(setting.value, *type, param, scope.context)) {
          value = std::move(set);
          text = setting.value.text.text;
          place = setting.value.text.whole;
          checked.changes.push_back({param.name + " = " + text, setting.place});
        }
    checked.param_texts.emplace_back(param.name, std::move(text));
    if (param.range && value) check_range(param, *type, *value, place, scope.context);
    scope.param_types[param.name] = *type;
    scope.params[param.name] = value ? *value : unknown_reason("the parameter has no value");
  }
}

std::optional<Value> RuleChecker::constant(const Expression& expression, const Type& type, const Param& param,
                                           const std::string& context) {
  const CheckScope empty{.context = context};
  const PlanPtr plan = check_expression(expression, empty, diagnostics_);
  if (!plan) return {};
  if (fits_param(*plan, type)) return constant_value(*plan);
  wrong(error_id::wrong_param_value, expression, "parameter '" + param.name + "' is " + describe(type),
        "this is " + describe(plan->type), context);
  return {};
}

void RuleChecker::check_range(const Param& param, const Type& type, const Value& value, const Span& place,
                              const std::string& context) {
  const auto low = constant(param.range->first, type, param, context);
  const auto high = constant(param.range->second, type, param, context);
  if (!low || !high) return;
  const auto* v = value.as<Range>();
  const auto* a = low->as<Range>();
  const auto* b = high->as<Range>();
  if (!v || !a || !b || (v->low >= a->low && v->high <= b->high)) return;
  Diagnostic error =
      make_error(error_id::wrong_param_value, place, "parameter '" + param.name + "' is outside its range",
                 param.range->first.text.text + " to " + param.range->second.text.text);
  error.context = context;
  diagnostics_.push_back(std::move(error));
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

/// Those that the scope does not have yet, in slots behind those that `lets` has.
void RuleChecker::check_lets(const Rule& rule, CheckScope& scope, std::vector<PlanPtr>& lets) {
  const bool all_known = std::all_of(rule.let.begin(), rule.let.end(),
                                     [&](const NamedExpression& let) { return scope.lets.contains(let.name); });
  if (all_known) return;
  const std::size_t first = lets.size();
  lets.resize(first + rule.let.size());
  in_dependency_order(
      rule.let, "let", scope.context, diagnostics_, [&](const NamedExpression& let) { return names_in(let, rule.let); },
      [&](std::size_t i, bool good) {
        const NamedExpression& let = rule.let[i];
        if (scope.lets.contains(let.name)) return;
        PlanPtr plan = good ? check_expression(let.value, scope, diagnostics_) : nullptr;
        scope.lets[let.name] = {plan ? plan->type : Type{}, static_cast<std::uint32_t>(first + i)};
        lets[first + i] = std::move(plan);
      });
}

void RuleChecker::check_claims(const Rule& rule, const CheckScope& scope, CheckedFinding& finding) {
  if (rule.impact) finding.impact = check_claim(*rule.impact, scope, "impact", diagnostics_);
  if (rule.gain) finding.gain = check_claim(*rule.gain, scope, "gain", diagnostics_);
  finding.no_gain = rule.no_gain;
  if (rule.confidence) {
    finding.confidence = check_expression(*rule.confidence, scope, diagnostics_);
    if (finding.confidence && !(finding.confidence->type.numeric() && finding.confidence->type.dimension.plain()))
      wrong(error_id::wrong_claim, *rule.confidence, "`confidence` needs a number from 0 to 1",
            describe(finding.confidence->type), scope.context);
  }
  if (rule.one_off) {
    PlanPtr time = check_expression(rule.one_off->time, scope, diagnostics_);
    if (time && !time->type.is(Kind::intervals))
      wrong(error_id::wrong_claim, rule.one_off->time, "`one_off` needs a set of time", describe(time->type),
            scope.context, "spans(table) gives one");
    const bool timed =
        finding.impact && (finding.impact->type.is(Kind::intervals) || finding.impact->type.is(Kind::claim));
    if (!timed && !rule.script)  // what a script claims is known when it runs
      wrong(error_id::wrong_claim, rule.one_off->time, "`one_off` needs an `impact` that is a set of time",
            finding.impact ? describe(finding.impact->type) : "there is none", scope.context,
            "only what lies in the impact can be paid once");
    if (!scope.subject.has_device())
      wrong(error_id::wrong_claim, rule.one_off->time, "`one_off` needs a subject on a device", "this one is not",
            scope.context, "the account is one for each device: `for_each: device`, or what lies on one");
    if (time) finding.one_off = CheckedOneOff{rule.one_off->what, std::move(time)};
  }
  if (rule.location) {
    finding.location = check_expression(*rule.location, scope, diagnostics_);
    if (finding.location &&
        !(finding.location->type.is(Kind::reference) && finding.location->type.table == table("frames")))
      wrong(error_id::wrong_claim, *rule.location, "`location` needs a source frame", describe(finding.location->type),
            scope.context, "site(row) gives one");
  }
}

void RuleChecker::check_advice(const Rule& rule, const CheckScope& scope, CheckedFinding& finding) {
  finding.title = check_sentences(rule.title, scope);
  finding.message = check_sentences(rule.message, scope);
  const PlanPtr verify = rule.verify ? check_condition(*rule.verify, scope, "verify", diagnostics_) : nullptr;
  for (const Recommendation& advice : rule.recommend) {
    CheckedRecommendation recommendation{.text = check_template(advice.text, scope), .source = &advice};
    if (advice.condition) recommendation.condition = check_condition(*advice.condition, scope, "if", diagnostics_);
    if (advice.verify) recommendation.verify = check_condition(*advice.verify, scope, "verify", diagnostics_);
    else recommendation.verify = verify;
    if (recommendation.verify)
      recommendation.verify_text =
          verify_text(advice.verify ? *advice.verify : *rule.verify, *recommendation.verify, rule, finding.lets);
    finding.recommend.push_back(std::move(recommendation));
  }
}

void RuleChecker::check_doubts(const Rule& rule, const CheckScope& scope, CheckedFinding& finding) {
  const auto for_health_alone = [&](const Span& span, std::string_view key) {
    if (rule.role == RuleRole::health) return;
    Diagnostic error = make_error(error_id::doubt_of_no_health_rule, span,
                                  "only a rule of role health has `" + std::string(key) + "`");
    error.context = scope.context;
    diagnostics_.push_back(std::move(error));
  };
  if (!rule.doubts.empty()) for_health_alone(rule.doubts.front().span, "doubts");
  if (rule.caps) for_health_alone(rule.caps_span, "caps");
  finding.caps = rule.caps;
  for (const Reference& doubt : rule.doubts) {
    const TableId named = find_table(doubt.rule);
    if (named.valid()) {
      finding.doubts.push_back(named);
      continue;
    }
    std::vector<std::string_view> tables;
    for (const TableInfo& one : catalogue_tables) tables.push_back(one.name);
    Diagnostic error = make_error(error_id::unknown_name, doubt.span, "unknown table '" + doubt.rule + "'",
                                  did_you_mean(doubt.rule, tables));
    error.context = scope.context;
    diagnostics_.push_back(std::move(error));
  }
}

void RuleChecker::check_tests(const Rule& rule, const std::string& context) {
  for (const RuleTest& test : rule.tests)
    for (const TestSetting& setting : test.set)
      if (setting.rule.rule == rule.id && std::none_of(rule.params.begin(), rule.params.end(),
                                                       [&](const Param& p) { return p.name == setting.param; })) {
        Diagnostic error =
            make_error(error_id::unknown_param, setting.rule.span, "unknown parameter '" + setting.param + "'");
        error.context = context;
        diagnostics_.push_back(std::move(error));
      }
}

std::vector<CheckedSentence> RuleChecker::check_sentences(const std::vector<Sentence>& sentences,
                                                          const CheckScope& scope) {
  std::vector<CheckedSentence> out;
  for (const Sentence& sentence : sentences)
    out.push_back({check_template(sentence.text, scope),
                   sentence.condition ? check_condition(*sentence.condition, scope, "if", diagnostics_) : nullptr});
  return out;
}

CheckedTemplate RuleChecker::check_template(const Template& source, const CheckScope& scope) {
  CheckedTemplate out;
  for (const Template::Piece& piece : source.pieces) {
    if (!piece.hole) {
      out.pieces.push_back({piece.literal, nullptr});
      continue;
    }
    PlanPtr plan = check_expression(*piece.hole, scope, diagnostics_);
    if (plan && (plan->type.is(Kind::table) || plan->type.is(Kind::series))) {
      wrong(error_id::wrong_type, *piece.hole, "a text shows single values", describe(plan->type), scope.context,
            "count(...), sum(...), argmax(...) make one");
      plan = nullptr;
    }
    if (plan) out.pieces.push_back({"", std::move(plan)});
  }
  return out;
}

/// Parameters of the file that this rule does not use are none of its own.
void RuleChecker::forget_unused(const Rule& rule, const UsedNames& used, CheckedRule& checked) {
  for (const Param& param : rule.params)
    if (param.shared && !used.params.contains(param.name)) {
      std::erase_if(checked.param_texts, [&](const auto& text) { return text.first == param.name; });
      std::erase_if(checked.changes, [&](const auto& change) { return change.what.starts_with(param.name + " = "); });
    }
}

void RuleChecker::note_use(const Rule& rule, const UsedNames& used, const std::string& context) {
  for (const NamedExpression& let : rule.let)
    if (!used.lets.count(let.name)) warn_unused(let.name_span, "let '" + let.name + "' is never used", context);
  for (const Param& param : rule.params) {
    if (used.params.count(param.name)) notes.used_params.emplace(&*param.name_span.source, param.name_span.offset);
    else notes.unused_params.push_back({param.name_span, param.name, context});
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
  for (const CheckNotes::UnusedParam& param : notes.unused_params)
    if (notes.used_params.emplace(&*param.span.source, param.span.offset).second)  // once, too
      notes.warnings.push_back(
          unused_warning(param.span, "parameter '" + param.name + "' is never used", param.context));
  for (const auto& file : rules.files)
    if (!file->builtin && !file->rules.empty())  // a file without rules is a library
      for (const Define& define : file->defines)
        if (!notes.used_defines.count(define.name))
          notes.warnings.push_back(unused_warning(define.name_span, "define '" + define.name + "' is never used", {}));
}

}  // namespace kdiag
