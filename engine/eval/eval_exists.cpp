// SPDX-License-Identifier: Apache-2.0
// exists() for each row of a table at once: `launches as l where exists(loads where start <= l.start and end > l.start
// and thread == l.thread)` looks at the loads once, and for each launch only at those around its start.
#include <algorithm>

#include "engine/eval/eval.hpp"
#include "engine/eval/exists_join.hpp"
#include "engine/eval/places.hpp"
#include "engine/eval/row_values.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Indices = std::vector<std::uint32_t>;
using Tris = std::vector<std::uint8_t>;

/// Whole numbers, or ids of texts and rows, as numbers; nothing of other values.
std::optional<Integers> whole_numbers(const RowValues& values) {
  if (const auto* integers = std::get_if<Integers>(&values.data)) return *integers;
  const auto* ids = std::get_if<Indices>(&values.data);
  if (ids == nullptr) return {};
  Integers out(ids->size());
  std::transform(ids->begin(), ids->end(), out.begin(),
                 [](std::uint32_t id) { return id == absent_index ? absent_integer : std::int64_t{id}; });
  return out;
}

bool any_absent(const Integers& values) {
  return std::find(values.begin(), values.end(), absent_integer) != values.end();
}

/// Whether a condition compares cells of its row with each other and with what is the same for all of them: then it may
/// be asked of rows that other conditions leave out.
bool compares_cells(const Plan& condition) {
  if (!condition.per_row) return true;
  switch (condition.op) {
    case PlanOp::column:
    case PlanOp::member:
    case PlanOp::row:
    case PlanOp::negate:
    case PlanOp::add:
    case PlanOp::subtract:
    case PlanOp::multiply:
    case PlanOp::divide:
    case PlanOp::compare:
    case PlanOp::in:
    case PlanOp::match:
    case PlanOp::logic_not:
    case PlanOp::logic_and:
    case PlanOp::logic_or: break;
    default: return false;
  }
  return std::all_of(condition.args.begin(), condition.args.end(),
                     [](const PlanPtr& part) { return compares_cells(*part); });
}

}  // namespace

ExistsJoin Evaluator::exists_join(const Plan& where, std::uint32_t slot) {
  ExistsJoin out;
  if (where.op != PlanOp::where || !where.args[0]->outer.empty()) return out;
  const auto parts = join_parts(*where.args[1]);
  if (!parts ||
      !std::all_of(parts->own.begin(), parts->own.end(), [](const Plan* own) { return compares_cells(*own); }))
    return out;
  for (const JoinBound& bound : parts->bounds) {
    out.around.push_back(of_current_row(bound.outer, slot));
    if (!out.around.back()) return out;
  }

  const Value source = eval(*where.args[0]);
  const auto* table = source.as<TableRows>();
  if (table == nullptr || table->maybe || table->open || table->coverage < 1) return out;
  Indices rows;
  RowFrame filtered = frame_of(*table);
  for (const Plan* part : parts->own) {
    const RowValues holds = rows_of(*part, filtered);
    const auto& tris = std::get<Tris>(holds.data);
    if (any_unknown(tris)) return out;
    rows = rows_at(places_of(tris, [](std::uint8_t tri) { return tri == tri_true; }), filtered);
    filtered = {table, &rows, rows.size()};
  }

  std::vector<MatchBound> bounds;
  for (const JoinBound& bound : parts->bounds) {
    const RowValues values = rows_of(*bound.inner, filtered);
    auto inner = whole_numbers(values);
    if (!inner || any_absent(*inner)) return out;
    out.whole.push_back(std::holds_alternative<Integers>(values.data));
    bounds.push_back({bound.op, std::move(*inner), bounds.size()});
  }
  out.finder.emplace(std::move(bounds), filtered.size);
  return out;
}

std::optional<Tris> Evaluator::exists_for_rows(const Plan& each, const RowFrame& frame) {
  const Plan& call = *each.args[0];
  if (call.op != PlanOp::call || !call.function->traits.finds_rows || group_ != nullptr) return {};
  const Plan& where = *call.args[0];
  auto known = exists_joins_.find(&where);
  if (known == exists_joins_.end()) known = exists_joins_.emplace(&where, exists_join(where, each.slot)).first;
  const ExistsJoin& join = known->second;
  if (!join.finder) return {};

  std::vector<Integers> around;
  Tris out(frame.size);
  for (std::size_t i = 0; i < join.around.size(); ++i) {
    const RowValues values = rows_of(*join.around[i], frame);
    auto numbers = whole_numbers(values);
    if (!numbers || std::holds_alternative<Integers>(values.data) != join.whole[i]) return {};
    for (std::size_t row = 0; row < frame.size; ++row)
      if ((*numbers)[row] == absent_integer) out[row] = tri_unknown;
    around.push_back(std::move(*numbers));
  }
  std::size_t looked_at = 0;
  for (std::size_t row = 0; row < frame.size; ++row) {
    if (out[row] != tri_unknown) out[row] = join.finder->finds(around, row, looked_at) ? tri_true : tri_false;
    if (looked_at < rows_between_looks) continue;
    visit_rows(looked_at);
    looked_at = 0;
  }
  visit_rows(looked_at);
  return out;
}

}  // namespace kdiag
