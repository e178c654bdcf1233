// SPDX-License-Identifier: Apache-2.0
#include "engine/checking/check.hpp"

#include <algorithm>
#include <iterator>

#include <kdiag/error_ids.hpp>

#include "base/edit_distance.hpp"
#include "base/regex.hpp"
#include "engine/checking/checker.hpp"
#include "engine/checking/type_advice.hpp"
#include "engine/language/cause_reasons.hpp"
#include "engine/language/dimension_product.hpp"

namespace kdiag {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

/// A reference that is compared with a number means its row's id (or index); empty where rows have none.
std::string_view key_column(const Type& reference) { return info(reference.table).traits.key; }

}  // namespace

bool is_zero(const PlanPtr& plan) {
  const auto* range = plan->op == PlanOp::constant ? plan->constant.as<Range>() : nullptr;
  return range && plan->type.dimension.plain() && range->low == Number(0) && range->exact();
}

bool converts_to_claim(const Type& type) {
  return type.is(Kind::claim) || type.is(Kind::intervals) || type.is_time() || type.is(Kind::list);
}

std::optional<Type> common_type(const PlanPtr& a, const PlanPtr& b) {
  if (a->type.numeric() && b->type.numeric()) {
    if (is_zero(a)) return b->type;
    if (is_zero(b)) return a->type;
    if (a->type.dimension == b->type.dimension) return a->type.dimension.ratio ? a->type : b->type;
    return {};
  }
  if (a->type.kind == b->type.kind) {
    if ((a->type.is(Kind::table) || a->type.is(Kind::reference)) &&
        (a->type.table != b->type.table || a->type.schema != b->type.schema))
      return {};
    if (a->type.is(Kind::series) && !(a->type.dimension == b->type.dimension)) return {};
    return a->type;
  }
  if (converts_to_claim(a->type) && converts_to_claim(b->type)) return types::claim();
  return {};
}

std::vector<std::string_view> column_names(const Type& table) {
  std::vector<std::string_view> names;
  if (table.schema) {
    for (const auto& [name, type] : table.schema->columns) names.push_back(name);
    return names;
  }
  const ColumnRange range = columns_of(table.table);
  for (std::uint16_t c = range.first; c < range.first + range.count; ++c)
    if (!catalogue_columns[c].traits.transient) names.push_back(catalogue_columns[c].name);
  return names;
}

std::nullptr_t Checker::error(std::string_view id, std::string title, TextRange range, std::string label,
                              std::string help) {
  Diagnostic diagnostic{.id = std::string(id),
                        .level = Level::error,
                        .title = std::move(title),
                        .labels = {},
                        .note = {},
                        .help = std::move(help),
                        .context = scope_.context};
  diagnostic.labels.push_back({text_.span(range), std::move(label)});
  diagnostics_.push_back(std::move(diagnostic));
  return nullptr;
}

void Checker::add_label(TextRange range, std::string label) {
  diagnostics_.back().labels.push_back({text_.span(range), std::move(label)});
}

std::shared_ptr<Plan> Checker::plan(PlanOp op, Type type, TextRange range, std::vector<PlanPtr> args) {
  auto out = std::make_shared<Plan>();
  out->op = op;
  out->type = std::move(type);
  out->range = range;
  out->text = &text_;
  out->per_row = std::any_of(args.begin(), args.end(), [](const PlanPtr& arg) { return arg->per_row; });
  for (const PlanPtr& arg : args) {
    if (arg->outer.empty()) continue;
    std::vector<std::uint32_t> both;
    std::set_union(out->outer.begin(), out->outer.end(), arg->outer.begin(), arg->outer.end(),
                   std::back_inserter(both));
    out->outer = std::move(both);
  }
  out->args = std::move(args);
  return out;
}

PlanPtr Checker::constant(Value value, Type type, TextRange range) {
  auto out = plan(PlanOp::constant, std::move(type), range);
  out->constant = std::move(value);
  return out;
}

PlanPtr Checker::check(const ExprPtr& expr, const RowScope* row) {
  PlanPtr out = check_part(expr, row);
  if (!out || row == nullptr || row->alias.empty() || out->per_row) return out;
  if (std::find(out->outer.begin(), out->outer.end(), row->slot) == out->outer.end()) return out;
  const Type& type = out->type;
  const bool single = type.numeric() || type.is(Kind::boolean) || type.is(Kind::text) || type.is(Kind::reference);
  if (!single) return out;  // a table or a set of time: what is made of it is one value for each row
  auto each = plan(PlanOp::each_row, type, expr->range, {out});
  each->slot = row->slot;
  each->per_row = true;
  std::erase(each->outer, row->slot);
  return each;
}

PlanPtr Checker::try_check(const ExprPtr& expr, const RowScope* row) {
  Diagnostics dropped;
  return Checker(text_, scope_, dropped, *this).check(expr, row);
}

PlanPtr Checker::check_part(const ExprPtr& expr, const RowScope* row) {
  if (++whole_.parts > most_expanded_parts) return nullptr;
  const TextRange range = expr->range;
  return std::visit(
      Overloaded{
          [&](const NumberLiteral& n) -> PlanPtr { return constant(of(n.value), types::number(n.dimension), range); },
          [&](const StringLiteral& s) -> PlanPtr { return constant(of(s.value), types::text(), range); },
          [&](const BoolLiteral& b) -> PlanPtr { return constant(of(b.value), types::boolean(), range); },
          [&](const RegexLiteral& regex) { return check_regex(regex, range); },
          [&](const ParamRef& p) -> PlanPtr {
            const auto found = scope_.params.find(p.name);
            if (found != scope_.params.end()) {
              if (scope_.used) scope_.used->params.insert(p.name);
              const Type& type = scope_.param_types.find(p.name)->second;
              return type.is(Kind::nothing) ? nullptr : constant(found->second, type, range);
            }
            std::vector<std::string_view> names;
            for (const auto& [name, value] : scope_.params) names.push_back(name);
            const bool plain = scope_.arguments.count(p.name) > 0 || scope_.lets.contains(p.name);
            return error(error_id::unknown_param, "unknown parameter '$" + p.name + "'", range,
                         did_you_mean(p.name, names),
                         plain           ? "only parameters of rules have a dollar sign: write " + p.name
                         : names.empty() ? "declare it under `params:`"
                                         : "");
          },
          [&](const NameRef& name) { return check_name(*expr, name, row); },
          [&](const Member& member) { return check_member(*expr, member, row); },
          [&](const Call& call) { return check_call(*expr, call, row); },
          [&](const ListLiteral& list) -> PlanPtr {
            std::vector<PlanPtr> items;
            for (const ExprPtr& item : list.items) {
              items.push_back(check(item, row));
              if (!items.back()) return nullptr;
              if (!common_type(items.front(), items.back()))
                return error(error_id::mixed_types, "the items of a list must be of one type", item->range,
                             describe(items.back()->type), "the first item is " + describe(items.front()->type));
            }
            return plan(PlanOp::list, types::list(), range, std::move(items));
          },
          [&](const Negate& negate) -> PlanPtr {
            PlanPtr operand = check(negate.operand, row);
            if (!operand) return nullptr;
            if (!operand->type.numeric() || operand->type.dimension.is_instant())
              return error(error_id::mixed_types, "only numbers can be negated", negate.operand->range,
                           describe(operand->type));
            const Type type = operand->type;
            return plan(PlanOp::negate, type, range, {operand});
          },
          [&](const Not& negation) { return check_logic(*expr, {negation.operand}, PlanOp::logic_not, row); },
          [&](const And& conjunction) { return check_logic(*expr, conjunction.operands, PlanOp::logic_and, row); },
          [&](const Or& disjunction) { return check_logic(*expr, disjunction.operands, PlanOp::logic_or, row); },
          [&](const Binary& binary) { return check_binary(*expr, binary, row); },
          [&](const Compare& compare) { return check_compare(*expr, compare, row); },
          [&](const In& in) { return check_in(*expr, in, row); },
          [&](const Match& match) { return check_match(*expr, match, row); },
          [&](const If& conditional) { return check_if(*expr, conditional, row); },
          [&](const Is& is) { return check_is(*expr, is, row); },
          [&](const Where& where) { return check_where(*expr, where, row); },
          [&](const Group& group) { return check_group(*expr, group, row); },
          [&](const Select& select) { return check_select(*expr, select, row); },
          [&](const During& during) { return check_during(*expr, during, row); },
          [&](const As& as) { return check_as(*expr, as, row); },
      },
      expr->node);
}

// --- Operators ------------------------------------------------------------------------------------------------------

PlanPtr Checker::check_binary(const Expr& expr, const Binary& binary, const RowScope* row) {
  const PlanPtr left = check(binary.left, row);
  const PlanPtr right = check(binary.right, row);
  if (!left || !right) return nullptr;
  const auto mismatch = [&](std::string title, std::string help = {}) {
    error(error_id::mixed_types, std::move(title), binary.right->range, describe(right->type), std::move(help));
    add_label(binary.left->range, describe(left->type));
    return nullptr;
  };
  if (left->type.is(Kind::intervals) || right->type.is(Kind::intervals)) {
    const bool of_sets =
        binary.op == BinaryOp::intersect || binary.op == BinaryOp::unite || binary.op == BinaryOp::subtract;
    if (!of_sets) return mismatch("sets of intervals have only & | and -", std::string(advice_on(types::intervals())));
    if (!left->type.is(Kind::intervals) || !right->type.is(Kind::intervals))
      return mismatch("both sides must be sets of intervals", left->type.numeric() || right->type.numeric()
                                                                  ? std::string(advice_on(types::intervals()))
                                                                  : "spans(table) makes one");
    switch (binary.op) {
      case BinaryOp::intersect: return plan(PlanOp::intersect, types::intervals(), expr.range, {left, right});
      case BinaryOp::unite: return plan(PlanOp::unite, types::intervals(), expr.range, {left, right});
      default: return plan(PlanOp::subtract, types::intervals(), expr.range, {left, right});
    }
  }
  if (binary.op == BinaryOp::intersect || binary.op == BinaryOp::unite)
    return mismatch(std::string("`") + (binary.op == BinaryOp::intersect ? "&" : "|") + "` combines sets of intervals",
                    "conditions are combined by `and` and `or`");
  if (!left->type.numeric() || !right->type.numeric()) return mismatch("arithmetic needs numbers");
  const Dimension a = left->type.dimension;
  const Dimension b = right->type.dimension;
  if (a.is_instant() || b.is_instant()) {
    // A point in time moves by a duration, and two of them are a duration apart; nothing else makes sense.
    const bool moves = binary.op == BinaryOp::add ? a.is_instant() != b.is_instant() && (a.is_time() || b.is_time())
                                                  : binary.op == BinaryOp::subtract && a.is_instant() && b.is_time();
    if (moves)
      return plan(binary.op == BinaryOp::add ? PlanOp::add : PlanOp::subtract,
                  a.is_instant() ? left->type : right->type, expr.range, {left, right});
    if (binary.op != BinaryOp::subtract || !a.is_instant() || !b.is_instant())
      return mismatch("an instant can only be moved by a time, or subtracted from another instant",
                      "`start - run.start` is the time since the run began");
    auto apart = plan(PlanOp::subtract, types::number(dimensions::time), expr.range, {left, right});
    apart->across_clocks = a.clock != b.clock;
    return apart;
  }
  if (binary.op == BinaryOp::add || binary.op == BinaryOp::subtract) {
    const auto type = common_type(left, right);
    const char* verb = binary.op == BinaryOp::add ? "add " : "subtract ";
    if (!type) {
      if (binary.op == BinaryOp::add)
        return mismatch("cannot add " + describe(right->type) + " to " + describe(left->type));
      return mismatch("cannot " + std::string(verb) + describe(right->type) + " from " + describe(left->type));
    }
    return plan(binary.op == BinaryOp::add ? PlanOp::add : PlanOp::subtract, *type, expr.range, {left, right});
  }
  if (a.temperature || b.temperature) return mismatch("temperatures can only be compared, added and subtracted");
  const DerivedDimension derived = combine(a, b, binary.op == BinaryOp::multiply ? 1 : -1);
  auto out = plan(binary.op == BinaryOp::multiply ? PlanOp::multiply : PlanOp::divide, types::number(derived.dimension),
                  expr.range, {left, right});
  out->scale = derived.scale;
  return out;
}

bool Checker::comparable(const PlanPtr& a, const PlanPtr& b, CompareOp op) const {
  const bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (a->type.numeric() && b->type.numeric()) return common_type(a, b).has_value();
  if (a->type.is(Kind::text) && b->type.is(Kind::text)) return equality;
  if (a->type.is(Kind::boolean) && b->type.is(Kind::boolean)) return equality;
  if (a->type.is(Kind::reference) && b->type.is(Kind::reference)) return equality && a->type.table == b->type.table;
  const auto reference_and_id = [&](const PlanPtr& reference, const PlanPtr& number) {
    if (!reference->type.is(Kind::reference) || !number->type.numeric() || !number->type.dimension.plain())
      return false;
    return !key_column(reference->type).empty();
  };
  return reference_and_id(a, b) || reference_and_id(b, a);
}

PlanPtr Checker::check_compare(const Expr& expr, const Compare& compare, const RowScope* row) {
  PlanPtr left = check(compare.left, row);
  PlanPtr right = check(compare.right, row);
  if (!left || !right) return nullptr;
  if (!comparable(left, right, compare.op)) {
    std::string help;
    if (left->type.is(Kind::reference) && right->type.is(Kind::text))
      help = advice_on_row(
          text_.text.substr(compare.left->range.begin, compare.left->range.end - compare.left->range.begin), left->type,
          *right);
    else if (left->type.is(Kind::text) && right->type.is(Kind::text))
      help = "texts have no order; use ==, !=, in or =~";
    else if (left->type.numeric() && right->type.numeric() &&
             (left->type.dimension.is_instant() || right->type.dimension.is_instant()))
      help = "an instant is no duration: `start - run.start` is the time since the run began";
    else if (left->type.numeric() && right->type.numeric() && right->type.dimension.plain())
      help = "give it a unit, such as 10us, 60 % as 60%, 4KiB or 1.2GHz";
    else help = advice_on(left->type.numeric() ? right->type : left->type);
    error(error_id::mixed_comparison, "cannot compare " + describe(left->type) + " with " + describe(right->type),
          compare.right->range, describe(right->type), help);
    add_label(compare.left->range, describe(left->type));
    return nullptr;
  }
  if (left->type.is(Kind::reference) && right->type.numeric())
    left = member_of(left, key_column(left->type), compare.left->range, compare.left->range);
  if (right->type.is(Kind::reference) && left->type.numeric())
    right = member_of(right, key_column(right->type), compare.right->range, compare.right->range);
  if (!left || !right) return nullptr;
  auto out = plan(PlanOp::compare, types::boolean(), expr.range, {left, right});
  out->compare = compare.op;
  const auto clock = [](const PlanPtr& side) {
    return side->type.numeric() ? side->type.dimension.clock : Clock::none;
  };
  out->across_clocks = clock(left) != clock(right) && clock(left) != Clock::none && clock(right) != Clock::none;
  return out;
}

PlanPtr Checker::check_in(const Expr& expr, const In& in, const RowScope* row) {
  PlanPtr item = check(in.item, row);
  const PlanPtr collection = check(in.collection, row);
  if (!item || !collection) return nullptr;
  if (!collection->type.is(Kind::list))
    return error(error_id::wrong_type, "`in` needs a list on its right", in.collection->range,
                 describe(collection->type), "write it as [\"a\", \"b\"]");
  if (collection->op == PlanOp::list)
    for (const PlanPtr& member : collection->args)
      if (!comparable(item, member, CompareOp::equal)) {
        error(error_id::mixed_comparison, "cannot compare " + describe(item->type) + " with " + describe(member->type),
              member->range, describe(member->type));
        add_label(in.item->range, describe(item->type));
        return nullptr;
      }
  if (item->type.is(Kind::reference)) item = member_of(item, key_column(item->type), in.item->range, in.item->range);
  auto out = plan(PlanOp::in, types::boolean(), expr.range, {item, collection});
  out->negated = in.negated;
  return out;
}

PlanPtr Checker::check_regex(const RegexLiteral& literal, TextRange range) {
  std::string why;
  RegexPtr regex = scope_.proven ? std::make_shared<const Regex>(literal.pattern, literal.ignore_case)
                                 : compile_regex(literal.pattern, literal.ignore_case, why);
  if (regex) return constant(of(std::move(regex)), types::regex(), range);
  const bool bracket = why.starts_with("missing )") || why.starts_with("unexpected )") || why.starts_with("missing ]");
  return error(error_id::invalid_regex, "invalid regular expression: " + why, range, {},
               bracket ? "a bracket that stands for itself is written with a backslash: \\( \\) \\["
                       : "RE2 syntax; back-references and look-around do not exist there");
}

PlanPtr Checker::check_match(const Expr& expr, const Match& match, const RowScope* row) {
  const PlanPtr subject = check(match.subject, row);
  const PlanPtr pattern = check(match.pattern, row);
  if (!subject || !pattern) return nullptr;
  if (!subject->type.is(Kind::text)) {
    const std::string help = subject->type.is(Kind::reference) ? "match its name: `.name`" : "";
    return error(error_id::wrong_type, "only text can be matched", match.subject->range, describe(subject->type), help);
  }
  if (!pattern->type.is(Kind::regex))
    return error(error_id::wrong_type, "only a parameter of type regex can be matched with", match.pattern->range,
                 describe(pattern->type), "declare it with `type: regex` and `default: /pattern/`");
  const auto* regex = pattern->constant.as<RegexPtr>();
  if (regex == nullptr) return constant(pattern->constant, types::boolean(), expr.range);  // it has no value
  auto out = plan(PlanOp::match, types::boolean(), expr.range, {subject});
  out->regex = *regex;
  out->negated = match.negated;
  return out;
}

PlanPtr Checker::check_logic(const Expr& expr, const std::vector<ExprPtr>& operands, PlanOp op, const RowScope* row) {
  std::vector<PlanPtr> args;
  args.reserve(operands.size());
  bool good = true;
  for (const ExprPtr& operand : operands) {
    PlanPtr arg = check(operand, row);
    if (arg && !arg->type.is(Kind::boolean)) {
      error(error_id::wrong_type,
            std::string("`") +
                (op == PlanOp::logic_not   ? "not"
                 : op == PlanOp::logic_and ? "and"
                                           : "or") +
                "` needs conditions",
            operand->range, describe(arg->type));
      arg = nullptr;
    }
    good = good && arg;
    args.push_back(std::move(arg));
  }
  return good ? PlanPtr(plan(op, types::boolean(), expr.range, std::move(args))) : nullptr;
}

PlanPtr Checker::check_if(const Expr& expr, const If& conditional, const RowScope* row) {
  const PlanPtr condition = check(conditional.condition, row);
  const PlanPtr then = check(conditional.then, row);
  const PlanPtr otherwise = conditional.otherwise ? check(conditional.otherwise, row)
                            : then ? constant(unknown_reason(std::string(condition_fails)), then->type, expr.range)
                                   : nullptr;
  if (!condition || !then || !otherwise) return nullptr;
  if (!condition->type.is(Kind::boolean))
    return error(error_id::wrong_type, "`if` needs a condition", conditional.condition->range,
                 describe(condition->type));
  const auto type = common_type(then, otherwise);
  if (!type) {
    error(error_id::mixed_types, "both branches must be of one type", conditional.otherwise->range,
          describe(otherwise->type));
    add_label(conditional.then->range, describe(then->type));
    return nullptr;
  }
  return plan(PlanOp::conditional, *type, expr.range, {condition, then, otherwise});
}

/// As the functions `defined` and `default`, which say the same of a value.
PlanPtr Checker::check_is(const Expr& expr, const Is& is, const RowScope* row) {
  const PlanPtr operand = check(is.operand, row);
  if (!operand) return nullptr;
  const auto call = [&](std::string_view function, std::vector<PlanPtr> args) {
    return call_plan(*find_function(function), types::boolean(), expr.range, std::move(args));
  };
  PlanPtr answer;
  bool negated = is.negated;
  if (is.state == IsState::known) {
    answer = call("defined", {operand});
  } else {
    if (!operand->type.is(Kind::boolean))
      return error(error_id::wrong_type, "`is true` and `is false` need a condition", is.operand->range,
                   describe(operand->type));
    const bool is_false = is.state == IsState::is_false;
    answer = call("default", {operand, constant(of(is_false), types::boolean(), expr.range)});
    negated = negated != is_false;
  }
  return negated ? plan(PlanOp::logic_not, types::boolean(), expr.range, {answer}) : answer;
}

// --- Entry points ---------------------------------------------------------------------------------------------------

PlanPtr check_expression(const Expression& expression, const CheckScope& scope, Diagnostics& diagnostics) {
  if (!expression.tree) return nullptr;  // its syntax error was reported
  Checker checker(expression.text, scope, diagnostics);
  PlanPtr plan = checker.check(expression.tree, nullptr);
  if (!checker.too_large()) return plan;
  return checker.error(error_id::expression_limit, "this expression is too large once its defines are written out",
                       expression.tree->range, "more than " + std::to_string(most_expanded_parts) + " parts");
}

PlanPtr check_condition(const Expression& expression, const CheckScope& scope, std::string_view role,
                        Diagnostics& diagnostics) {
  PlanPtr plan = check_expression(expression, scope, diagnostics);
  if (plan && !plan->type.is(Kind::boolean)) {
    Checker(expression.text, scope, diagnostics)
        .error(error_id::wrong_type, "`" + std::string(role) + "` needs a condition", expression.tree->range,
               describe(plan->type));
    return nullptr;
  }
  return plan;
}

PlanPtr check_claim(const Expression& expression, const CheckScope& scope, std::string_view role,
                    Diagnostics& diagnostics) {
  PlanPtr plan = check_expression(expression, scope, diagnostics);
  if (!plan) return nullptr;
  bool good = converts_to_claim(plan->type) || is_zero(plan);
  if (plan->op == PlanOp::list)
    good = plan->args.size() == 2 && std::all_of(plan->args.begin(), plan->args.end(), [](const PlanPtr& end) {
             return end->type.is_time() || is_zero(end);
           });
  if (!good) {
    Checker(expression.text, scope, diagnostics)
        .error(error_id::wrong_claim, "`" + std::string(role) + "` needs a time, [low, high] or a set of intervals",
               expression.tree->range, describe(plan->type));
    return nullptr;
  }
  return plan;
}

}  // namespace kdiag
