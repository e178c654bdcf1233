// SPDX-License-Identifier: Apache-2.0
// exists() for each row of a table at once: `launches as l where exists(loads where start <= l.start and end > l.start
// and thread == l.thread)` looks at the loads once, and for each launch only at those around its start.
#include <algorithm>
#include <numeric>

#include "engine/eval/eval.hpp"
#include "engine/eval/places.hpp"
#include "engine/eval/row_values.hpp"

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Indices = std::vector<std::uint32_t>;
using Tris = std::vector<std::uint8_t>;

/// One bound of the condition: by row of the filtered table, and by row around it.
struct Bound {
  CompareOp op;
  Integers inner, outer;

  bool holds(std::int64_t inner_value, std::size_t outer_row) const {
    return with_comparison(op, [&](auto compare) { return compare(inner_value, outer[outer_row]); });
  }
  bool asks_for_more() const { return op == CompareOp::greater || op == CompareOp::greater_equal; }
};

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

/// Finds rows of the filtered table for which all bounds hold. They stand sorted by what has to be equal, then by the
/// value that is bounded first; of those between its bounds the last are looked at first.
class MatchFinder {
 public:
  /// `rows`: how many the filtered table has.
  MatchFinder(std::vector<Bound> bounds, std::size_t rows) : order_(rows) {
    for (Bound& bound : bounds) {
      const bool by_order = ordered_.empty() || ordered_.front().inner == bound.inner;
      (bound.op == CompareOp::equal ? equal_ : by_order ? ordered_ : others_).push_back(std::move(bound));
    }
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
      for (const Bound& bound : equal_)
        if (bound.inner[a] != bound.inner[b]) return bound.inner[a] < bound.inner[b];
      return !ordered_.empty() && ordered_.front().inner[a] < ordered_.front().inner[b];
    });
    if (!others_.empty()) reach_ = best_so_far(others_.front());
  }

  /// Whether there is one for a row around; `looked_at` grows by the rows that were compared.
  bool finds(std::size_t around, std::size_t& looked_at) const {
    const auto begin =
        std::partition_point(order_.begin(), order_.end(), [&](std::uint32_t row) { return side(row, around) < 0; });
    auto end = std::partition_point(begin, order_.end(), [&](std::uint32_t row) { return side(row, around) == 0; });
    while (end != begin) {
      --end;
      ++looked_at;
      if (others_.empty()) return true;
      if (!others_.front().holds(reach_[static_cast<std::size_t>(end - order_.begin())], around)) return false;
      if (std::all_of(others_.begin(), others_.end(),
                      [&](const Bound& bound) { return bound.holds(bound.inner[*end], around); }))
        return true;
    }
    return false;
  }

 private:
  /// Whether a row stands before those that are equal and between the bounds (-1), among them (0) or behind them (1).
  int side(std::uint32_t row, std::size_t around) const {
    for (const Bound& bound : equal_)
      if (bound.inner[row] != bound.outer[around]) return bound.inner[row] < bound.outer[around] ? -1 : 1;
    for (const Bound& bound : ordered_)
      if (!bound.holds(bound.inner[row], around)) return bound.asks_for_more() ? -1 : 1;
    return 0;
  }

  /// By place: what holds soonest of a bound among the rows up to there, of those that are equal.
  Integers best_so_far(const Bound& bound) const {
    Integers out(order_.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = bound.inner[order_[i]];
      const bool first = i == 0 || std::any_of(equal_.begin(), equal_.end(), [&](const Bound& same) {
                           return same.inner[order_[i]] != same.inner[order_[i - 1]];
                         });
      if (!first) out[i] = bound.asks_for_more() ? std::max(out[i], out[i - 1]) : std::min(out[i], out[i - 1]);
    }
    return out;
  }

  std::vector<Bound> equal_;
  std::vector<Bound> ordered_;  ///< of the value that rows which are equal are sorted by
  std::vector<Bound> others_;
  Indices order_;
  Integers reach_;  ///< best_so_far of the first of `others_`
};

}  // namespace

std::optional<Tris> Evaluator::exists_for_rows(const Plan& each, const RowFrame& frame) {
  const Plan& call = *each.args[0];
  if (call.op != PlanOp::call || !call.function->traits.finds_rows || group_ != nullptr) return {};
  const Plan& where = *call.args[0];
  if (where.op != PlanOp::where || !where.args[0]->outer.empty()) return {};
  const auto parts = join_parts(*where.args[1]);
  if (!parts) return {};
  std::vector<PlanPtr> outer;
  for (const JoinBound& bound : parts->bounds) {
    outer.push_back(of_current_row(bound.outer, each.slot));
    if (!outer.back()) return {};
  }

  const Value source = eval(*where.args[0]);
  const auto* table = source.as<TableRows>();
  if (table == nullptr || table->maybe || table->open || table->coverage < 1) return {};
  Indices rows;
  RowFrame filtered = frame_of(*table);
  for (const Plan* part : parts->own) {
    const RowValues holds = rows_of(*part, filtered);
    const auto& tris = std::get<Tris>(holds.data);
    if (any_unknown(tris)) return {};
    rows = rows_at(places_of(tris, [](std::uint8_t tri) { return tri == tri_true; }), filtered);
    filtered = {table, &rows, rows.size()};
  }

  std::vector<Bound> bounds;
  for (std::size_t i = 0; i < outer.size(); ++i) {
    const RowValues inner_values = rows_of(*parts->bounds[i].inner, filtered);
    const RowValues outer_values = rows_of(*outer[i], frame);
    auto inner = whole_numbers(inner_values);
    auto around = whole_numbers(outer_values);
    if (!inner || !around || inner_values.data.index() != outer_values.data.index() || any_absent(*inner)) return {};
    bounds.push_back({parts->bounds[i].op, std::move(*inner), std::move(*around)});
  }

  Tris out(frame.size);
  for (const Bound& bound : bounds)
    for (std::size_t i = 0; i < frame.size; ++i)
      if (bound.outer[i] == absent_integer) out[i] = tri_unknown;
  const MatchFinder finder(std::move(bounds), filtered.size);
  std::size_t looked_at = 0;
  for (std::size_t i = 0; i < frame.size; ++i) {
    if (out[i] != tri_unknown) out[i] = finder.finds(i, looked_at) ? tri_true : tri_false;
    if (looked_at < rows_between_looks) continue;
    visit_rows(looked_at);
    looked_at = 0;
  }
  visit_rows(looked_at);
  return out;
}

}  // namespace kdiag
