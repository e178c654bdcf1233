// SPDX-License-Identifier: Apache-2.0
#include "engine/language/join_bounds.hpp"

namespace kdiag {
namespace {

bool of_the_row(const Plan& plan) { return plan.per_row && plan.outer.empty(); }
bool of_rows_around(const Plan& plan) { return !plan.per_row && !plan.outer.empty(); }

void collect(const Plan& condition, std::vector<JoinBound>& out) {
  if (condition.op == PlanOp::logic_and)
    for (const PlanPtr& part : condition.args) collect(*part, out);
  if (condition.op != PlanOp::compare || condition.across_clocks || condition.compare == CompareOp::not_equal) return;
  const Plan& left = *condition.args[0];
  const Plan& right = *condition.args[1];
  if (of_the_row(left) && of_rows_around(right)) out.push_back({&left, &right, condition.compare});
  if (of_the_row(right) && of_rows_around(left)) out.push_back({&right, &left, mirrored(condition.compare)});
}

bool same_column(const Plan& a, const Plan& b) {
  return a.op == PlanOp::column && b.op == PlanOp::column && a.slot == b.slot;
}

}  // namespace

std::vector<JoinBound> join_bounds(const Plan& condition) {
  std::vector<JoinBound> found;
  collect(condition, found);
  for (const JoinBound& bound : found)
    if (bound.op == CompareOp::equal) return {bound};
  std::vector<JoinBound> out;
  for (const JoinBound& bound : found)
    if (out.empty() || same_column(*out.front().inner, *bound.inner)) out.push_back(bound);
  return out;
}

}  // namespace kdiag
