// SPDX-License-Identifier: Apache-2.0
#include "engine/language/join_bounds.hpp"

#include <algorithm>

namespace kdiag {
namespace {

bool of_the_row(const Plan& plan) { return plan.per_row && plan.outer.empty(); }
bool of_rows_around(const Plan& plan) { return !plan.per_row && !plan.outer.empty(); }

std::optional<JoinBound> bound_of(const Plan& part) {
  if (part.op != PlanOp::compare || part.across_clocks || part.compare == CompareOp::not_equal) return {};
  const PlanPtr& left = part.args[0];
  const PlanPtr& right = part.args[1];
  if (of_the_row(*left) && of_rows_around(*right)) return JoinBound{left.get(), right, part.compare};
  if (of_the_row(*right) && of_rows_around(*left)) return JoinBound{right.get(), left, mirrored(part.compare)};
  return {};
}

/// Calls `take` for each part that `and` joins.
template <class Take>
void for_each_part(const Plan& condition, const Take& take) {
  if (condition.op != PlanOp::logic_and) take(condition);
  else
    for (const PlanPtr& part : condition.args) for_each_part(*part, take);
}

bool same_column(const Plan& a, const Plan& b) {
  return a.op == PlanOp::column && b.op == PlanOp::column && a.slot == b.slot;
}

}  // namespace

std::vector<JoinBound> join_bounds(const Plan& condition) {
  std::vector<JoinBound> found;
  for_each_part(condition, [&](const Plan& part) {
    if (const auto bound = bound_of(part)) found.push_back(*bound);
  });
  for (const JoinBound& bound : found)
    if (bound.op == CompareOp::equal) return {bound};
  std::vector<JoinBound> out;
  for (const JoinBound& bound : found)
    if (out.empty() || same_column(*out.front().inner, *bound.inner)) out.push_back(bound);
  return out;
}

std::optional<JoinParts> join_parts(const Plan& condition) {
  JoinParts out;
  bool all = true;
  for_each_part(condition, [&](const Plan& part) {
    if (const auto bound = bound_of(part)) out.bounds.push_back(*bound);
    else if (of_the_row(part)) out.own.push_back(&part);
    else all = false;
  });
  if (!all || out.bounds.empty()) return {};
  return out;
}

PlanPtr of_current_row(const PlanPtr& value, std::uint32_t slot) {
  if (std::find(value->outer.begin(), value->outer.end(), slot) == value->outer.end()) return value;
  switch (value->op) {
    case PlanOp::outer_row:
    case PlanOp::member:
    case PlanOp::negate:
    case PlanOp::add:
    case PlanOp::subtract:
    case PlanOp::multiply:
    case PlanOp::divide: break;
    default: return nullptr;
  }
  auto out = std::make_shared<Plan>(*value);
  if (out->op == PlanOp::outer_row) out->op = PlanOp::row;
  out->per_row = true;
  std::erase(out->outer, slot);
  for (PlanPtr& arg : out->args) {
    arg = of_current_row(arg, slot);
    if (!arg) return nullptr;
  }
  return out;
}

}  // namespace kdiag
