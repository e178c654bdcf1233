// SPDX-License-Identifier: Apache-2.0
#include "adapters/io/sqlite_writer.hpp"

#include <cstring>
#include <new>
#include <type_traits>

#include <sqlite3.h>

#include "adapters/io/sql_name.hpp"
#include "base/utf8.hpp"

namespace kdiag::adapters {
namespace {

std::string well_formed(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (point.valid) out += text.substr(at, point.length);
    else out += "\xEF\xBF\xBD";
    at += point.length;
  }
  return out;
}

int bind_text(sqlite3_stmt* statement, int place, std::string_view text) {
  const auto bind = [&](std::string_view good) {
    return sqlite3_bind_text64(statement, place, good.data(), good.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  };
  return first_invalid_utf8(text) == text.size() ? bind(text) : bind(well_formed(text));
}

int bind_value(sqlite3_stmt* statement, int place, const SqlValue& value) {
  return std::visit(
      [&](const auto& one) {
        using T = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<T, std::monostate>) return sqlite3_bind_null(statement, place);
        else if constexpr (std::is_same_v<T, std::int64_t>) return sqlite3_bind_int64(statement, place, one);
        else if constexpr (std::is_same_v<T, double>) return sqlite3_bind_double(statement, place, one);
        else return bind_text(statement, place, one);
      },
      value);
}

}  // namespace

void DatabaseWriter::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void DatabaseWriter::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

DatabaseWriter::DatabaseWriter(const std::string& path) {
  sqlite3* opened = nullptr;
  const int result = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(opened);
  expect(SQLITE_OK, result);
  // The file is of no use before all of it is there: nothing is kept to undo a part, or to survive a fall of the
  // machine.
  run("PRAGMA journal_mode = OFF");
  run("PRAGMA synchronous = OFF");
  run("BEGIN");
}

DatabaseWriter::~DatabaseWriter() = default;

void DatabaseWriter::expect(int wanted, int result) {
  if (result == wanted || !failure_.empty()) return;
  if (result == SQLITE_NOMEM) throw std::bad_alloc();
  const int why = handle_ == nullptr ? 0 : sqlite3_system_errno(handle_.get());
  failure_ = why != 0 ? std::strerror(why) : sqlite3_errstr(result);
}

void DatabaseWriter::run(const std::string& sql) {
  if (failure_.empty()) expect(SQLITE_OK, sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

void DatabaseWriter::begin_rows(std::string_view table, std::size_t columns) {
  if (!failure_.empty()) return;
  std::string sql = "INSERT INTO " + sql_name(table) + " VALUES (";
  for (std::size_t i = 0; i < columns; ++i) sql += i == 0 ? "?" : ",?";
  sqlite3_stmt* statement = nullptr;
  expect(SQLITE_OK, sqlite3_prepare_v2(handle_.get(), (sql + ")").c_str(), -1, &statement, nullptr));
  insert_.reset(statement);
}

bool DatabaseWriter::add(std::span<const SqlValue> values) {
  if (!failure_.empty()) return false;
  for (std::size_t i = 0; i < values.size(); ++i)
    expect(SQLITE_OK, bind_value(insert_.get(), static_cast<int>(i) + 1, values[i]));
  expect(SQLITE_DONE, sqlite3_step(insert_.get()));
  sqlite3_reset(insert_.get());
  return failure_.empty();
}

std::optional<std::string> DatabaseWriter::finish() {
  insert_.reset();
  run("COMMIT");
  if (failure_.empty()) expect(SQLITE_OK, sqlite3_close(handle_.release()));
  return failure_.empty() ? std::nullopt : std::optional<std::string>(failure_);
}

}  // namespace kdiag::adapters
