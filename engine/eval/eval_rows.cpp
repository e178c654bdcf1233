// SPDX-License-Identifier: Apache-2.0
// Evaluation of one value per row, column by column.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/regex.hpp"
#include "engine/eval/eval.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Indices = std::vector<std::uint32_t>;
using Tris = std::vector<std::uint8_t>;

std::size_t size_of(const RowValues& values) {
  return std::visit([](const auto& data) { return data.size(); }, values.data);
}

Reals to_reals(const RowValues& values) {
  if (const auto* reals = std::get_if<Reals>(&values.data)) return *reals;
  const auto& integers = std::get<Integers>(values.data);
  Reals out(integers.size());
  for (std::size_t i = 0; i < integers.size(); ++i)
    out[i] = integers[i] == absent_integer ? absent_real : static_cast<double>(integers[i]);
  return out;
}

template <class T, class U>
std::vector<U> gather(std::span<const T> column, const std::vector<std::uint32_t>* rows, std::size_t size, T absent,
                      U replacement) {
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
  if (unknown)
    out.causes = {{std::string(about.table) + "." + std::string(about.name),
                   store.has(id) ? "not recorded for some rows" : "not recorded"}};
  return out;
}

std::uint8_t compare_numbers(double a, double b, CompareOp op) {
  if (std::isnan(a) || std::isnan(b)) return tri_unknown;
  switch (op) {
    case CompareOp::equal: return a == b;
    case CompareOp::not_equal: return a != b;
    case CompareOp::less: return a < b;
    case CompareOp::less_equal: return a <= b;
    case CompareOp::greater: return a > b;
    case CompareOp::greater_equal: return a >= b;
  }
  return tri_unknown;
}

std::uint8_t compare_integers(std::int64_t a, std::int64_t b, CompareOp op) {
  if (a == absent_integer || b == absent_integer) return tri_unknown;
  switch (op) {
    case CompareOp::equal: return a == b;
    case CompareOp::not_equal: return a != b;
    case CompareOp::less: return a < b;
    case CompareOp::less_equal: return a <= b;
    case CompareOp::greater: return a > b;
    case CompareOp::greater_equal: return a >= b;
  }
  return tri_unknown;
}

Tris compare_values(const RowValues& a, const RowValues& b, CompareOp op) {
  const std::size_t size = size_of(a);
  Tris out(size);
  if (const auto* x = std::get_if<Indices>(&a.data)) {
    const auto& y = std::get<Indices>(b.data);
    const bool want = op == CompareOp::equal;
    for (std::size_t i = 0; i < size; ++i)
      out[i] = (*x)[i] == absent_index || y[i] == absent_index ? tri_unknown
                                                               : static_cast<std::uint8_t>(((*x)[i] == y[i]) == want);
  } else if (const auto* tri = std::get_if<Tris>(&a.data)) {
    const auto& y = std::get<Tris>(b.data);
    const bool want = op == CompareOp::equal;
    for (std::size_t i = 0; i < size; ++i)
      out[i] = (*tri)[i] == tri_unknown || y[i] == tri_unknown ? tri_unknown
                                                               : static_cast<std::uint8_t>(((*tri)[i] == y[i]) == want);
  } else if (std::holds_alternative<Integers>(a.data) && std::holds_alternative<Integers>(b.data)) {
    const auto& x = std::get<Integers>(a.data);
    const auto& y = std::get<Integers>(b.data);
    for (std::size_t i = 0; i < size; ++i) out[i] = compare_integers(x[i], y[i], op);
  } else {
    const Reals x = to_reals(a);
    const Reals y = to_reals(b);
    for (std::size_t i = 0; i < size; ++i) out[i] = compare_numbers(x[i], y[i], op);
  }
  return out;
}

bool is_known(const RowValues& values, std::size_t i) {
  return std::visit(
      [i](const auto& data) {
        using T = typename std::decay_t<decltype(data)>::value_type;
        if constexpr (std::is_same_v<T, double>) return !std::isnan(data[i]);
        else if constexpr (std::is_same_v<T, std::int64_t>) return data[i] != absent_integer;
        else if constexpr (std::is_same_v<T, std::uint32_t>) return data[i] != absent_index;
        else return data[i] != tri_unknown;
      },
      values.data);
}

/// Two columns of numbers as one kind: both integers, or both reals.
void unify(RowValues& a, RowValues& b) {
  if (a.data.index() == b.data.index()) return;
  if (a.data.index() > 1 || b.data.index() > 1) return;
  a.data = to_reals(a);
  b.data = to_reals(b);
}

template <class Choose>
RowValues merge_rows(RowValues a, RowValues b, Choose take_second) {
  unify(a, b);
  std::visit(
      [&](auto& x) {
        const auto& y = std::get<std::decay_t<decltype(x)>>(b.data);
        for (std::size_t i = 0; i < x.size(); ++i)
          if (take_second(i)) x[i] = y[i];
      },
      a.data);
  merge_causes(a.causes, b.causes);
  return a;
}

}  // namespace

Evaluator::Frame Evaluator::frame_of(const TableRows& table) const { return {&table, table.rows.get(), table.size()}; }

RowValues Evaluator::rows_of(const Plan& plan, const Frame& frame) {
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
    default: return call_rows(plan, frame);
  }
}

RowValues Evaluator::each_row(const Plan& plan, const Frame& frame) {
  // A let that is first asked for in here may use the same slot: it finds and leaves the row that was current.
  RowRef& current = outer_rows_[plan.slot];
  const RowRef before = current;
  std::vector<Value> values;
  values.reserve(frame.size);
  for (std::size_t i = 0; i < frame.size; ++i) {
    current = {frame.table->base, frame.at(i)};
    values.push_back(eval(*plan.args[0]));
  }
  current = before;
  return column_of(values, plan.type);
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

RowValues Evaluator::column_rows(const Plan& plan, const Frame& frame) {
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

RowValues Evaluator::member_rows(const Plan& plan, const Frame& frame) {
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

RowValues Evaluator::arithmetic_rows(const Plan& plan, const Frame& frame) {
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

RowValues Evaluator::compare_rows(const Plan& plan, const Frame& frame) {
  RowValues a = rows_of(*plan.args[0], frame);
  const RowValues b = rows_of(*plan.args[1], frame);
  RowValues out{.data = compare_values(a, b, plan.compare), .causes = std::move(a.causes)};
  merge_causes(out.causes, b.causes);
  return out;
}

RowValues Evaluator::in_rows(const Plan& plan, const Frame& frame) {
  const RowValues item = rows_of(*plan.args[0], frame);
  const Value list = eval(*plan.args[1]);
  RowValues out{.data = Tris(frame.size, tri_false), .causes = item.causes};
  auto& result = std::get<Tris>(out.data);
  const auto* members = list.as<List>();
  if (members == nullptr) {
    result.assign(frame.size, tri_unknown);
    merge_causes(out.causes, list.causes());
    return out;
  }
  for (const Value& member : *members) {
    const Tris equal = compare_values(item, broadcast(member, plan.args[0]->type, frame.size), CompareOp::equal);
    merge_causes(out.causes, member.causes());
    for (std::size_t i = 0; i < frame.size; ++i)
      if (equal[i] == tri_true) result[i] = tri_true;
      else if (equal[i] == tri_unknown && result[i] == tri_false) result[i] = tri_unknown;
  }
  if (members->empty())
    for (std::size_t i = 0; i < frame.size; ++i) result[i] = tri_false;
  if (plan.negated)
    for (auto& r : result) r = r == tri_unknown ? tri_unknown : static_cast<std::uint8_t>(1 - r);
  return out;
}

RowValues Evaluator::match_rows(const Plan& plan, const Frame& frame) {
  const RowValues subject = rows_of(*plan.args[0], frame);
  const auto& ids = std::get<Indices>(subject.data);
  // Names repeat: one match per distinct string, then a lookup per row.
  std::unordered_map<std::uint32_t, std::uint8_t> known;
  RowValues out{.data = Tris(frame.size), .causes = subject.causes};
  auto& result = std::get<Tris>(out.data);
  for (std::size_t i = 0; i < frame.size; ++i) {
    if (ids[i] == absent_index) {
      result[i] = tri_unknown;
      continue;
    }
    const auto [found, added] = known.try_emplace(ids[i]);
    if (added) found->second = plan.regex->found_in(run_.string(ids[i])) != plan.negated;
    result[i] = found->second;
  }
  return out;
}

RowValues Evaluator::logic_rows(const Plan& plan, const Frame& frame) {
  RowValues out = rows_of(*plan.args[0], frame);
  auto& result = std::get<Tris>(out.data);
  if (plan.op == PlanOp::logic_not) {
    for (auto& r : result) r = r == tri_unknown ? tri_unknown : static_cast<std::uint8_t>(1 - r);
    return out;
  }
  const std::uint8_t absorbing = plan.op == PlanOp::logic_or ? tri_true : tri_false;
  for (std::size_t arg = 1; arg < plan.args.size(); ++arg) {
    const RowValues next = rows_of(*plan.args[arg], frame);
    const auto& other = std::get<Tris>(next.data);
    merge_causes(out.causes, next.causes);
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (result[i] == absorbing || other[i] == absorbing) result[i] = absorbing;
      else if (other[i] == tri_unknown) result[i] = tri_unknown;
    }
  }
  return out;
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

RowValues Evaluator::call_rows(const Plan& plan, const Frame& frame) {
  using F = FunctionId;
  if (plan.function == F::baseline) return baseline_rows(plan, frame);
  std::vector<RowValues> args;
  for (const PlanPtr& arg : plan.args) args.push_back(rows_of(*arg, frame));
  switch (plan.function) {
    case F::coalesce:
    case F::default_value: {
      RowValues out = args[0];
      for (std::size_t a = 1; a < args.size(); ++a) {
        const RowValues so_far = out;
        out = merge_rows(out, args[a], [&](std::size_t i) { return !is_known(so_far, i); });
      }
      out.causes.clear();
      for (const RowValues& arg : args) merge_causes(out.causes, arg.causes);
      return out;
    }
    case F::defined: {
      RowValues out{.data = Tris(frame.size), .causes = {}};
      for (std::size_t i = 0; i < frame.size; ++i) std::get<Tris>(out.data)[i] = is_known(args[0], i);
      return out;
    }
    case F::min:
    case F::max:
    case F::clamp: {
      const auto take = [&](RowValues a, RowValues b, bool smaller) {
        unify(a, b);
        const RowValues copy = a;
        const Tris less = compare_values(b, copy, smaller ? CompareOp::less : CompareOp::greater);
        return merge_rows(std::move(a), std::move(b), [&](std::size_t i) { return less[i] != tri_false; });
      };
      if (plan.function == F::clamp) return take(take(args[0], args[1], false), args[2], true);
      return take(args[0], args[1], plan.function == F::min);
    }
    case F::site: return site_rows(plan, args[0]);
    case F::mod: {
      RowValues a = args[0];
      merge_causes(a.causes, args[1].causes);
      Reals x = to_reals(a);
      const Reals y = to_reals(args[1]);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[i] == 0 ? absent_real : std::fmod(x[i], y[i]);
      a.data = std::move(x);
      return a;
    }
    default: {
      RowValues out = broadcast(unknown_reason("no such value for single rows"), plan.type, frame.size);
      return out;
    }
  }
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
