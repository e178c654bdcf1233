// SPDX-License-Identifier: Apache-2.0
// Operators on single values: arithmetic, comparisons, logic, conditions and lists.
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "base/regex.hpp"
#include "engine/eval/eval.hpp"

namespace kdiag {

TimeRange combine(const TimeRange& a, const TimeRange& b, PlanOp op) {
  const auto apply = [op](const IntervalSet& x, const IntervalSet& y) {
    return op == PlanOp::intersect ? (x & y) : op == PlanOp::unite ? (x | y) : (x - y);
  };
  if (a.exact() && b.exact()) return TimeRange::of(apply(*a.low, *b.low));
  const bool less = op == PlanOp::subtract;  // what is surely left is outside of all that may be taken away
  return {std::make_shared<const IntervalSet>(apply(*a.low, less ? *b.high : *b.low)),
          std::make_shared<const IntervalSet>(apply(*a.high, less ? *b.low : *b.high))};
}

Value Evaluator::eval_arithmetic(const Plan& plan) {
  std::array<Value, 2> args;
  Causes causes;
  for (std::size_t i = 0; i < plan.args.size(); ++i) {
    args[i] = eval(*plan.args[i]);
    merge_causes(causes, args[i].causes());
  }
  Value out;
  if (!causes.empty() || !args[0].known() || (plan.args.size() > 1 && !args[1].known())) {
    out = unknown(std::move(causes));
  } else if (const auto* a = args[0].as<TimeRange>()) {
    out.data = combine(*a, *args[1].as<TimeRange>(), plan.op);
  } else {
    const Range x = *args[0].as<Range>();
    const Range y = plan.args.size() > 1 ? *args[1].as<Range>() : Range{};
    switch (plan.op) {
      case PlanOp::negate: out = of(Range{-x.high, -x.low}); break;
      case PlanOp::add: out = of(add(x, y)); break;
      case PlanOp::subtract: out = of(subtract(x, y)); break;
      case PlanOp::multiply: out = of(multiply(x, y, plan.scale)); break;
      default:
        if (const auto quotient = divide(x, y, plan.scale)) out = of(*quotient);
        else out = unknown_reason(y.exact() ? "division by zero" : "the divisor may be zero");
    }
    if (const auto* r = out.as<Range>(); r && (r->low.is_nan() || r->high.is_nan()))
      out = unknown_reason("not a number");
    if (const auto* r = out.as<Range>(); r && plan.type.is_time() && r->low.finite() && r->high.finite() &&
                                         !r->low.exact() &&
                                         (std::abs(r->low.real()) > 9.2e18 || std::abs(r->high.real()) > 9.2e18))
      out = unknown_reason("time overflow");
  }
  inherit(out, args[0]);
  if (plan.args.size() > 1) inherit(out, args[1]);
  return out;
}

namespace {

/// Equality of single values that are not numbers.
bool same(const Value& a, const Value& b) {
  if (const auto* x = a.as<std::string>()) return b.as<std::string>() && *x == *b.as<std::string>();
  if (const auto* x = a.as<bool>()) return b.as<bool>() && *x == *b.as<bool>();
  if (const auto* x = a.as<RowRef>()) return b.as<RowRef>() && *x == *b.as<RowRef>();
  return false;
}

std::uint8_t compare_values(const Value& a, const Value& b, CompareOp op) {
  const auto* x = a.as<Range>();
  const auto* y = b.as<Range>();
  if (x && y) return compare(*x, *y, op);
  const bool equal = same(a, b);
  return (op == CompareOp::equal) == equal ? tri_true : tri_false;
}

Value tri_value(std::uint8_t tri, Causes causes) {
  return tri == tri_unknown ? unknown(std::move(causes)) : of(tri == tri_true);
}

}  // namespace

Value Evaluator::eval_compare(const Plan& plan) {
  const Value a = eval(*plan.args[0]);
  const Value b = eval(*plan.args[1]);
  Causes causes = a.causes();
  merge_causes(causes, b.causes());
  Value out = a.known() && b.known() ? tri_value(compare_values(a, b, plan.compare), doubts_of({&a, &b}))
                                     : unknown(std::move(causes));
  inherit(out, a);
  inherit(out, b);
  return out;
}

Value Evaluator::eval_in(const Plan& plan) {
  const Value item = eval(*plan.args[0]);
  const Value list = eval(*plan.args[1]);
  if (!item.known()) return item;
  if (!list.known()) return list;
  std::uint8_t result = tri_false;
  Causes causes;
  for (const Value& member : *list.as<List>()) {
    const std::uint8_t equal = member.known() ? compare_values(item, member, CompareOp::equal) : tri_unknown;
    if (equal == tri_unknown) merge_causes(causes, member.known() ? doubts_of({&item, &member}) : member.causes());
    if (equal == tri_true) result = tri_true;
    else if (equal == tri_unknown && result == tri_false) result = tri_unknown;
    if (result == tri_true) break;
  }
  if (plan.negated && result != tri_unknown) result = result == tri_true ? tri_false : tri_true;
  Value out = tri_value(result, std::move(causes));
  inherit(out, item);
  inherit(out, list);
  return out;
}

Value Evaluator::eval_match(const Plan& plan) {
  Value subject = eval(*plan.args[0]);
  const auto* text = subject.as<std::string>();
  if (text == nullptr) return subject;
  Value out = of(plan.regex->found_in(*text) != plan.negated);
  inherit(out, subject);
  return out;
}

Value Evaluator::eval_logic(const Plan& plan) {
  if (plan.op == PlanOp::logic_not) {
    Value operand = eval(*plan.args[0]);
    if (const auto* b = operand.as<bool>()) operand.data = !*b;
    return operand;
  }
  const bool absorbing = plan.op == PlanOp::logic_or;  // true decides an `or`, false an `and`
  Causes causes;
  bool unknown_seen = false;
  Value out;
  for (const PlanPtr& arg : plan.args) {
    const Value value = eval(*arg);
    if (const auto* b = value.as<bool>()) {
      if (*b == absorbing) {
        // What decided it is this operand alone: its coverage, its columns.
        Value decided = of(absorbing);
        inherit(decided, value);
        return decided;
      }
    } else {
      unknown_seen = true;
      merge_causes(causes, value.causes());
    }
    inherit(out, value);
  }
  if (unknown_seen) out.data = Unknown{std::move(causes)};
  else out.data = !absorbing;
  return out;
}

Value Evaluator::eval_if(const Plan& plan) {
  const Value condition = eval(*plan.args[0]);
  const auto* b = condition.as<bool>();
  if (b == nullptr) return condition;
  Value out = eval(*plan.args[*b ? 1 : 2]);
  inherit(out, condition);
  return out;
}

Value Evaluator::eval_list(const Plan& plan) {
  Value out;
  List items;
  for (const PlanPtr& arg : plan.args) {
    items.push_back(eval(*arg));
    inherit(out, items.back());
  }
  out.data = std::move(items);
  return out;
}

}  // namespace kdiag
