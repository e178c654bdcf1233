// SPDX-License-Identifier: Apache-2.0
// Conditions on rows: comparisons, lists, patterns, and what joins them.
#include <algorithm>

#include "base/regex.hpp"
#include "engine/eval/eval.hpp"
#include "engine/eval/places.hpp"
#include "engine/eval/row_cells.hpp"
#include "engine/eval/row_values.hpp"
#include "engine/eval/text_matches.hpp"

namespace kdiag {
namespace {

using Indices = std::vector<std::uint32_t>;
using Tris = std::vector<std::uint8_t>;

RowValues compare_both(const RowValues& a, const RowValues& b, CompareOp op) {
  RowValues out{.data = compare_values(a, b, op), .causes = a.causes};
  merge_causes(out.causes, b.causes);
  return out;
}

}  // namespace

/// The values of an expression for rows, those of a column where they stand.
RowCells Evaluator::cells_of(const Plan& plan, const RowFrame& frame) {
  const ColumnId id{static_cast<std::uint16_t>(plan.slot)};
  if (plan.op != PlanOp::column || frame.table->derived || !run_.store().has(id)) return RowCells(rows_of(plan, frame));
  visit_rows(frame.size);
  return {run_.store(), id, frame.rows, frame.size};
}

/// A value with which rows can be compared; nothing when it is not known for sure.
std::optional<Scalar> Evaluator::scalar_of(const Value& value) {
  if (const auto* range = value.as<Range>()) {
    if (!range->exact() || range->low.is_nan()) return {};
    return range->low.exact() ? Scalar(range->low.integer()) : Scalar(range->low.real());
  }
  if (const auto* truth = value.as<bool>()) return static_cast<std::uint32_t>(*truth);
  if (const auto* text = value.as<std::string>()) return run_.string_id(*text);
  if (const auto* row = value.as<RowRef>(); row && row->row != absent_index) return row->row;
  return {};
}

RowValues Evaluator::compare_rows(const Plan& plan, const RowFrame& frame) {
  const Plan& left = *plan.args[0];
  const Plan& right = *plan.args[1];
  if (left.per_row == right.per_row) return compare_both(rows_of(left, frame), rows_of(right, frame), plan.compare);
  const Plan& varying = left.per_row ? left : right;
  const Plan& single = left.per_row ? right : left;
  const CompareOp op = left.per_row ? plan.compare : mirrored(plan.compare);
  const Value value = eval(single);
  if (const auto scalar = scalar_of(value)) return compare_cells(cells_of(varying, frame), op, *scalar);
  return compare_both(rows_of(varying, frame), broadcast(value, single.type, frame.size), op);
}

RowValues Evaluator::in_rows(const Plan& plan, const RowFrame& frame) {
  const Value list = eval(*plan.args[1]);
  const auto* members = list.as<List>();
  if (members == nullptr) {
    RowValues out{.data = Tris(frame.size, tri_unknown), .causes = rows_of(*plan.args[0], frame).causes};
    merge_causes(out.causes, list.causes());
    return out;
  }
  if (members->empty()) return {.data = Tris(frame.size, plan.negated ? tri_true : tri_false), .causes = {}};
  std::vector<Scalar> known;
  Causes doubts;
  for (const Value& member : *members) {
    if (const auto scalar = scalar_of(member)) known.push_back(*scalar);
    else merge_causes(doubts, member.known() ? doubts_of({&member}) : member.causes());
  }
  RowValues out = find_cells(cells_of(*plan.args[0], frame), known);
  const bool complete = known.size() == members->size();
  for (std::uint8_t& tri : std::get<Tris>(out.data)) {
    if (tri == tri_unknown) continue;
    if (tri == tri_false && !complete) tri = tri_unknown;
    else if (plan.negated) tri = tri == tri_true ? tri_false : tri_true;
  }
  if (!complete) merge_causes(out.causes, doubts);
  return out;
}

RowValues Evaluator::match_rows(const Plan& plan, const RowFrame& frame) {
  TextMatches& matches = run_.matches(*plan.regex);
  const auto text_of = [this](std::uint32_t id) { return run_.string(id); };
  return decide_ids(cells_of(*plan.args[0], frame),
                    [&](std::uint32_t id) { return matches.found_in(*plan.regex, id, text_of) != plan.negated; });
}

RowValues Evaluator::logic_rows(const Plan& plan, const RowFrame& frame) {
  RowValues out = rows_of(*plan.args[0], frame);
  auto& result = std::get<Tris>(out.data);
  if (plan.op == PlanOp::logic_not) {
    for (auto& r : result) r = r == tri_unknown ? tri_unknown : static_cast<std::uint8_t>(1 - r);
    return out;
  }
  const std::uint8_t absorbing = plan.op == PlanOp::logic_or ? tri_true : tri_false;
  for (std::size_t arg = 1; arg < plan.args.size(); ++arg) {
    // Rows that are decided are not asked again.
    const Indices places = places_of(result, [absorbing](std::uint8_t tri) { return tri != absorbing; });
    if (places.empty()) break;
    const Indices rows = rows_at(places, frame);
    const RowValues next = rows_of(*plan.args[arg], {frame.table, &rows, rows.size()});
    const auto& other = std::get<Tris>(next.data);
    merge_causes(out.causes, next.causes);
    for (std::size_t i = 0; i < places.size(); ++i)
      if (other[i] == absorbing || other[i] == tri_unknown) result[places[i]] = other[i];
  }
  return out;
}

}  // namespace kdiag
