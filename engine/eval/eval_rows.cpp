// SPDX-License-Identifier: Apache-2.0
// Evaluation of one value per row, column by column.
#include <algorithm>
#include <cmath>

#include "engine/eval/eval.hpp"
#include "engine/eval/row_cells.hpp"
#include "engine/eval/row_values.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Indices = std::vector<std::uint32_t>;
using Tris = std::vector<std::uint8_t>;

template <class T, class U>
std::vector<U> gather(std::span<const T> column, const std::vector<std::uint32_t>* rows, std::size_t size, T absent,
                      U replacement) {
  if constexpr (std::is_same_v<T, U>)
    if (rows == nullptr && absent == replacement)
      return {column.begin(), column.begin() + static_cast<std::ptrdiff_t>(size)};
  std::vector<U> out(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t row = rows ? (*rows)[i] : static_cast<std::uint32_t>(i);
    const T value = row == absent_index ? absent : column[row];
    out[i] = value == absent ? replacement : static_cast<U>(value);
  }
  return out;
}

/// Values of a catalogue column for a list of rows (absent_index: unknown).
RowValues catalogue_values(const FactStore& store, ColumnId id, const std::vector<std::uint32_t>* rows,
                           std::size_t size) {
  const ColumnInfo& about = info(id);
  RowValues out;
  if (!store.has(id)) {
    switch (about.type) {
      case ColumnType::integer:
      case ColumnType::small_integer: out.data = Integers(size, absent_integer); break;
      case ColumnType::real: out.data = Reals(size, absent_real); break;
      case ColumnType::boolean: out.data = Tris(size, tri_unknown); break;
      default: out.data = Indices(size, absent_index);
    }
  } else {
    switch (about.type) {
      case ColumnType::integer:
        out.data = gather(store.integers(id), rows, size, absent_integer, absent_integer);
        break;
      case ColumnType::small_integer:
        out.data = gather(store.smalls(id), rows, size, absent_small, absent_integer);
        break;
      case ColumnType::real: {
        Reals values(size);
        const auto column = store.reals(id);
        for (std::size_t i = 0; i < size; ++i) {
          const std::uint32_t row = rows ? (*rows)[i] : static_cast<std::uint32_t>(i);
          values[i] = row == absent_index ? absent_real : column[row];
        }
        out.data = std::move(values);
        break;
      }
      case ColumnType::boolean: out.data = gather(store.indices(id), rows, size, absent_index, tri_unknown); break;
      default: out.data = gather(store.indices(id), rows, size, absent_index, absent_index);
    }
  }
  const bool unknown = std::visit(
      [](const auto& data) {
        using T = typename std::decay_t<decltype(data)>::value_type;
        if constexpr (std::is_same_v<T, double>)
          return std::any_of(data.begin(), data.end(), [](double v) { return std::isnan(v); });
        else if constexpr (std::is_same_v<T, std::int64_t>)
          return std::find(data.begin(), data.end(), absent_integer) != data.end();
        else if constexpr (std::is_same_v<T, std::uint32_t>)
          return std::find(data.begin(), data.end(), absent_index) != data.end();
        else return std::find(data.begin(), data.end(), tri_unknown) != data.end();
      },
      out.data);
  if (unknown) out.causes = causes_of_absence(store, id, rows ? rows->data() : nullptr, size);
  return out;
}

}  // namespace

RowValues Evaluator::rows_of(const Plan& plan, const RowFrame& frame) {
  if (!plan.per_row) return broadcast(eval(plan), plan.type, frame.size);
  visit_rows(frame.size);
  if (plan.across_clocks && !run_.store().samples_aligned) return broadcast(clocks_unaligned(), plan.type, frame.size);
  switch (plan.op) {
    case PlanOp::column: return column_rows(plan, frame);
    case PlanOp::member: return member_rows(plan, frame);
    case PlanOp::negate:
    case PlanOp::add:
    case PlanOp::subtract:
    case PlanOp::multiply:
    case PlanOp::divide: return arithmetic_rows(plan, frame);
    case PlanOp::compare: return compare_rows(plan, frame);
    case PlanOp::in: return in_rows(plan, frame);
    case PlanOp::match: return match_rows(plan, frame);
    case PlanOp::logic_not:
    case PlanOp::logic_and:
    case PlanOp::logic_or: return logic_rows(plan, frame);
    case PlanOp::conditional:
      return select_rows(rows_of(*plan.args[0], frame), rows_of(*plan.args[1], frame), rows_of(*plan.args[2], frame));
    case PlanOp::row: {
      Indices rows(frame.size);
      for (std::size_t i = 0; i < frame.size; ++i) rows[i] = frame.at(i);
      return {.data = std::move(rows), .causes = {}};
    }
    case PlanOp::each_row: return each_row(plan, frame);
    case PlanOp::host_call: return host_call_rows(plan, frame);
    case PlanOp::call:
      if (plan.function->for_rows != nullptr) return plan.function->for_rows(*this, plan, frame);
      [[fallthrough]];
    default: return broadcast(unknown_reason("no such value for single rows"), plan.type, frame.size);
  }
}

RowValues Evaluator::each_row(const Plan& plan, const RowFrame& frame) {
  // A let that is first asked for in here may use the same slot: it finds and leaves the row that was current.
  RowRef& current = outer_rows_[plan.slot];
  const RowRef before = current;
  const auto value_of = [&](std::size_t i) {
    current = {frame.table->base, frame.at(i)};
    return eval(*plan.args[0]);
  };
  RowValues out;
  if (auto together = exists_for_rows(plan, frame)) {
    for (std::size_t i = 0; i < frame.size; ++i) {
      if ((*together)[i] != tri_unknown) continue;
      const Value value = value_of(i);
      if (const bool* truth = value.as<bool>()) (*together)[i] = *truth ? tri_true : tri_false;
      merge_causes(out.causes, value.causes());
    }
    out.data = std::move(*together);
  } else {
    std::vector<Value> values;
    values.reserve(frame.size);
    for (std::size_t i = 0; i < frame.size; ++i) values.push_back(value_of(i));
    out = column_of(values, plan.type);
  }
  current = before;
  return out;
}

RowValues Evaluator::broadcast(const Value& value, const Type& type, std::size_t size) {
  RowValues out;
  out.causes = value.causes();
  if (type.numeric()) {
    const auto* range = value.as<Range>();
    const bool usable = range && range->exact();
    if (range && !usable) out.causes = doubts_of({&value});
    if (usable && range->low.exact()) out.data = Integers(size, range->low.integer());
    else out.data = Reals(size, usable ? range->low.real() : absent_real);
  } else if (type.is(Kind::boolean)) {
    const auto* b = value.as<bool>();
    out.data = Tris(size, b ? static_cast<std::uint8_t>(*b) : tri_unknown);
  } else if (type.is(Kind::text)) {
    const auto* text = value.as<std::string>();
    out.data = Indices(size, text ? run_.string_id(*text) : absent_index);
  } else {
    const auto* row = value.as<RowRef>();
    out.data = Indices(size, row ? row->row : absent_index);
  }
  return out;
}

RowValues Evaluator::column_rows(const Plan& plan, const RowFrame& frame) {
  if (!frame.table->derived)
    return catalogue_values(run_.store(), ColumnId{static_cast<std::uint16_t>(plan.slot)}, frame.rows, frame.size);
  const RowValues& source = frame.table->derived->columns[plan.slot];
  if (frame.rows == nullptr) return source;
  RowValues out;
  out.causes = source.causes;
  std::visit(
      [&](const auto& data) {
        std::decay_t<decltype(data)> values(frame.size);
        for (std::size_t i = 0; i < frame.size; ++i) values[i] = data[(*frame.rows)[i]];
        out.data = std::move(values);
      },
      source.data);
  return out;
}

RowValues Evaluator::member_rows(const Plan& plan, const RowFrame& frame) {
  RowValues object = rows_of(*plan.args[0], frame);
  RowValues out = catalogue_values(run_.store(), ColumnId{static_cast<std::uint16_t>(plan.slot)},
                                   &std::get<Indices>(object.data), frame.size);
  if (!object.causes.empty()) {
    // An unknown member of an unknown row is the row's fault.
    const auto& rows = std::get<Indices>(object.data);
    bool own = false;
    for (std::size_t i = 0; i < rows.size() && !own; ++i) own = rows[i] != absent_index && !is_known(out, i);
    if (!own) out.causes.clear();
    merge_causes(out.causes, object.causes);
  }
  return out;
}

RowValues Evaluator::arithmetic_rows(const Plan& plan, const RowFrame& frame) {
  RowValues a = rows_of(*plan.args[0], frame);
  if (plan.op == PlanOp::negate) {
    std::visit(
        [](auto& data) {
          using T = typename std::decay_t<decltype(data)>::value_type;
          if constexpr (std::is_same_v<T, std::int64_t>) {
            for (auto& v : data)
              if (v != absent_integer) v = -v;
          } else if constexpr (std::is_same_v<T, double>) {
            for (auto& v : data) v = -v;
          }
        },
        a.data);
    return a;
  }
  RowValues b = rows_of(*plan.args[1], frame);
  merge_causes(a.causes, b.causes);
  const bool integers = std::holds_alternative<Integers>(a.data) && std::holds_alternative<Integers>(b.data);
  if (integers && plan.op != PlanOp::divide && plan.scale == 1.0) {
    auto& x = std::get<Integers>(a.data);
    const auto& y = std::get<Integers>(b.data);
    bool overflow = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] == absent_integer || y[i] == absent_integer) {
        x[i] = absent_integer;
        continue;
      }
      std::int64_t result = 0;
      const bool bad = plan.op == PlanOp::add        ? __builtin_add_overflow(x[i], y[i], &result)
                       : plan.op == PlanOp::subtract ? __builtin_sub_overflow(x[i], y[i], &result)
                                                     : __builtin_mul_overflow(x[i], y[i], &result);
      overflow = overflow || bad;
      x[i] = bad ? absent_integer : result;
    }
    if (overflow) merge_causes(a.causes, {{"", "integer overflow"}});
    return a;
  }
  Reals x = to_reals(a);
  const Reals y = to_reals(b);
  bool by_zero = false;
  for (std::size_t i = 0; i < x.size(); ++i) switch (plan.op) {
      case PlanOp::add: x[i] += y[i]; break;
      case PlanOp::subtract: x[i] -= y[i]; break;
      case PlanOp::multiply: x[i] *= y[i] * plan.scale; break;
      default: by_zero = by_zero || y[i] == 0; x[i] = y[i] == 0 ? absent_real : x[i] / y[i] * plan.scale;
    }
  if (by_zero) merge_causes(a.causes, {{"", "division by zero"}});
  a.data = std::move(x);
  return a;
}

RowValues Evaluator::select_rows(const RowValues& condition, const RowValues& yes, const RowValues& no) {
  const auto& chosen = std::get<Tris>(condition.data);
  RowValues out = merge_rows(yes, no, [&](std::size_t i) { return chosen[i] == tri_false; });
  merge_causes(out.causes, condition.causes);
  std::visit(
      [&](auto& data) {
        using T = typename std::decay_t<decltype(data)>::value_type;
        for (std::size_t i = 0; i < data.size(); ++i) {
          if (chosen[i] != tri_unknown) continue;
          if constexpr (std::is_same_v<T, double>) data[i] = absent_real;
          else if constexpr (std::is_same_v<T, std::int64_t>) data[i] = absent_integer;
          else if constexpr (std::is_same_v<T, std::uint32_t>) data[i] = absent_index;
          else data[i] = tri_unknown;
        }
      },
      out.data);
  return out;
}

Value Evaluator::scalar_at(const RowValues& values, std::size_t i, const Type& type) {
  if (!is_known(values, i)) return unknown(values.causes);
  if (const auto* integers = std::get_if<Integers>(&values.data)) return of(Number((*integers)[i]));
  if (const auto* reals = std::get_if<Reals>(&values.data)) return of(Number((*reals)[i]));
  if (const auto* tris = std::get_if<Tris>(&values.data)) return of((*tris)[i] == tri_true);
  const std::uint32_t id = std::get<Indices>(values.data)[i];
  if (type.is(Kind::text)) return of(std::string(run_.string(id)));
  return {.data = RowRef{type.table, id}, .columns = {}};
}

}  // namespace kdiag
