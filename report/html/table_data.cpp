// SPDX-License-Identifier: Apache-2.0
#include "report/html/table_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <kdiag/catalogue.hpp>

#include "report/html/shown.hpp"

namespace kdiag::report {
namespace {

/// A table of totals of the catalogue, as the page shows it; rows with most of the first time column come first.
struct TotalsTable {
  std::string_view title;
  TableId table;
  std::vector<ColumnId> columns;
};

std::vector<TotalsTable> totals_tables() {
  return {
      {"Kernels",
       table("kernel_stats"),
       {column("kernel_stats.name"), column("kernel_stats.class"), column("kernel_stats.total"),
        column("kernel_stats.calls"), column("kernel_stats.mean"), column("kernel_stats.min"),
        column("kernel_stats.max"), column("kernel_stats.device")}},
      {"Operators",
       table("op_stats"),
       {column("op_stats.name"), column("op_stats.device_total"), column("op_stats.device_self"),
        column("op_stats.host_total"), column("op_stats.host_self"), column("op_stats.calls"),
        column("op_stats.rank")}},
      {"Copies",
       table("copy_stats"),
       {column("copy_stats.name"), column("copy_stats.total"), column("copy_stats.bytes"), column("copy_stats.calls"),
        column("copy_stats.mean"), column("copy_stats.min"), column("copy_stats.max"), column("copy_stats.device")}},
      {"Calls",
       table("api_stats"),
       {column("api_stats.name"), column("api_stats.total"), column("api_stats.calls"), column("api_stats.mean"),
        column("api_stats.min"), column("api_stats.max"), column("api_stats.rank")}}};
}

/// A number of a device or rank: the id that people know it by.
std::optional<std::int64_t> entity_id(const RunColumns& columns, const ColumnInfo& column, std::uint32_t row) {
  if (row == absent_index) return std::nullopt;
  if (info(find_table(column.target)).traits.role == TableRole::device) {
    const std::int64_t id = value_of(columns.integers(kdiag::column("devices.id")), row);
    return id == absent_integer ? std::nullopt : std::optional(id);
  }
  const std::int32_t id = value_of(columns.smalls(kdiag::column("ranks.id")), row);
  return id == absent_small ? std::nullopt : std::optional<std::int64_t>(id);
}

void write_cell(JsonWriter& json, const RunColumns& columns, ColumnId id, std::size_t row) {
  const ColumnInfo& column = info(id);
  if (column.type == ColumnType::integer) {
    const std::int64_t value = value_of(columns.integers(id), row);
    return value == absent_integer ? json.null() : json.value(value);
  }
  const std::uint32_t value = value_of(columns.indices(id), row);
  if (column.type == ColumnType::reference) return json.value(entity_id(columns, column, value));
  if (value == absent_index) return json.null();
  json.value(shown(columns.text(value)));
}

std::string_view unit_of(const ColumnInfo& column) {
  return column.type == ColumnType::string ? std::string_view("text") : base_unit(column.unit);
}

void write_head(JsonWriter& json, std::string_view title, std::size_t all_rows, std::size_t rows) {
  json.member("title", title);
  json.member("left_out", static_cast<std::int64_t>(all_rows - rows));
}

void write_column(JsonWriter& json, std::string_view name, std::string_view unit) {
  json.object(Layout::line, [&] {
    json.member("name", name);
    json.member("unit", unit);
  });
}

void write_totals(JsonWriter& json, const RunColumns& columns, const TotalsTable& one, std::size_t limit) {
  const std::size_t all = columns.rows(one.table);
  if (all == 0) return;
  std::vector<std::size_t> order(all);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto longest =
      std::find_if(one.columns.begin(), one.columns.end(), [](ColumnId id) { return info(id).unit == Unit::time; });
  const auto times = columns.integers(*longest);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return value_of(times, a) > value_of(times, b); });
  const std::size_t rows = std::min(limit, all);
  std::vector<ColumnId> present;  // a column that no row has would say nothing
  for (const ColumnId id : one.columns)
    if (info(id).type == ColumnType::integer ? !columns.integers(id).empty() : !columns.indices(id).empty())
      present.push_back(id);
  json.object(Layout::line, [&] {
    write_head(json, one.title, all, rows);
    json.array("columns", Layout::line, [&] {
      for (const ColumnId id : present) write_column(json, info(id).name, unit_of(info(id)));
    });
    json.array("rows", Layout::line, [&] {
      for (std::size_t i = 0; i < rows; ++i)
        json.array(Layout::line, [&] {
          for (const ColumnId id : present) write_cell(json, columns, id, order[i]);
        });
    });
  });
}

/// Collectives of one operation, group and size.
struct CollectiveTotal {
  std::string_view op, group;
  std::optional<std::int64_t> bytes, waited;
  std::int64_t calls = 0, total = 0;
  std::optional<double> bandwidth;  ///< the highest
};

std::vector<CollectiveTotal> collectives(const RunColumns& columns) {
  const auto ops = columns.indices(column("comms.op")), groups = columns.indices(column("comms.group"));
  const auto bytes = columns.integers(column("comms.bytes")), lengths = columns.integers(column("comms.dur")),
             waits = columns.integers(column("comms.waited"));
  const auto bandwidths = columns.reals(column("comms.bus_bw"));
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, CollectiveTotal> totals;
  for (std::size_t row = 0; row < columns.rows(table("comms")); ++row) {
    const std::uint32_t op = value_of(ops, row), group = value_of(groups, row);
    const std::int64_t size = value_of(bytes, row), length = value_of(lengths, row), waited = value_of(waits, row);
    if (length == absent_integer) continue;
    CollectiveTotal& total = totals[{op, group, size}];
    total.op = op == absent_index ? std::string_view() : columns.text(op);
    total.group = group == absent_index ? std::string_view() : columns.text(group);
    if (size != absent_integer) total.bytes = size;
    if (waited != absent_integer) total.waited = total.waited.value_or(0) + waited;
    ++total.calls;
    total.total += length;
    if (const double bandwidth = value_of(bandwidths, row); !std::isnan(bandwidth))
      total.bandwidth = std::max(total.bandwidth.value_or(0), bandwidth);
  }
  std::vector<CollectiveTotal> out;
  for (const auto& [key, total] : totals) out.push_back(total);
  std::stable_sort(out.begin(), out.end(),
                   [](const CollectiveTotal& a, const CollectiveTotal& b) { return a.total > b.total; });
  return out;
}

void write_collectives(JsonWriter& json, const RunColumns& columns, std::size_t limit) {
  const std::vector<CollectiveTotal> totals = collectives(columns);
  if (totals.empty()) return;
  const std::size_t rows = std::min(limit, totals.size());
  json.object(Layout::line, [&] {
    write_head(json, "Collectives", totals.size(), rows);
    json.array("columns", Layout::line, [&] {
      write_column(json, "operation", "text");
      write_column(json, "group", "text");
      write_column(json, "bytes", "bytes");
      write_column(json, "total", "ns");
      write_column(json, "waited", "ns");
      write_column(json, "calls", "1");
      write_column(json, "best bus_bw", "B/s");
    });
    json.array("rows", Layout::line, [&] {
      for (std::size_t i = 0; i < rows; ++i)
        json.array(Layout::line, [&] {
          json.value(shown(totals[i].op));
          json.value(shown(totals[i].group));
          json.value(totals[i].bytes);
          json.value(totals[i].total);
          json.value(totals[i].waited);
          json.value(totals[i].calls);
          json.value(totals[i].bandwidth);
        });
    });
  });
}

}  // namespace

void write_tables(JsonWriter& json, const RunColumns& columns, const PageLimits& limits) {
  json.array("tables", Layout::line, [&] {
    for (const TotalsTable& one : totals_tables()) write_totals(json, columns, one, limits.rows);
    write_collectives(json, columns, limits.rows);
  });
}

}  // namespace kdiag::report
