// SPDX-License-Identifier: Apache-2.0
// Makes SQLite databases.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace kdiag::adapters {

/// A value of a row; nothing is NULL.
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string_view>;

/// A database in one transaction, in pages that go to the file as they fill. After a failure nothing is done any more;
/// finish() says what it was. Not thread-safe.
class DatabaseWriter {
 public:
  /// `path`: an empty file.
  explicit DatabaseWriter(const std::string& path);
  ~DatabaseWriter();
  DatabaseWriter(const DatabaseWriter&) = delete;
  DatabaseWriter& operator=(const DatabaseWriter&) = delete;

  /// A statement without an answer.
  void run(const std::string& sql);
  /// The rows that are added from now on are of this table, which has so many columns.
  void begin_rows(std::string_view table, std::size_t columns);
  /// A value for each column. Texts that are no UTF-8 get U+FFFD where they are not. False after a failure.
  bool add(std::span<const SqlValue> values);
  /// Writes what is left. What went wrong; nothing where all is written.
  std::optional<std::string> finish();

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  void expect(int wanted, int result);

  std::unique_ptr<sqlite3, Close> handle_;
  std::unique_ptr<sqlite3_stmt, Finalize> insert_;
  std::string failure_;
};

}  // namespace kdiag::adapters
