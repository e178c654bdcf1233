// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>
#include <vector>

#include <sqlite3.h>

#include "tests/robustness/mutation/mutate.hpp"

namespace kdiag::mutation {
namespace {

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
using Database = std::unique_ptr<sqlite3, Close>;

/// A copy in memory that can be written; null for bytes that are no database.
Database open_copy(const std::string& bytes) {
  sqlite3* opened = nullptr;
  sqlite3_open(":memory:", &opened);
  Database database(opened);
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  std::memcpy(copy, bytes.data(), bytes.size());
  const int result = sqlite3_deserialize(opened, "main", copy, static_cast<sqlite3_int64>(bytes.size()),
                                         static_cast<sqlite3_int64>(bytes.size()),
                                         SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  if (result != SQLITE_OK) return nullptr;
  return database;
}

/// The first column of each row of a query.
std::vector<std::string> texts_of(sqlite3* database, const std::string& sql) {
  std::vector<std::string> out;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK)
    while (sqlite3_step(statement) == SQLITE_ROW)
      if (const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0))) out.emplace_back(text);
  sqlite3_finalize(statement);
  return out;
}

std::string name(const std::string& identifier) {
  std::string out = "\"";
  for (char c : identifier) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string value(Choices& choices) {
  static const std::string_view values[] = {"NULL",
                                            "0",
                                            "-1",
                                            "9223372036854775807",
                                            "-9223372036854775808",
                                            "1e308",
                                            "1e999",
                                            "-1e999",
                                            "4600000000000000000",
                                            "x'00FF'",
                                            "zeroblob(70000)",
                                            "4294967296",
                                            "65536",
                                            "0.5",
                                            "'text'",
                                            "''",
                                            "printf('%.*c', 100000, 'x')"};
  if (!choices.once_in(3)) return std::string(choices.one_of(values));
  std::string quoted = "'";
  for (char c : hostile_text(choices))
    if (c != '\0') quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + '\'';
}

std::string statement(sqlite3* database, Choices& choices) {
  const auto tables = texts_of(database, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  if (tables.empty()) return {};
  const std::string& table = tables[choices.below(tables.size())];
  const auto columns = texts_of(database, "SELECT name FROM pragma_table_info('" + table + "')");
  if (columns.empty()) return {};
  const std::string column = name(columns[choices.below(columns.size())]);
  const std::string other = name(columns[choices.below(columns.size())]);
  const std::string some = choices.once_in(4) ? "" : " WHERE rowid % 3 = " + std::to_string(choices.below(3));
  switch (choices.below(9)) {
    case 0: return "DELETE FROM " + name(table) + some;
    case 1: return "INSERT OR REPLACE INTO " + name(table) + " SELECT * FROM " + name(table) + some;
    case 2: return "UPDATE OR REPLACE " + name(table) + " SET " + column + " = " + other + some;
    case 3:
      return choices.once_in(4) ? "DROP TABLE " + name(table) : "ALTER TABLE " + name(table) + " DROP COLUMN " + column;
    case 4: return "ALTER TABLE " + name(table) + " RENAME COLUMN " + column + " TO \"renamed\"";
    default: return "UPDATE OR REPLACE " + name(table) + " SET " + column + " = " + value(choices) + some;
  }
}

}  // namespace

void mutate_database(std::string& bytes, Choices& choices) {
  const Database database = open_copy(bytes);
  if (!database) return mutate_bytes(bytes, choices);
  const std::string sql = statement(database.get(), choices);
  if (sql.empty() || sqlite3_exec(database.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return mutate_bytes(bytes, choices);
  sqlite3_int64 size = 0;
  unsigned char* written = sqlite3_serialize(database.get(), "main", &size, 0);
  if (written != nullptr) bytes.assign(reinterpret_cast<char*>(written), static_cast<std::size_t>(size));
  sqlite3_free(written);
}

}  // namespace kdiag::mutation
