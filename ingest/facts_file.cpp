// SPDX-License-Identifier: Apache-2.0
#include "ingest/facts_file.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "adapters/text/units.hpp"
#include "base/json_writer.hpp"

namespace kdiag {
namespace {

constexpr std::size_t rows_per_line = 1000;  // judgement: some 100 KB a line

/// Tables stand behind those that they refer to.
constexpr TableId first_tables[] = {table("runs"),    table("ranks"),   table("devices"),
                                    table("streams"), table("threads"), table("frames"),
                                    table("steps"),   table("ops"),     table("api")};

std::vector<TableId> tables_in_order() {
  std::vector<TableId> order(std::begin(first_tables), std::end(first_tables));
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
    if (std::find(order.begin(), order.end(), TableId{t}) == order.end()) order.push_back({t});
  return order;
}

void write_value(JsonWriter& json, const FactStore& store, ColumnId id, std::size_t row) {
  const auto or_null = [&json](auto value, auto absent) {
    if (value == absent) json.null();
    else json.value(static_cast<std::int64_t>(value));
  };
  switch (info(id).type) {
    case ColumnType::integer: return or_null(store.integer(id, row), absent_integer);
    case ColumnType::small_integer: return or_null(store.small(id, row), absent_small);
    case ColumnType::reference: return or_null(store.index(id, row), absent_index);
    case ColumnType::real: return json.value(store.real(id, row));
    case ColumnType::boolean:
      if (store.index(id, row) == absent_index) json.null();
      else json.value(store.index(id, row) == 1);
      return;
    case ColumnType::string:
      if (store.index(id, row) == absent_index) json.null();
      else json.value(store.text(id, row));
  }
}

std::vector<ColumnId> columns_with_values(const FactStore& store, TableId id) {
  std::vector<ColumnId> columns;
  const ColumnRange range = columns_of(id);
  for (std::uint16_t c = range.first; c < range.first + range.count; ++c)
    if (store.has(ColumnId{c})) columns.push_back({c});
  return columns;
}

std::string table_lines(const FactStore& store, TableId id, std::size_t begin, std::size_t end) {
  const std::vector<ColumnId> columns = columns_with_values(store, id);
  JsonWriter json;
  json.object(Layout::line, [&] {
    json.member("table", info(id).name);
    json.array("columns", Layout::line, [&] {
      for (const ColumnId column : columns) json.value(info(column).name);
    });
    json.array("units", Layout::line, [&] {
      for (const ColumnId column : columns) {
        if (info(column).unit == Unit::none) json.null();
        else json.value(base_unit(info(column).unit));
      }
    });
    json.array("rows", Layout::line, [&] {
      for (std::size_t row = begin; row < end; ++row)
        json.array(Layout::line, [&] {
          for (const ColumnId column : columns) write_value(json, store, column, row);
        });
    });
  });
  return json.take();
}

bool write_table(const FactStore& store, TableId id, const FactsOutput& output) {
  const std::size_t rows = store.rows(id);
  for (std::size_t begin = 0; begin == 0 || begin < rows; begin += rows_per_line)  // one line of an empty table
    if (!output(table_lines(store, id, begin, std::min(begin + rows_per_line, rows)))) return false;
  return true;
}

std::string run_line(const RunInfo& run) {
  constexpr std::string_view clocks[] = {"none", "unix", "local", "device"};  // by ClockDomain
  JsonWriter json;
  json.object(Layout::line, [&] {
    json.object("run", Layout::line, [&] {
      json.text_or_null("label", run.label);
      json.text_or_null("producer", run.producer);
      json.member("clock", clocks[static_cast<std::size_t>(run.clock)]);
      if (run.rank) json.member("rank", *run.rank);
      if (run.world_size) json.member("world_size", *run.world_size);
      if (!run.host.empty()) json.member("host", run.host);
      if (run.telemetry) json.member("telemetry", true);
    });
  });
  return json.take();
}

std::string note_lines(std::span<const NoteEntry> notes) {
  JsonWriter json;
  json.object(Layout::line, [&] {
    json.member("table", "notes");
    json.array("columns", Layout::line, [&] {
      for (const char* name : {"id", "severity", "count", "text"}) json.value(name);
    });
    json.array("rows", Layout::line, [&] {
      for (const NoteEntry& note : notes)
        json.array(Layout::line, [&] {
          json.value(note.id);
          json.value(name_of(note.severity));
          json.value(note.count);
          json.value(note.text);
        });
    });
  });
  return json.take();
}

}  // namespace

bool write_facts_header(const FactsOutput& output) {
  JsonWriter json;
  json.object(Layout::line, [&] {
    json.member("schema", "kdiag.facts/1");
    json.member("writer", "kdiag " + std::string(version()));
  });
  return output(json.take());
}

bool write_facts_run(const RunInfo& run, const FactStore& store, std::span<const NoteEntry> notes,
                     const FactsOutput& output) {
  if (!output(run_line(run))) return false;
  for (const TableId id : tables_in_order())
    if (store.present(id) && !write_table(store, id, output)) return false;
  return notes.empty() || output(note_lines(notes));
}

}  // namespace kdiag
