// SPDX-License-Identifier: Apache-2.0
#include "engine/rule_set.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "engine/diagnostic.hpp"
#include "engine/edit_distance.hpp"

namespace kdiag {
namespace {

/// Names at the start of paths, anywhere in an expression: what it may depend on.
void collect_names(const ExprPtr& expr, std::set<std::string>& names) {
  if (!expr) return;
  const auto each = [&](const std::vector<ExprPtr>& list) {
    for (const ExprPtr& item : list) collect_names(item, names);
  };
  std::visit(
      [&](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, NameRef>) names.insert(node.name);
        else if constexpr (std::is_same_v<Node, Member>) collect_names(node.object, names);
        else if constexpr (std::is_same_v<Node, Call>) each(node.arguments);
        else if constexpr (std::is_same_v<Node, ListLiteral>) each(node.items);
        else if constexpr (std::is_same_v<Node, Negate> || std::is_same_v<Node, Not>)
          collect_names(node.operand, names);
        else if constexpr (std::is_same_v<Node, And> || std::is_same_v<Node, Or>) each(node.operands);
        else if constexpr (std::is_same_v<Node, Binary> || std::is_same_v<Node, Compare>) {
          collect_names(node.left, names);
          collect_names(node.right, names);
        } else if constexpr (std::is_same_v<Node, In>) {
          collect_names(node.item, names);
          collect_names(node.collection, names);
        } else if constexpr (std::is_same_v<Node, Match>) collect_names(node.subject, names);
        else if constexpr (std::is_same_v<Node, If>) {
          collect_names(node.condition, names);
          collect_names(node.then, names);
          collect_names(node.otherwise, names);
        } else if constexpr (std::is_same_v<Node, Where>) {
          collect_names(node.table, names);
          collect_names(node.condition, names);
        } else if constexpr (std::is_same_v<Node, Group>) {
          collect_names(node.table, names);
          for (const Named& key : node.keys) collect_names(key.value, names);
          for (const Named& column : node.select) collect_names(column.value, names);
        } else if constexpr (std::is_same_v<Node, Select>) {
          collect_names(node.table, names);
          for (const Named& column : node.columns) collect_names(column.value, names);
        } else if constexpr (std::is_same_v<Node, During>) {
          collect_names(node.subject, names);
          collect_names(node.intervals, names);
        } else if constexpr (std::is_same_v<Node, As>) collect_names(node.table, names);
      },
      expr->node);
}

/// Calls `check` for every item after those it names; names on a cycle are reported and left unchecked.
template <class Item, class Check>
void in_dependency_order(const std::vector<Item>& items, std::string_view what, const std::string& context,
                         Diagnostics& diagnostics, Check check) {
  enum class State : std::uint8_t { waiting, open, done };
  std::vector<State> state(items.size(), State::waiting);
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < items.size(); ++i) index.emplace(items[i].name, i);
  const std::function<void(std::size_t)> visit = [&](std::size_t i) {
    if (state[i] != State::waiting) return;
    state[i] = State::open;
    std::set<std::string> names;
    collect_names(items[i].value.tree, names);
    for (const std::string& name : names)
      if (const auto found = index.find(name); found != index.end()) {
        if (state[found->second] == State::open) {
          Diagnostic error =
              make_error("K305", items[i].name_span, std::string(what) + " '" + items[i].name + "' depends on itself",
                         found->second == i ? "" : "through '" + items[found->second].name + "'");
          error.context = context;
          diagnostics.push_back(std::move(error));
        } else {
          visit(found->second);
        }
      }
    check(i);
    state[i] = State::done;
  };
  for (std::size_t i = 0; i < items.size(); ++i) visit(i);
}

class RuleChecker {
 public:
  RuleChecker(LoadedRules& out, const std::vector<ParamSetting>& settings, Diagnostics& diagnostics)
      : out_(out), settings_(settings), diagnostics_(diagnostics) {}

  void check_defines(const std::vector<const Define*>& defines) {
    std::vector<NamedDefine> items;
    for (const Define* define : defines) {
      if (const auto first =
              std::find_if(items.begin(), items.end(), [&](const NamedDefine& d) { return d.name == define->name; });
          first != items.end()) {
        Diagnostic error = make_error("K306", define->name_span, "'" + define->name + "' is defined twice");
        error.labels.push_back({first->name_span, "first here"});
        diagnostics_.push_back(std::move(error));
        continue;
      }
      items.push_back({define->name, define->name_span, define->value, define});
    }
    out_.library.defines.resize(items.size());
    in_dependency_order(items, "define", "", diagnostics_, [&](std::size_t i) {
      const Define& define = *items[i].define;
      CheckScope scope{.subject = SubjectKind::device,
                       .query = false,
                       .params = {},
                       .param_types = {},
                       .lets = {},
                       .defines = out_.defines,
                       .context = "define " + define.name};
      PlanPtr plan = check_expression(define.value, scope, diagnostics_);
      if (plan && !define.type.empty()) {
        const bool matches = define.type == "intervals" ? plan->type.is(Kind::intervals)
                             : define.type == "table"   ? plan->type.is(Kind::table)
                             : define.type == "bool"    ? plan->type.is(Kind::boolean)
                             : define.type == "string"
                                 ? plan->type.is(Kind::text)
                                 : plan->type.numeric() && dimension_named(define.type) == plan->type.dimension;
        if (!matches) {
          Diagnostic error = make_error("K201", define.value.text.span(define.value.tree->range),
                                        "define '" + define.name + "' says it is " + define.type, describe(plan->type));
          diagnostics_.push_back(std::move(error));
          plan = nullptr;
        }
      }
      out_.defines[define.name] = {plan ? plan->type : Type{}, static_cast<std::uint32_t>(i)};
      out_.library.defines[i] = std::move(plan);
    });
  }

  void check(const Rule& rule) {
    const std::size_t errors_before = diagnostics_.size();
    CheckedRule checked{.rule = &rule};
    const std::string context = "rule " + rule.id;
    if (!rule.for_each.empty()) {
      const auto kind = subject_kind(rule.for_each);
      if (!kind) {
        Diagnostic error = make_error("K310", rule.for_each_span, "unknown kind of subject '" + rule.for_each + "'",
                                      did_you_mean(rule.for_each, subject_kinds()),
                                      "it is one of run, rank, device, stream, step, thread");
        error.context = context;
        diagnostics_.push_back(std::move(error));
      }
      // The rest is checked all the same, as for the kind that was probably meant.
      checked.subject =
          kind ? *kind : subject_kind(closest(rule.for_each, subject_kinds())).value_or(SubjectKind::device);
    }
    std::vector<std::string> used;
    CheckScope scope{.subject = checked.subject,
                     .query = false,
                     .params = {},
                     .param_types = {},
                     .lets = {},
                     .defines = out_.defines,
                     .context = context,
                     .used = &used};
    check_params(rule, scope, checked);

    checked.lets.resize(rule.let.size());
    in_dependency_order(rule.let, "let", context, diagnostics_, [&](std::size_t i) {
      PlanPtr plan = check_expression(rule.let[i].value, scope, diagnostics_);
      scope.lets[rule.let[i].name] = {plan ? plan->type : Type{}, static_cast<std::uint32_t>(i)};
      checked.lets[i] = std::move(plan);
    });

    if (rule.applies) checked.applies = check_condition(*rule.applies, scope, "applies", diagnostics_);
    if (rule.when) checked.when = check_condition(*rule.when, scope, "when", diagnostics_);
    for (const SeverityTier& tier : rule.severity)
      if (PlanPtr plan = check_condition(tier.condition, scope, "severity", diagnostics_))
        checked.severity.emplace_back(tier.severity, std::move(plan));
    if (rule.impact) checked.impact = check_claim(*rule.impact, scope, "impact", diagnostics_);
    if (rule.gain) checked.gain = check_claim(*rule.gain, scope, "gain", diagnostics_);
    if (rule.confidence) {
      checked.confidence = check_expression(*rule.confidence, scope, diagnostics_);
      if (checked.confidence && !(checked.confidence->type.numeric() && checked.confidence->type.dimension.plain()))
        wrong("K206", *rule.confidence, "`confidence` needs a number from 0 to 1", describe(checked.confidence->type),
              context);
    }
    if (rule.location) {
      checked.location = check_expression(*rule.location, scope, diagnostics_);
      if (checked.location &&
          !(checked.location->type.is(Kind::reference) && checked.location->type.table == table("frames")))
        wrong("K206", *rule.location, "`location` needs a source frame", describe(checked.location->type), context,
              "site(row) gives one");
    }
    for (const NamedExpression& evidence : rule.evidence)
      if (PlanPtr plan = check_expression(evidence.value, scope, diagnostics_))
        checked.evidence.emplace_back(evidence.name, std::move(plan));
    for (const Exception& exception : rule.except)
      if (PlanPtr plan = check_condition(exception.when, scope, "except", diagnostics_))
        checked.except.emplace_back(std::move(plan), exception.reason);
    checked.title = check_template(rule.title, scope);
    checked.message = check_template(rule.message, scope);
    for (const Recommendation& advice : rule.recommend) {
      CheckedRecommendation recommendation{
          .text = check_template(advice.text, scope), .condition = nullptr, .source = &advice};
      if (advice.condition) recommendation.condition = check_condition(*advice.condition, scope, "if", diagnostics_);
      if (advice.verify) check_condition(*advice.verify, scope, "verify", diagnostics_);
      checked.recommend.push_back(std::move(recommendation));
    }
    for (const RuleTest& test : rule.tests)
      for (const TestSetting& setting : test.set)
        if (setting.rule.rule == rule.id && std::none_of(rule.params.begin(), rule.params.end(),
                                                         [&](const Param& p) { return p.name == setting.param; })) {
          Diagnostic error = make_error("K304", setting.rule.span, "unknown parameter '" + setting.param + "'");
          error.context = context;
          diagnostics_.push_back(std::move(error));
        }
    if (diagnostics_.size() == errors_before) lint_unused(rule, used, context);
    if (rule.enabled && rule.status != RuleStatus::deprecated) out_.rules.push_back(std::move(checked));
  }

 private:
  struct NamedDefine {
    std::string name;
    Span name_span;
    Expression value;
    const Define* define;
  };

  void wrong(std::string_view id, const Expression& expression, std::string title, std::string label,
             const std::string& context, std::string help = {}) {
    Diagnostic error = make_error(id, expression.text.span(expression.tree->range), std::move(title), std::move(label),
                                  std::move(help));
    error.context = context;
    diagnostics_.push_back(std::move(error));
  }

  static std::optional<Type> param_type(const std::string& name) {
    if (name == "string") return types::text();
    if (name == "bool") return types::boolean();
    if (name == "list") return types::list();
    if (const auto dimension = dimension_named(name)) return types::number(*dimension);
    return {};
  }

  void check_params(const Rule& rule, CheckScope& scope, CheckedRule& checked) {
    for (const Param& param : rule.params) {
      const auto type = param_type(param.type);
      if (!type) continue;  // the reader refused it
      std::optional<Value> value;
      std::string text;
      if (param.default_value) {
        value = constant(*param.default_value, *type, param, scope.context);
        text = param.default_value->text.text;
      }
      for (const ParamSetting& setting : settings_)
        if (setting.rule == rule.id && setting.param == param.name)
          if (auto set = constant(setting.value, *type, param, scope.context)) {
            value = std::move(set);
            text = setting.value.text.text;
          }
      checked.param_texts.emplace_back(param.name, std::move(text));
      if (param.range && value) check_range(param, *type, *value, scope.context);
      scope.param_types[param.name] = *type;
      scope.params[param.name] = value ? *value : unknown_reason("the parameter has no value");
    }
  }

  std::optional<Value> constant(const Expression& expression, const Type& type, const Param& param,
                                const std::string& context) {
    const CheckScope empty{.context = context};
    const PlanPtr plan = check_expression(expression, empty, diagnostics_);
    if (!plan) return {};
    const bool fits = type.numeric()
                          ? plan->type.numeric() && (plan->type.dimension == type.dimension || is_zero_literal(*plan))
                          : plan->type.kind == type.kind;
    if (!fits) {
      wrong("K210", expression, "parameter '" + param.name + "' is " + describe(type),
            "this is " + describe(plan->type), context);
      return {};
    }
    return fold(*plan);
  }

  static bool is_zero_literal(const Plan& plan) {
    const auto* range = plan.constant.as<Range>();
    return plan.op == PlanOp::constant && range && range->low == Number(0) && range->exact();
  }

  /// The value of a plan that refers to nothing: literals, lists of them, and arithmetic.
  static Value fold(const Plan& plan) {
    const FactStore no_facts;
    const RunContext run(no_facts);
    const Library library;
    const std::vector<PlanPtr> lets;
    SubjectFacts nothing(run, Subject{}, 0);
    return Evaluator(run, library, lets, nothing).eval(plan);
  }

  void check_range(const Param& param, const Type& type, const Value& value, const std::string& context) {
    const auto low = constant(param.range->first, type, param, context);
    const auto high = constant(param.range->second, type, param, context);
    if (!low || !high) return;
    const auto* v = value.as<Range>();
    const auto* a = low->as<Range>();
    const auto* b = high->as<Range>();
    if (v && a && b && (v->low < a->low || v->high > b->high)) {
      Diagnostic error = make_error("K210", param.name_span, "parameter '" + param.name + "' is outside its range");
      error.context = context;
      diagnostics_.push_back(std::move(error));
    }
  }

  CheckedTemplate check_template(const Template& source, const CheckScope& scope) {
    CheckedTemplate out;
    for (const Template::Piece& piece : source.pieces) {
      if (!piece.hole) {
        out.pieces.push_back({piece.literal, nullptr});
        continue;
      }
      PlanPtr plan = check_expression(*piece.hole, scope, diagnostics_);
      if (plan && (plan->type.is(Kind::table) || plan->type.is(Kind::series))) {
        wrong("K201", *piece.hole, "a text shows single values", describe(plan->type), scope.context,
              "count(...), sum(...), argmax(...) make one");
        plan = nullptr;
      }
      if (plan) out.pieces.push_back({"", std::move(plan)});
    }
    return out;
  }

  void lint_unused(const Rule& rule, const std::vector<std::string>& used, const std::string& context) {
    const std::set<std::string> names(used.begin(), used.end());
    const auto warn = [&](const Span& span, std::string title) {
      Diagnostic warning = make_warning("K401", span, std::move(title));
      warning.context = context;
      out_.warnings.push_back(std::move(warning));
    };
    for (const NamedExpression& let : rule.let)
      if (!names.count(let.name)) warn(let.name_span, "let '" + let.name + "' is never used");
    for (const Param& param : rule.params)
      if (!names.count("$" + param.name)) warn(param.name_span, "parameter '" + param.name + "' is never used");
  }

  LoadedRules& out_;
  const std::vector<ParamSetting>& settings_;
  Diagnostics& diagnostics_;
};

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

/// Every expression that a rule evaluates when it judges; those of its lets are parts of these.
template <class Use>
void for_each_plan(const CheckedRule& rule, Use use) {
  for (const PlanPtr& plan : {rule.applies, rule.when, rule.impact, rule.gain, rule.confidence, rule.location})
    use(plan);
  for (const auto& [severity, condition] : rule.severity) use(condition);
  for (const auto& [name, plan] : rule.evidence) use(plan);
  for (const auto& [condition, reason] : rule.except) use(condition);
  const auto holes = [&](const CheckedTemplate& text) {
    for (const CheckedTemplate::Piece& piece : text.pieces) use(piece.hole);
  };
  holes(rule.title);
  holes(rule.message);
  for (const CheckedRecommendation& advice : rule.recommend) {
    holes(advice.text);
    use(advice.condition);
  }
}

void share_expressions(LoadedRules& loaded) {
  ExpressionNumbering numbering(loaded.library.defines);
  for (const CheckedRule& rule : loaded.rules) {
    for_each_plan(rule, [&](const PlanPtr& plan) { numbering.add(plan, rule.lets); });
    numbering.next_rule();
  }
  loaded.library.shared = std::move(numbering).finish();
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

  std::vector<const Define*> defines;
  for (const auto& file : loaded->files)
    for (const Define& define : file->defines) defines.push_back(&define);
  checker.check_defines(defines);

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
  share_expressions(*loaded);
  return std::shared_ptr<const LoadedRules>(std::move(loaded));
}

PlanPtr check_query(const Expression& expression, const LoadedRules& rules, Diagnostics& diagnostics) {
  const CheckScope scope{.subject = SubjectKind::run,
                         .query = true,
                         .params = {},
                         .param_types = {},
                         .lets = {},
                         .defines = rules.defines,
                         .context = {}};
  return check_expression(expression, scope, diagnostics);
}

}  // namespace kdiag
