// SPDX-License-Identifier: Apache-2.0
#include "engine/join.hpp"

#include <algorithm>
#include <limits>

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Indices = std::vector<std::uint32_t>;

CompareOp mirrored(CompareOp op) {
  switch (op) {
    case CompareOp::less: return CompareOp::greater;
    case CompareOp::less_equal: return CompareOp::greater_equal;
    case CompareOp::greater: return CompareOp::less;
    case CompareOp::greater_equal: return CompareOp::less_equal;
    default: return op;
  }
}

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

JoinOrder::JoinOrder(const RowValues& values) {
  const auto add = [this](std::int64_t value, bool known, std::size_t place) {
    if (known) sorted_.emplace_back(value, static_cast<std::uint32_t>(place));
    else unknown_.push_back(static_cast<std::uint32_t>(place));
  };
  if (const auto* integers = std::get_if<Integers>(&values.data)) {
    for (std::size_t i = 0; i < integers->size(); ++i) add((*integers)[i], (*integers)[i] != absent_integer, i);
  } else if (const auto* ids = std::get_if<Indices>(&values.data)) {
    for (std::size_t i = 0; i < ids->size(); ++i) add((*ids)[i], (*ids)[i] != absent_index, i);
  } else return;
  usable_ = true;
  std::sort(sorted_.begin(), sorted_.end());
}

std::vector<std::uint32_t> JoinOrder::find(std::int64_t low, std::int64_t high) const {
  std::vector<std::uint32_t> out = unknown_;
  const auto first = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(low, std::uint32_t{0}));
  for (auto at = first; at != sorted_.end() && at->first <= high; ++at) out.push_back(at->second);
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<std::int64_t> join_value(const RowValues& values) {
  if (const auto* integers = std::get_if<Integers>(&values.data)) {
    if (integers->front() != absent_integer) return integers->front();
  } else if (const auto* ids = std::get_if<Indices>(&values.data)) {
    if (ids->front() != absent_index) return ids->front();
  }
  return {};
}

}  // namespace kdiag
