// SPDX-License-Identifier: Apache-2.0
// Derived tables: `group by` and `select`.
#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "engine/eval/eval.hpp"
#include "engine/eval/numbers.hpp"
#include "engine/eval/row_values.hpp"
#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Indices = std::vector<std::uint32_t>;

/// What two rows of one group have in common: the number of the group by the keys before, and the next key.
using NumberedKey = std::pair<std::uint32_t, std::uint64_t>;
struct HashOfKey {
  std::size_t operator()(const NumberedKey& key) const {
    // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): ids and times that follow one another spread.
    return static_cast<std::size_t>((key.second + key.first * 0x9E3779B97F4A7C15U) * 0x9E3779B97F4A7C15U >> 7);
  }
};

template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  else return static_cast<std::uint64_t>(value);
}

/// A number for each row, equal where the number before and the value of `key` are; absent_index where either is
/// unknown. Numbers count up from 0 in the order of the rows.
void number_by(const RowValues& key, Indices& numbers) {
  std::unordered_map<NumberedKey, std::uint32_t, HashOfKey> known;
  NumberedKey last{absent_index, 0};
  std::uint32_t number_of_last = absent_index;
  std::visit(
      [&](const auto& data) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          if (numbers[i] == absent_index || is_absent(data[i])) {
            numbers[i] = absent_index;
            continue;
          }
          const NumberedKey next{numbers[i], bits_of(data[i])};
          if (next != last) {  // rows of one group often stand together
            number_of_last = known.try_emplace(next, static_cast<std::uint32_t>(known.size())).first->second;
            last = next;
          }
          numbers[i] = number_of_last;
        }
      },
      key.data);
}

/// Whether an expression names the group around it.
bool names_group(const Plan& plan) {
  if (plan.op == PlanOp::group_rows || plan.op == PlanOp::group_key) return true;
  return std::any_of(plan.args.begin(), plan.args.end(), [](const PlanPtr& arg) { return names_group(*arg); });
}

template <class T>
std::vector<T> sizes_of(const Indices& group_of, std::size_t groups) {
  std::vector<T> out(groups, 0);
  for (const std::uint32_t group : group_of)
    if (group != absent_index) ++out[group];
  return out;
}

/// The values of some rows.
RowValues values_at(const RowValues& values, const std::vector<std::size_t>& places) {
  RowValues out;
  std::visit(
      [&](const auto& data) {
        std::decay_t<decltype(data)> chosen;
        chosen.reserve(places.size());
        for (const std::size_t place : places) chosen.push_back(data[place]);
        out.data = std::move(chosen);
      },
      values.data);
  return out;
}

/// What a function makes of the values of each group: integers where all results are. Nothing where a time leaves its
/// range, which is told group by group.
template <class T>
std::optional<RowValues> fold_each(const std::vector<T>& values, const Indices& group_of, std::size_t groups,
                                   const Plan& plan) {
  std::vector<std::vector<T>> by_group(groups);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (group_of[i] != absent_index) by_group[group_of[i]].push_back(values[i]);
  Integers integers(groups);
  Reals reals(groups);
  bool exact = true;
  for (std::size_t g = 0; g < groups; ++g) {
    Numbers numbers(std::move(by_group[g]));
    const Number result = plan.function->fold(numbers);
    if (plan.type.is_time() && !result.exact() && std::abs(result.real()) > 9.2e18) return {};
    exact = exact && result.exact();
    integers[g] = result.integer();
    reals[g] = result.real();
  }
  if (exact) return RowValues{.data = std::move(integers), .causes = {}};
  return RowValues{.data = std::move(reals), .causes = {}};
}

}  // namespace

Value count_of(const TableRows& table) {
  const auto known = static_cast<std::int64_t>(table.size());
  const auto more = static_cast<std::int64_t>(table.maybe ? table.maybe->size() : 0);
  if (table.open) return of(Range{table.complement ? Number(0) : Number(known), Number::infinity()});
  return of(Range{Number(known), Number(known + more)});
}

RowValues Evaluator::column_of(const std::vector<Value>& cells, const Type& type) {
  RowValues column = broadcast(unknown({}), type, 0);
  // Reals when any cell is real, so that one kind holds them all.
  const bool integers = type.numeric() && std::all_of(cells.begin(), cells.end(), [](const Value& v) {
                          const auto* r = v.as<Range>();
                          return r == nullptr || (r->exact() && r->low.exact());
                        });
  if (type.numeric() && !integers) column.data = Reals{};
  else if (type.numeric()) column.data = Integers{};
  std::size_t done = 0;
  for (const Value& cell : cells) {
    if (++done % rows_between_looks == 0) run_.stop_if_cancelled();
    merge_causes(column.causes, cell.causes());
    RowValues one = broadcast(cell, type, 1);
    if (auto* into = std::get_if<Reals>(&column.data)) {
      if (const auto* i = std::get_if<Integers>(&one.data))
        into->push_back((*i)[0] == absent_integer ? absent_real : static_cast<double>((*i)[0]));
      else into->push_back(std::get<Reals>(one.data)[0]);
    } else if (auto* ints = std::get_if<Integers>(&column.data)) {
      if (const auto* i = std::get_if<Integers>(&one.data)) ints->push_back((*i)[0]);
      else ints->push_back(absent_integer);
    } else {
      std::visit(
          [&](auto& data) {
            const auto& v = std::get<std::decay_t<decltype(data)>>(one.data);
            data.push_back(v[0]);
          },
          column.data);
    }
  }
  return column;
}

Evaluator::Grouping Evaluator::grouping_of(const Plan& plan, const TableRows& table) {
  const RowFrame frame = frame_of(table);
  Grouping out;
  for (std::size_t k = 0; k < plan.keys; ++k) out.keys.push_back(rows_of(*plan.args[k + 1], frame));
  out.of.assign(frame.size, 0);
  for (const RowValues& key : out.keys) {
    run_.stop_if_cancelled();
    number_by(key, out.of);
  }
  for (std::size_t i = 0; i < frame.size; ++i) {
    if (out.of[i] == absent_index) ++out.unknown_rows;
    else if (out.of[i] == out.first.size()) out.first.push_back(i);
  }
  return out;
}

std::vector<Indices> Evaluator::rows_of_groups(const Grouping& groups, const TableRows& table) {
  const RowFrame frame = frame_of(table);
  std::vector<Indices> out(groups.size());
  for (std::size_t i = 0; i < frame.size; ++i)
    if (groups.of[i] != absent_index) out[groups.of[i]].push_back(frame.at(i));
  return out;
}

std::vector<Value> Evaluator::keys_of(const Plan& plan, const Grouping& groups, std::size_t group) {
  std::vector<Value> out;
  for (std::size_t k = 0; k < plan.keys; ++k)
    out.push_back(scalar_at(groups.keys[k], groups.first[group], plan.args[k + 1]->type));
  return out;
}

/// What an aggregate is worth for each group, computed for all groups at once; nothing where it takes more than known
/// numbers of the rows to tell.
std::optional<RowValues> Evaluator::fold_groups(const Plan& plan, const Grouping& groups, const TableRows& table) {
  const bool certain = !table.maybe && !table.open && table.coverage >= full_coverage;
  if (!certain || plan.op != PlanOp::call || plan.args[0]->op != PlanOp::group_rows) return {};
  if (plan.function->traits.counts_rows)
    return RowValues{.data = sizes_of<std::int64_t>(groups.of, groups.size()), .causes = {}};
  if (plan.function->fold == nullptr || plan.args.size() != 2 || names_group(*plan.args[1])) return {};
  Numbers numbers(rows_of(*plan.args[1], frame_of(table)));
  if (numbers.unknown > 0) return {};
  return numbers.exact ? fold_each(numbers.integers, groups.of, groups.size(), plan)
                       : fold_each(numbers.reals, groups.of, groups.size(), plan);
}

Value Evaluator::eval_group(const Plan& plan) {
  Value source = eval(*plan.args[0]);
  const auto* table = source.as<TableRows>();
  if (table == nullptr) return source;
  const Grouping groups = grouping_of(plan, *table);
  Causes causes = table->causes;
  if (groups.unknown_rows > 0)
    for (const RowValues& k : groups.keys) merge_causes(causes, k.causes);
  if (groups.unknown_rows > 0 && groups.unknown_rows == table->size()) return unknown(std::move(causes));

  auto derived = std::make_shared<DerivedTable>();
  derived->schema = plan.type.schema;
  derived->rows = groups.size();
  for (const RowValues& key : groups.keys) derived->columns.push_back(values_at(key, groups.first));
  Value rests_on;
  inherit(rests_on, source);
  const std::size_t selected = plan.args.size() - 1 - plan.keys;
  std::vector<std::optional<RowValues>> columns(std::max<std::size_t>(selected, 1));
  for (std::size_t s = 0; s < selected; ++s) {
    const Plan& value = *plan.args[1 + plan.keys + s];
    columns[s] = fold_groups(value, groups, *table);
    if (!columns[s] || groups.size() == 0) continue;
    Value about{.data = {}, .coverage = table->coverage, .columns = {}};
    if (!table->derived)
      for (std::size_t arg = 1; arg < value.args.size(); ++arg) add_columns(about, *value.args[arg]);
    inherit(rests_on, about);
  }
  evaluate_groups(plan, groups, *table, columns, rests_on);
  for (std::optional<RowValues>& column : columns) derived->columns.push_back(std::move(*column));
  TableRows out{.base = {},
                .derived = std::move(derived),
                .rows = nullptr,
                .maybe = nullptr,
                .total = groups.size(),
                .coverage = table->coverage,
                // Rows of which the filter cannot tell may join a group or make one.
                .open = table->open || table->maybe != nullptr,
                .causes = std::move(causes)};
  if (groups.unknown_rows > 0) {
    out.coverage *= 1.0 - static_cast<double>(groups.unknown_rows) / static_cast<double>(table->size());
    out.open = out.coverage < full_coverage;
  }
  Value value{.data = std::move(out), .columns = rests_on.columns};
  value.coverage = std::min(rests_on.coverage, value.as<TableRows>()->coverage);
  value.compared = rests_on.compared;
  return value;
}

/// Fills in the columns that are not there yet, group by group: what is selected, or the number of rows where nothing
/// is.
void Evaluator::evaluate_groups(const Plan& plan, const Grouping& groups, const TableRows& table,
                                std::vector<std::optional<RowValues>>& columns, Value& rests_on) {
  if (std::all_of(columns.begin(), columns.end(), [](const auto& column) { return column.has_value(); })) return;
  const bool selects = plan.args.size() > 1 + plan.keys;
  std::vector<std::vector<Value>> cells(columns.size());
  std::vector<Indices> rows_by_group = rows_of_groups(groups, table);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g % rows_between_looks == 0) run_.stop_if_cancelled();
    const std::vector<Value> keys = keys_of(plan, groups, g);
    TableRows rows = table;
    rows.rows = std::make_shared<const Indices>(std::move(rows_by_group[g]));
    rows.maybe = nullptr;
    const Group group{&plan, &rows, &keys, group_};
    group_ = &group;
    for (std::size_t s = 0; s < columns.size(); ++s) {
      if (columns[s]) continue;
      cells[s].push_back(selects ? eval(*plan.args[1 + plan.keys + s]) : count_of(rows));
      if (selects) inherit(rests_on, cells[s].back());
    }
    group_ = group.outer;
  }
  for (std::size_t s = 0; s < columns.size(); ++s)
    if (!columns[s]) columns[s] = column_of(cells[s], plan.type.schema->columns[plan.keys + s].second);
}

Value Evaluator::eval_select(const Plan& plan) {
  Value source = eval(*plan.args[0]);
  const auto* table = source.as<TableRows>();
  if (table == nullptr) return source;
  const RowFrame frame = frame_of(*table);
  auto derived = std::make_shared<DerivedTable>();
  derived->schema = plan.type.schema;
  derived->rows = frame.size;
  for (std::size_t c = 1; c < plan.args.size(); ++c) derived->columns.push_back(rows_of(*plan.args[c], frame));
  TableRows out{.base = {},
                .derived = std::move(derived),
                .rows = nullptr,
                .maybe = nullptr,
                .total = frame.size,
                .coverage = table->coverage,
                .open = table->open || table->maybe != nullptr,
                .causes = table->causes,
                .left_out = table->left_out};
  Value value{.data = std::move(out), .columns = source.columns};
  value.coverage = source.coverage;
  return value;
}

}  // namespace kdiag
