// SPDX-License-Identifier: Apache-2.0
// `kdiag facts TRACE --format sqlite`: all tables of facts as one database.
#include <kdiag/fact_tables.hpp>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <kdiag/refusal_ids.hpp>

#include "adapters/io/sql_name.hpp"
#include "adapters/io/sqlite.hpp"
#include "adapters/io/sqlite_writer.hpp"
#include "adapters/io/temporary_file.hpp"
#include "api/joined_tables.hpp"
#include "base/phrases.hpp"
#include "ingest/read_inputs.hpp"

namespace kdiag {
namespace {

constexpr std::string_view fact_database_schema = "kdiag.tables/1";

using adapters::DatabaseWriter;
using adapters::sql_name;
using adapters::SqlValue;

std::string_view sql_type(ColumnType type) {
  switch (type) {
    case ColumnType::real: return "REAL";
    case ColumnType::string: return "TEXT";
    default: return "INTEGER";  // booleans are 0 and 1
  }
}

std::string_view column_type(const JoinedColumn& column) {
  switch (column.type()) {
    case ColumnType::real: return "real";
    case ColumnType::string: return "text";
    case ColumnType::boolean: return "boolean";
    case ColumnType::reference: return "reference";
    default: return "integer";
  }
}

std::string definition(TableId id, const std::vector<JoinedColumn>& columns, const JoinedTables& tables) {
  std::vector<std::string> parts;
  for (const JoinedColumn& column : columns) {
    std::string& part = parts.emplace_back(sql_name(column.name) + " " + std::string(sql_type(column.type())));
    if (column.holds == JoinedColumn::Holds::key) part += " PRIMARY KEY";
    const TableId target = column.target();
    if (target.valid() && tables.recorded(target) && tables.whole())
      part += " REFERENCES " + sql_name(info(target).name) + "(\"key\")";
  }
  return "CREATE TABLE " + sql_name(info(id).name) + " (" + join(parts, ", ") + ")";
}

/// The text is that of the entry.
SqlValue sql_value(const ValueEntry& entry) {
  return std::visit(
      [](const auto& value) -> SqlValue {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, bool>) return std::int64_t{value};
        else if constexpr (std::is_same_v<T, std::string>) return std::string_view(value);
        else return value;
      },
      entry.value);
}

void write_table(DatabaseWriter& database, TableId id, const JoinedTables& tables) {
  const std::vector<JoinedColumn> columns = JoinedTables::columns(id);
  database.run(definition(id, columns, tables));
  database.begin_rows(info(id).name, columns.size());
  std::vector<SqlValue> values(columns.size());
  tables.for_each_piece(id, columns, [&](const report::Table& piece) {
    bool good = true;
    for (const auto& row : piece.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) values[i] = sql_value(row[i]);
      good = good && database.add(values);
    }
    return good;
  });
  for (const JoinedColumn& column : columns)
    if (column.target().valid() && column.holds != JoinedColumn::Holds::run && tables.has_values(column))
      database.run("CREATE INDEX " + sql_name(std::string(info(id).name) + "_" + column.name) + " ON " +
                   sql_name(info(id).name) + "(" + sql_name(column.name) + ")");
}

/// What the tables and columns mean, for who opens the database without documentation.
void describe_tables(DatabaseWriter& database, const JoinedTables& tables, const std::vector<TableId>& recorded) {
  database.run("CREATE TABLE \"kdiag\" (\"schema\" TEXT, \"version\" TEXT)");
  database.begin_rows("kdiag", 2);
  database.add(std::vector<SqlValue>{fact_database_schema, version()});
  database.run("CREATE TABLE \"tables\" (\"table\" TEXT PRIMARY KEY, \"rows\" INTEGER, \"meaning\" TEXT)");
  database.begin_rows("tables", 3);
  for (const TableId id : recorded) database.add(std::vector<SqlValue>{info(id).name, tables.rows(id), info(id).doc});
  database.run(
      "CREATE TABLE \"columns\" (\"table\" TEXT, \"column\" TEXT, \"type\" TEXT, \"unit\" TEXT, \"refers_to\" TEXT, "
      "\"meaning\" TEXT, PRIMARY KEY (\"table\", \"column\"))");
  database.begin_rows("columns", 6);
  for (const TableId id : recorded) {
    for (const JoinedColumn& column : JoinedTables::columns(id)) {
      const SqlValue unit = column.unit() == Unit::none ? SqlValue{} : SqlValue{base_unit(column.unit())};
      const SqlValue target = column.target().valid() ? SqlValue{info(column.target()).name} : SqlValue{};
      database.add(std::vector<SqlValue>{info(id).name, std::string_view(column.name), column_type(column), unit,
                                         target, column.meaning});
    }
  }
}

Status write_database(const LoadedFacts& facts, const std::string& path, CancelFlag cancel) {
  const JoinedTables tables(facts, cancel);
  std::vector<TableId> recorded;
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
    if (tables.recorded({t})) recorded.push_back({t});
  DatabaseWriter database(path);
  describe_tables(database, tables, recorded);
  for (const TableId id : recorded) write_table(database, id, tables);
  if (const auto failure = database.finish()) return adapters::no_room_for_output(*failure);
  return ok_status();
}

Diagnostic without_databases() {
  Diagnostic error;
  error.id = refusal_id::usage;
  error.title = "this build of kdiag makes no SQLite databases";
  error.help = "Build it with -DKDIAG_SQLITE=ON, or write the tables as JSON lines.";
  return error;
}

Status copy_out(const std::string& path, const std::function<bool(std::string_view)>& output, CancelFlag cancel) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> piece(std::size_t{1} << 20);
  while (file) {
    stop_if(cancel);
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto size = static_cast<std::size_t>(file.gcount());
    if (size > 0 && !output({piece.data(), size})) return ok_status();
  }
  if (!file.eof()) return adapters::no_room_for_output("it cannot be read back");
  return ok_status();
}

}  // namespace

Status write_fact_database(const Facts& facts, const std::function<bool(std::string_view)>& output,
                           const std::atomic<bool>* cancel) {
  if (!adapters::sqlite_available()) return without_databases();
  try {
    const auto file =
        adapters::TemporaryFile::create();  // SQLite writes at random, an output takes one piece behind the other
    if (!file) return file.error();
    Status written = write_database(facts.loaded(), (*file)->path(), cancel);
    return written ? copy_out((*file)->path(), output, cancel) : std::move(written);
  } catch (const Interrupted&) {
    return cancelled_error();
  }
}

}  // namespace kdiag
