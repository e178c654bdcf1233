// SPDX-License-Identifier: Apache-2.0
// Where rule files and test files name what they declare.
#include "workshop/name_uses.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <kdiag/catalogue.hpp>

#include "dsl/pack_tree.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/test_file.hpp"
#include "engine/language/functions.hpp"
#include "engine/language/subject_spec.hpp"
#include "workshop/file_expressions.hpp"

namespace kdiag {
namespace {

bool is_column(std::string_view name) {
  return name == "end" || std::any_of(catalogue_columns.begin(), catalogue_columns.end(),
                                      [name](const ColumnInfo& column) { return column.name == name; });
}

/// What names in an expression can mean beside tables and defines.
struct NameScope {
  std::string owner;  ///< a rule, or a define with arguments
  std::set<std::string_view> lets, arguments;
};

class NameCollector {
 public:
  NameCollector(const RuleFile& file, SourcePtr source) : source_(std::move(source)) {
    for (const Define& define : file.defines) defines_.insert(define.name);
    for (const Define& define : file.defines) add_define(define);
    for (const SeverityLadder& ladder : file.ladders) {
      declare(NameKind::ladder, ladder.name, {}, ladder.name_span, ladder.type, ladder.doc);
      for (const SeverityLadder::Step& step : ladder.steps) walk(step.bound, {});
    }
    for (const Rule& rule : file.rules) add_rule(rule);
    for (const Override& change : file.overrides) add_override(change);
  }

  NameCollector(const TestFile& file, SourcePtr source) : source_(std::move(source)) {
    for (const RuleTest& test : file.tests) add_test(test);
  }

  std::vector<NameUse> take() && {
    const auto place = [](const NameUse& use) { return std::pair(use.span.offset, !use.declares); };
    std::stable_sort(names_.begin(), names_.end(),
                     [&](const NameUse& a, const NameUse& b) { return place(a) < place(b); });
    names_.erase(std::unique(names_.begin(), names_.end(),
                             [](const NameUse& a, const NameUse& b) { return a.span.offset == b.span.offset; }),
                 names_.end());
    return std::move(names_);
  }

 private:
  void declare(NameKind kind, const std::string& name, const std::string& owner, const Span& span,
               const std::string& detail, const std::string& doc) {
    const std::size_t before = names_.size();
    use(kind, name, owner, span);
    if (names_.size() == before) return;
    names_.back().declares = true;
    names_.back().detail = detail.substr(0, detail.find_last_not_of(" \n") + 1);
    names_.back().doc = doc;
  }

  /// Texts that only stand for a name (`fired` for the rule around it) are none, and quotes are no part of one.
  void use(NameKind kind, const std::string& name, const std::string& owner, Span span) {
    if (span.source != source_ || name.empty()) return;
    const std::string_view text = source_->text;
    if (span.offset < text.size() && (text[span.offset] == '"' || text[span.offset] == '\'')) ++span.offset;
    if (span.offset > text.size() || !text.substr(span.offset).starts_with(name)) return;
    span.length = name.size();
    names_.push_back({.kind = kind, .name = name, .owner = owner, .span = std::move(span)});
  }
  void use(NameKind kind, const Reference& reference) { use(kind, reference.rule, {}, reference.span); }
  void use_rules(const std::vector<Reference>& rules) {
    for (const Reference& rule : rules) use(NameKind::rule, rule);
  }

  void add_define(const Define& define) {
    declare(NameKind::define, define.name, {}, define.name_span, define.value.text.text, define.doc);
    NameScope scope{define.name, {}, {}};
    for (const Param& param : define.params) {
      declare(NameKind::argument, param.name, define.name, param.name_span, param.type, param.doc);
      scope.arguments.insert(param.name);
    }
    walk(define.value, scope);
  }

  void add_rule(const Rule& rule) {
    declare(NameKind::rule, rule.id, {}, rule.span, {}, rule.summary);
    NameScope scope{rule.id, {}, {}};
    for (const Param& param : rule.params)
      declare(NameKind::param, param.name, param.shared ? std::string() : rule.id, param.name_span, param.type,
              param.doc);
    for (const NamedExpression& let : rule.let) {
      declare(NameKind::let, let.name, rule.id, let.name_span, let.value.text.text, {});
      scope.lets.insert(let.name);
    }
    for (const Expression* expression : expressions_of(rule)) walk(*expression, scope);
    use_tiers(rule.severity);
    use_rules(rule.explains);
    use_rules(rule.symptom_of);
    for (const Recommendation& advice : rule.recommend) use_rules(advice.unless);
    scopes_.emplace_back(rule.id, scope);
    for (const RuleTest& test : rule.tests) add_test(test);
  }

  void use_tiers(const std::vector<SeverityTier>& severity) {
    for (const SeverityTier& tier : severity)
      if (tier.ladder) use(NameKind::ladder, *tier.ladder);
  }

  void add_override(const Override& change) {
    if (!change.of_pack) use(NameKind::rule, change.target);
    const std::string owner = change.of_pack ? std::string() : change.target.rule;
    for (const Override::ParamValue& param : change.params) use(NameKind::param, param.name, owner, param.name_span);
    if (change.severity) use_tiers(*change.severity);
    for (const Expression* expression : expressions_of(change)) walk(*expression, scope_of(owner));
  }

  void add_test(const RuleTest& test) {
    use(NameKind::rule, test.rule);
    for (const TestSetting& setting : test.set) use(NameKind::rule, setting.rule);
    for (const ExpectedFinding& finding : test.expect.findings) {
      use(NameKind::rule, finding.rule);
      if (finding.symptom_of) use(NameKind::rule, *finding.symptom_of);
    }
    for (const ExpectedOutcome& outcome : test.expect.outcomes) use(NameKind::rule, outcome.rule);
    for (const ValueTest& value : test.eval) {
      use(NameKind::rule, value.rule);
      walk(value.expression, scope_of(value.rule.rule));
    }
  }

  NameScope scope_of(const std::string& rule) const {
    for (const auto& [id, scope] : scopes_)
      if (id == rule) return scope;
    return {rule, {}, {}};
  }

  void walk(const Expression& expression, const NameScope& scope) {
    if (expression.tree) walk(*expression.tree, expression.text, scope, false);
  }

  /// `of_rows`: columns of rows hide other names.
  void walk(const Expr& expr, const SourceText& text, const NameScope& scope, bool of_rows) {
    if (const auto* param = std::get_if<ParamRef>(&expr.node)) {
      use(NameKind::param, param->name, scope.owner, text.span({expr.range.begin + 1, expr.range.end}));
    } else if (const auto* name = std::get_if<NameRef>(&expr.node)) {
      add_name(name->name, text.span(expr.range), scope, of_rows);
    } else if (const auto* call = std::get_if<Call>(&expr.node)) {
      if (defines_.contains(call->function) || find_function(call->function) == nullptr)
        use(NameKind::define, call->function, {}, text.span(call->name_range));
      for (std::size_t i = 0; i < call->arguments.size(); ++i) walk(*call->arguments[i], text, scope, of_rows || i > 0);
    } else if (const auto* where = std::get_if<Where>(&expr.node)) {
      walk(*where->table, text, scope, of_rows);
      walk(*where->condition, text, scope, true);
    } else {
      const bool groups = std::holds_alternative<Group>(expr.node) || std::holds_alternative<Select>(expr.node);
      bool first = true;
      for_each_part(expr, [&](const ExprPtr& part) {
        walk(*part, text, scope, of_rows || (groups && !first));
        first = false;
      });
    }
  }

  void add_name(const std::string& name, const Span& span, const NameScope& scope, bool of_rows) {
    if (of_rows && is_column(name)) return;
    if (scope.arguments.contains(name)) return use(NameKind::argument, name, scope.owner, span);
    if (scope.lets.contains(name)) return use(NameKind::let, name, scope.owner, span);
    if (!find_table(name).valid() && !subject_kind(name)) use(NameKind::define, name, {}, span);
  }

  SourcePtr source_;
  std::set<std::string, std::less<>> defines_;
  std::vector<std::pair<std::string, NameScope>> scopes_;
  std::vector<NameUse> names_;
};

}  // namespace

std::vector<NameUse> names_of(const RuleFile& file, const SourcePtr& source) {
  return NameCollector(file, source).take();
}

std::vector<NameUse> names_in(std::string_view name, std::string_view text, const std::atomic<bool>* cancel,
                              KeptTrees* trees) {
  const auto source = std::make_shared<const Source>(Source{std::string(name), std::string(text)});
  Diagnostics diagnostics;
  try {
    if (purpose_of(text) == YamlPurpose::tests) {
      const TestFile file = parse_test_file(source, diagnostics, cancel);
      return NameCollector(file, source).take();
    }
    return names_of(parse_rule_file(pack_of_text(source), diagnostics, {}, cancel, trees), source);
  } catch (const Interrupted&) {
    return {};
  }
}

}  // namespace kdiag
