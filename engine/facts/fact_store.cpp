// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/fact_store.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "engine/facts/absent_value.hpp"

namespace kdiag {
namespace {

struct ColumnTables {
  std::vector<TableId> owner, target;
  ColumnTables() {
    for (const ColumnInfo& column : catalogue_columns) {
      owner.push_back(find_table(column.table));
      target.push_back(column.target.empty() ? TableId{} : find_table(column.target));
    }
  }
};
const ColumnTables& column_tables() {
  static const ColumnTables tables;
  return tables;
}

}  // namespace

TableId table_of(ColumnId column) { return column_tables().owner[column.index]; }
TableId target_of(ColumnId column) { return column_tables().target[column.index]; }

FactStore::FactStore()
    : tables_(catalogue_tables.size()), columns_(catalogue_columns.size()), providers_(catalogue_columns.size()) {}

FactStore FactStore::extending(std::shared_ptr<const FactStore> base) {
  FactStore store;
  store.tables_ = base->tables_;
  store.columns_ = base->columns_;
  store.providers_ = base->providers_;
  store.walls = base->walls;
  store.device_threads = base->device_threads;
  store.scope = base->scope;
  store.scoped = base->scoped;
  store.samples_aligned = base->samples_aligned;
  store.impossible_times = base->impossible_times;
  store.impossible_statistics = base->impossible_statistics;
  const StringPool* strings = &base->strings;
  store.strings = StringPool(std::shared_ptr<const StringPool>(std::move(base), strings));
  return store;
}

ColumnData& FactStore::own(std::uint16_t column) {
  std::shared_ptr<ColumnData>& values = columns_[column];
  if (values.use_count() > 1) values = std::make_shared<ColumnData>(*values);
  return *values;
}

void FactStore::resize(TableId table, std::size_t rows) {
  TableState& state = tables_[table.index];
  state.present = true;
  state.rows = rows;
  const ColumnRange range = columns_of(table);
  for (std::uint16_t c = range.first; c < range.first + range.count; ++c) {
    if (!columns_[c]) continue;
    std::visit(
        [rows](auto& values) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>)
            values.resize(rows, absent_value<typename std::decay_t<decltype(values)>::value_type>());
        },
        own(c));
  }
}

template <class T>
std::vector<T>& FactStore::mutable_view(ColumnId column, std::string_view provider) {
  if (!columns_[column.index])
    columns_[column.index] =
        std::make_shared<ColumnData>(std::vector<T>(tables_[table_of(column).index].rows, absent_value<T>()));
  providers_[column.index] = provider;
  return std::get<std::vector<T>>(own(column.index));
}
template std::vector<std::int64_t>& FactStore::mutable_view(ColumnId, std::string_view);
template std::vector<std::int32_t>& FactStore::mutable_view(ColumnId, std::string_view);
template std::vector<double>& FactStore::mutable_view(ColumnId, std::string_view);
template std::vector<std::uint32_t>& FactStore::mutable_view(ColumnId, std::string_view);

void FactStore::replace(ColumnId column, ColumnData values, std::string_view provider) {
  const bool any = values.index() != 0;
  columns_[column.index] = any ? std::make_shared<ColumnData>(std::move(values)) : nullptr;
  providers_[column.index] = any ? std::string(provider) : std::string{};
}

void FactStore::clear(ColumnId column) { replace(column, {}, {}); }

void FactStore::clear(TableId table) {
  const ColumnRange range = columns_of(table);
  for (std::uint16_t c = range.first; c < range.first + range.count; ++c) clear(ColumnId{c});
  tables_[table.index] = {};
}

void FactStore::reorder(TableId table, const std::vector<std::uint32_t>& order) {
  const ColumnRange range = columns_of(table);
  for (std::uint16_t c = range.first; c < range.first + range.count; ++c) {
    if (!columns_[c]) continue;
    std::visit(
        [&order](auto& values) {
          using Values = std::decay_t<decltype(values)>;
          if constexpr (!std::is_same_v<Values, std::monostate>) {
            Values sorted;
            sorted.reserve(values.size());
            for (std::uint32_t from : order) sorted.push_back(values[from]);
            values = std::move(sorted);
          }
        },
        own(c));
  }
  std::vector<std::uint32_t> moved_to(order.size());
  for (std::uint32_t to = 0; to < order.size(); ++to) moved_to[order[to]] = to;
  for (std::uint16_t c = 0; c < catalogue_columns.size(); ++c)
    if (columns_[c] && target_of(ColumnId{c}) == table)
      if (auto* references = std::get_if<std::vector<std::uint32_t>>(&own(c)))
        for (std::uint32_t& row : *references)
          if (row != absent_index) row = moved_to[row];
}

const Wall& FactStore::wall_of_device(std::uint32_t device) const {
  return wall_of_rank(index(column("devices.rank"), device));
}

const Wall& FactStore::wall() const {
  return *std::max_element(walls.begin(), walls.end(), [](const Wall& a, const Wall& b) {
    return (a.basis == WallBasis::none ? -1 : a.length) < (b.basis == WallBasis::none ? -1 : b.length);
  });
}

}  // namespace kdiag
