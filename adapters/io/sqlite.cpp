// SPDX-License-Identifier: Apache-2.0
#include "adapters/io/sqlite.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>
#include <utility>

#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include <sqlite3.h>

#include "adapters/io/byte_source.hpp"
#include "adapters/io/input.hpp"
#include "adapters/io/sql_name.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters {
namespace {

constexpr int steps_of_schema_entry = 7;      // of SQLite's machine, where it reads its schema (measured, 3.40)
constexpr int steps_between_looks = 10'000;   // of SQLite's machine, about 100 us; judgement
constexpr std::uint64_t least_row_bytes = 4;  // of a row in its page, with its entry in the page's index
constexpr std::size_t header_bytes = 100;
constexpr std::string_view interrupted = "interrupted";
constexpr std::string_view ordinary_tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0";

/// The path as a URI that says: nobody writes to it.
std::string immutable_uri(const std::string& path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string uri = "file:";
  std::error_code unchanged;
  for (char c : std::filesystem::absolute(path, unchanged).string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (c != '%' && c != '?' && c != '#') {
      uri += c;
      continue;
    }
    uri += '%';
    uri += digits[byte >> 4U];
    uri += digits[byte & 15U];
  }
  return uri + "?immutable=1";
}

/// SQLite refuses a file that is shorter than it says, unless its schema may be written. The file itself cannot: it is
/// opened for reading. The transaction keeps what was then decided.
void accept_cut_files(sqlite3* database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
  sqlite3_exec(database, "BEGIN; SELECT 1 FROM sqlite_schema", nullptr, nullptr, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

/// What a file that somebody else wrote may do: hold tables, nothing more, in pages that are what they say. Without
/// the check of its cells SQLite reads behind a damaged page, and what is read there differs from run to run.
void distrust(sqlite3* database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, longest_database_value);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(database, SQLITE_LIMIT_VDBE_OP, 10'000);  // a projection of one table takes some hundred; judgement
  sqlite3_exec(database, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", nullptr, nullptr, nullptr);
}

/// Whether a file is shorter than its header says. SQLite takes what is missing of a page for zeros, which may read as
/// fewer rows. Big-endian numbers: page size at byte 16 (1: 65,536), pages at 28, which count if the change counters at
/// 24 and 92 agree. Spec: SQLite's file format, section 1.3.
bool is_cut(std::string_view header, std::uintmax_t bytes) {
  if (header.size() < header_bytes) return true;
  const auto number = [&](std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = at; i < at + size; ++i) value = value << 8U | static_cast<unsigned char>(header[i]);
    return value;
  };
  const std::uint64_t page = number(16, 2) == 1 ? 65536 : number(16, 2);
  if (page == 0 || bytes % page != 0) return true;
  return number(24, 4) == number(92, 4) && bytes < page * number(28, 4);
}

/// For SQLite's progress handler: whether to stop.
int is_cancelled(void* sink) { return static_cast<FactSink*>(sink)->cancelled() ? 1 : 0; }

Diagnostic unusable(std::string_view reason) {
  return input_error(refusal_id::database_unreadable, "this SQLite database cannot be read: " + std::string(reason),
                     "Copy the file again, or export it again.");
}

/// SQLite asks for what a damaged page claims, however much, and then says that memory is out: there it is damage,
/// which the caller tells. Where memory is out, little is not to be had either.
void throw_if_out_of_memory(int result) {
  constexpr int little = 1 << 20;
  if (result != SQLITE_NOMEM) return;
  void* memory = sqlite3_malloc(little);
  if (memory == nullptr) throw std::bad_alloc();
  sqlite3_free(memory);
}

}  // namespace

bool sqlite_available() { return true; }

void Query::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

bool Query::next() {
  if (!statement_ || !failure_.empty()) return false;
  const int result = sqlite3_step(statement_.get());
  throw_if_out_of_memory(result);
  if (result == SQLITE_ROW && ++rows_ <= most_rows_) return true;
  if (result == SQLITE_ROW) fail("more rows than bytes");  // pages that refer to each other in a circle
  else if (result == SQLITE_INTERRUPT) failure_ = interrupted;
  else if (result != SQLITE_DONE) fail(sqlite3_errmsg(sqlite3_db_handle(statement_.get())));
  return false;
}

std::optional<std::int64_t> Query::integer(int place) const {
  if (sqlite3_column_type(statement_.get(), place) == SQLITE_INTEGER)
    return sqlite3_column_int64(statement_.get(), place);
  const auto stated = text(place);
  return stated ? parse_number<std::int64_t>(*stated) : std::nullopt;
}

std::optional<double> Query::real(int place) const {
  const int type = sqlite3_column_type(statement_.get(), place);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return std::nullopt;
  return sqlite3_column_double(statement_.get(), place);
}

std::optional<std::string_view> Query::text(int place) const {
  if (!failure_.empty() || sqlite3_column_type(statement_.get(), place) != SQLITE_TEXT) return std::nullopt;
  const unsigned char* bytes = sqlite3_column_text(statement_.get(), place);
  if (bytes == nullptr) throw std::bad_alloc();  // what is no NULL has a text, unless there is no memory for it
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), place));
  text_bytes_ += size;
  if (text_bytes_ > most_text_) {
    fail("more text than bytes");  // values whose pages refer to each other in a circle
    return std::nullopt;
  }
  return std::string_view(reinterpret_cast<const char*>(bytes), size);
}

void Query::bind(std::int64_t value) {
  if (!statement_) return;
  sqlite3_reset(statement_.get());
  sqlite3_bind_int64(statement_.get(), 1, value);
  if (text_bytes_ <= most_text_) failure_.clear();
  rows_ = 0;
}

void Query::fail(std::string_view why) const {
  failure_ = why;
  if (sink_ != nullptr) sink_->note(note_id::database_damaged, table_ + ": " + failure_);
}

Result<Database> Database::open(const std::string& path) {
  Database database;
  sqlite3* opened = nullptr;
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  const int result = sqlite3_open_v2(immutable_uri(path).c_str(), &opened, flags, nullptr);
  database.handle_.reset(opened);
  throw_if_out_of_memory(result);
  if (result != SQLITE_OK) {
    const int why = opened == nullptr ? 0 : sqlite3_system_errno(opened);
    return unusable(sqlite3_errstr(result) + (why == 0 ? std::string() : std::string(": ") + std::strerror(why)));
  }
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
  database.most_rows_ = unknown ? 0 : bytes / least_row_bytes;
  database.most_text_ = unknown ? 0 : bytes * most_times_text;

  distrust(opened);
  // Until the tables are known, no statement may take more steps than so many of them need. SQLite goes on with a
  // schema of which it read a part: what is said is kept here.
  bool too_many = false;
  const auto stop = [](void* reached) {
    *static_cast<bool*>(reached) = true;
    return 1;
  };
  sqlite3_progress_handler(opened, most_schema_entries * steps_of_schema_entry, stop, &too_many);
  accept_cut_files(opened);
  Query names = database.prepare("sqlite_schema", std::string(ordinary_tables));
  while (names.next())
    if (const auto name = names.text(0)) database.tables_.emplace_back(*name);
  sqlite3_progress_handler(opened, 0, nullptr, nullptr);
  if (too_many) return unusable("it has more than " + std::to_string(most_schema_entries) + " tables and indices");
  if (!names.failure_.empty()) return unusable(names.failure_);
  return database;
}

Result<Database> Database::open(const Input& input, FactSink& sink) {
  const std::string path(input.file());
  if (path.empty()) return unusable("it is no database");
  std::error_code none;
  const std::uintmax_t log = std::filesystem::file_size(path + "-wal", none);
  if (!none && log > 0) sink.note(note_id::write_ahead_log);
  Result<Database> database = open(path);
  const std::uintmax_t bytes = std::filesystem::file_size(path, none);
  if (!database) return database;
  database->sink_ = &sink;
  if (!none && is_cut(input.head().bytes, bytes))
    sink.note(note_id::database_damaged, "the file ends before its last page does");
  note_read_errors(input.file_errors(), bytes, sink);
  sqlite3_progress_handler(database->handle_.get(), steps_between_looks, is_cancelled, &sink);
  return database;
}

bool Database::has(std::string_view table) const {
  return std::find(tables_.begin(), tables_.end(), table) != tables_.end();
}

bool Database::has_rows(std::string_view table) const {
  return has(table) && prepare(table, "SELECT 1 FROM " + sql_name(table) + " LIMIT 1").next();
}

Query Database::select(std::string_view table, std::span<const std::string_view> columns) const {
  if (!has(table)) return {};
  return prepare(table, projection(table, columns));
}

Query Database::select_by(std::string_view table, std::initializer_list<std::string_view> columns,
                          std::string_view key) const {
  if (!has(table)) return {};
  return prepare(table,
                 projection(table, std::span(columns.begin(), columns.size())) + " WHERE " + sql_name(key) + " = ?");
}

Query Database::prepare(std::string_view table, const std::string& sql) const {
  Query query;
  query.sink_ = sink_;
  query.table_ = table;
  query.most_rows_ = most_rows_;
  query.most_text_ = most_text_;
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v2(handle_.get(), sql.c_str(), -1, &statement, nullptr);
  throw_if_out_of_memory(result);
  // What is asked for is there: where SQLite does not know it, it could not read what the schema says of it.
  if (result == SQLITE_ERROR) query.fail("its definition cannot be read");
  else if (result != SQLITE_OK) query.fail(sqlite3_errmsg(handle_.get()));
  query.statement_.reset(statement);
  return query;
}

/// Columns that the table does not have are NULL: SQLite would take their quoted names for texts.
std::string Database::projection(std::string_view table, std::span<const std::string_view> columns) const {
  std::vector<std::string> have;
  Query info = prepare(table, "PRAGMA table_info(" + sql_name(table) + ")");
  constexpr int name_place = 1;
  while (info.next())
    if (const auto name = info.text(name_place)) have.emplace_back(*name);
  std::string sql;
  for (std::string_view column : columns) {
    sql += sql.empty() ? "SELECT " : ", ";
    sql += std::find(have.begin(), have.end(), column) != have.end() ? sql_name(column) : "NULL";
  }
  return sql + " FROM " + sql_name(table);
}

std::string_view TextTable::operator()(std::optional<std::int64_t> id) {
  if (!id) return {};
  const auto [found, added] = known_.try_emplace(*id);
  if (added) {
    query_.bind(*id);
    if (query_.next()) found->second = query_.text(0).value_or("");
  }
  return found->second;
}

}  // namespace kdiag::adapters
