// SPDX-License-Identifier: Apache-2.0
// Reads SQLite databases that profilers export.
//
// SQLite reads at random and by path, inputs are streams. `open_input` therefore gives every database a path
// (Input::file): a plain file is opened where it lies, anything else (a pipe, memory, a compressed file) is copied to a
// temporary file first. Not to memory: exports reach many gigabytes, and memory has to follow the facts that a rule may
// ask for, not the size of the file. The file is opened as immutable, so that nothing is locked or written beside it
// and folders without write permission do; a write-ahead log that was never merged is then not seen, which is noted
// (K631).
//
// The schema is not trusted: only ordinary tables are read, never views, triggers or virtual tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <kdiag/adapter.hpp>

struct sqlite3;
struct sqlite3_stmt;

namespace kdiag::adapters {

/// How every SQLite database begins.
inline constexpr std::string_view sqlite_magic{"SQLite format 3\0", 16};

/// The longest value that is read, in bytes: names, paths and JSON details are far shorter (judgement). A row with a
/// longer one ends its query, as damage does (K630).
inline constexpr int longest_database_value = 1024 * 1024;

/// Tables and indices of one database: real exports have about a hundred (judgement). SQLite looks for each new one
/// among those before it, and a file with a million would take it a quarter of an hour. With more it is refused (K632).
inline constexpr int most_schema_entries = 6000;

/// How many times the file's size one query may read of text: each text is read once, and UTF-16 gets half as long
/// again in UTF-8. Values whose pages refer to each other in a circle would be endless (K630).
inline constexpr std::uint64_t most_times_text = 2;

/// Whether this build reads and makes databases (KDIAG_SQLITE).
bool sqlite_available();

/// Rows of one query. Movable; must not outlive its database, nor the sink of it. Where the rows end early, because the
/// database is damaged or cut off or cannot be read, that is noted (K630).
///
/// Example:
///     Query rows = database.select("TARGET_INFO_GPU", {"id", "name"});
///     while (rows.next()) use(rows.integer(0), rows.text(1));
class Query {
 public:
  /// Steps to the next row; false at the end and where the database is damaged.
  bool next();

  /// Values of the current row by place, absent where there is none: no such column, NULL, or another type. Integers
  /// may be stored as decimal text. Text is valid until the next call of next().
  std::optional<std::int64_t> integer(int place) const;
  std::optional<double> real(int place) const;
  std::optional<std::string_view> text(int place) const;

  /// Starts over, with a value for the query's parameter.
  void bind(std::int64_t value);

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Query() = default;
  void fail(std::string_view why) const;

  FactSink* sink_ = nullptr;                           ///< none: damage is not noted
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;  ///< none: there is no such table
  std::string table_;
  mutable std::string failure_;
  std::uint64_t rows_ = 0;
  std::uint64_t most_rows_ = 0;
  mutable std::uint64_t text_bytes_ = 0;  ///< read so far, whatever the parameter
  std::uint64_t most_text_ = 0;
};

/// A database, opened for reading. Not thread-safe.
class Database {
 public:
  /// Errors: K632 damaged beyond use, no database, or a build that reads none.
  static Result<Database> open(const std::string& path);
  /// The database of an input. Its queries end once the sink is cancelled; what was lost of it is noted there (K630,
  /// and why the file ends early).
  static Result<Database> open(const Input& input, FactSink& sink);

  /// Names of the ordinary tables, in order of creation.
  const std::vector<std::string>& tables() const { return tables_; }
  bool has(std::string_view table) const;
  /// Whether a table holds a row at all.
  bool has_rows(std::string_view table) const;

  /// The named columns of all rows of a table, in the order in which they were written. A column that this version of
  /// the schema does not have is absent in every row, and a missing table has no rows.
  Query select(std::string_view table, std::span<const std::string_view> columns) const;
  Query select(std::string_view table, std::initializer_list<std::string_view> columns) const {
    return select(table, std::span(columns.begin(), columns.size()));
  }
  /// The same of the rows whose `key` is the parameter.
  Query select_by(std::string_view table, std::initializer_list<std::string_view> columns, std::string_view key) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  Database() = default;
  Query prepare(std::string_view table, const std::string& sql) const;
  std::string projection(std::string_view table, std::span<const std::string_view> columns) const;

  std::unique_ptr<sqlite3, Close> handle_;
  FactSink* sink_ = nullptr;
  std::vector<std::string> tables_;
  std::uint64_t most_rows_ = 0;
  std::uint64_t most_text_ = 0;
};

/// Texts of a table by their number, read when they are first asked for.
class TextTable {
 public:
  TextTable(const Database& database, std::string_view table, std::string_view id, std::string_view text)
      : query_(database.select_by(table, {text}, id)) {}

  /// The text; empty when there is none. Valid as long as the table.
  std::string_view operator()(std::optional<std::int64_t> id);

 private:
  Query query_;
  std::unordered_map<std::int64_t, std::string> known_;
};

}  // namespace kdiag::adapters
