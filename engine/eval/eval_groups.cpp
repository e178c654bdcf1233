// SPDX-License-Identifier: Apache-2.0
// Derived tables: `group by` and `select`.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "engine/eval/eval.hpp"

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Indices = std::vector<std::uint32_t>;

}  // namespace

Value count_of(const TableRows& table) {
  const auto known = static_cast<std::int64_t>(table.size());
  const auto more = static_cast<std::int64_t>(table.maybe ? table.maybe->size() : 0);
  if (table.open) return of(Range{table.complement ? Number(0) : Number(known), Number::infinity()});
  return of(Range{Number(known), Number(known + more)});
}

RowValues Evaluator::column_of(const std::vector<Value>& cells, const Type& type) {
  RowValues column = broadcast(unknown_reason("empty"), type, 0);
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

  std::map<std::vector<std::uint64_t>, std::size_t> index;
  std::vector<std::uint64_t> key(plan.keys);
  for (std::size_t i = 0; i < frame.size; ++i) {
    bool known = true;
    if (i % rows_between_looks == 0) run_.stop_if_cancelled();
    for (std::size_t k = 0; k < plan.keys; ++k)
      std::visit(
          [&](const auto& data) {
            using T = typename std::decay_t<decltype(data)>::value_type;
            if constexpr (std::is_same_v<T, double>) {
              known = known && !std::isnan(data[i]);
              key[k] = std::bit_cast<std::uint64_t>(data[i] == 0 ? 0.0 : data[i]);
            } else if constexpr (std::is_same_v<T, std::int64_t>) {
              known = known && data[i] != absent_integer;
              key[k] = static_cast<std::uint64_t>(data[i]);
            } else if constexpr (std::is_same_v<T, std::uint32_t>) {
              known = known && data[i] != absent_index;
              key[k] = data[i];
            } else {
              known = known && data[i] != tri_unknown;
              key[k] = data[i];
            }
          },
          out.keys[k].data);
    if (!known) {
      ++out.unknown_rows;
      continue;
    }
    const auto [found, added] = index.try_emplace(key, out.rows.size());
    if (added) {
      out.rows.emplace_back();
      out.first.push_back(i);
    }
    out.rows[found->second].push_back(frame.at(i));
  }
  return out;
}

std::vector<Value> Evaluator::keys_of(const Plan& plan, const Grouping& groups, std::size_t group) {
  std::vector<Value> out;
  for (std::size_t k = 0; k < plan.keys; ++k)
    out.push_back(scalar_at(groups.keys[k], groups.first[group], plan.args[k + 1]->type));
  return out;
}

Value Evaluator::eval_group(const Plan& plan) {
  Value source = eval(*plan.args[0]);
  const auto* table = source.as<TableRows>();
  if (table == nullptr) return source;
  Grouping groups = grouping_of(plan, *table);
  Causes causes = table->causes;
  if (groups.unknown_rows > 0)
    for (const RowValues& k : groups.keys) merge_causes(causes, k.causes);

  auto derived = std::make_shared<DerivedTable>();
  derived->schema = plan.type.schema;
  derived->rows = groups.rows.size();
  const std::size_t selected = plan.args.size() - 1 - plan.keys;
  std::vector<std::vector<Value>> cells(plan.keys + std::max<std::size_t>(selected, 1));
  Value rests_on;
  inherit(rests_on, source);
  for (std::size_t g = 0; g < groups.rows.size(); ++g) {
    if (g % rows_between_looks == 0) run_.stop_if_cancelled();
    std::vector<Value> key_values = keys_of(plan, groups, g);
    TableRows rows = *table;
    rows.rows = std::make_shared<const Indices>(std::move(groups.rows[g]));
    rows.maybe = nullptr;
    const Group group{&plan, &rows, &key_values, group_};
    group_ = &group;
    for (std::size_t s = 0; s < selected; ++s) {
      cells[plan.keys + s].push_back(eval(*plan.args[1 + plan.keys + s]));
      inherit(rests_on, cells[plan.keys + s].back());
    }
    group_ = group.outer;
    if (selected == 0) cells[plan.keys].push_back(count_of(rows));
    for (std::size_t k = 0; k < plan.keys; ++k) cells[k].push_back(std::move(key_values[k]));
  }
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Type& type = plan.type.schema->columns[c].second;
    derived->columns.push_back(column_of(cells[c], type));
  }
  TableRows out{.base = {},
                .derived = std::move(derived),
                .rows = nullptr,
                .maybe = nullptr,
                .total = groups.rows.size(),
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
