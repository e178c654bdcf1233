// SPDX-License-Identifier: Apache-2.0
// A build without SQLite (KDIAG_SQLITE=OFF): no database is ever opened, so that none of what follows has rows.
#include <kdiag/refusal_ids.hpp>

#include "adapters/io/byte_source.hpp"
#include "adapters/io/sqlite.hpp"
#include "adapters/io/sqlite_writer.hpp"

namespace kdiag::adapters {

bool sqlite_available() { return false; }

void Query::Finalize::operator()(sqlite3_stmt*) const {}
void Database::Close::operator()(sqlite3*) const {}
void DatabaseWriter::Close::operator()(sqlite3*) const {}
void DatabaseWriter::Finalize::operator()(sqlite3_stmt*) const {}

bool Query::next() { return false; }
std::optional<std::int64_t> Query::integer(int) const { return {}; }
std::optional<double> Query::real(int) const { return {}; }
std::optional<std::string_view> Query::text(int) const { return {}; }
void Query::bind(std::int64_t) {}

Result<Database> Database::open(const std::string&) {
  return input_error(refusal_id::database_unreadable, "this build of kdiag reads no SQLite databases",
                     "Build it with -DKDIAG_SQLITE=ON, or export text: `nsys stats --format csv`, `rocprofv3 "
                     "--output-format csv`.");
}
Result<Database> Database::open(const Input&, FactSink&) { return open({}); }
bool Database::has(std::string_view) const { return false; }
bool Database::has_rows(std::string_view) const { return false; }
Query Database::select(std::string_view, std::span<const std::string_view>) const { return Query(); }
Query Database::select_by(std::string_view, std::initializer_list<std::string_view>, std::string_view) const {
  return Query();
}
std::string_view TextTable::operator()(std::optional<std::int64_t>) { return {}; }

DatabaseWriter::DatabaseWriter(const std::string&) {}
DatabaseWriter::~DatabaseWriter() = default;
void DatabaseWriter::run(const std::string&) {}
void DatabaseWriter::begin_rows(std::string_view, std::size_t) {}
bool DatabaseWriter::add(std::span<const SqlValue>) { return false; }
std::optional<std::string> DatabaseWriter::finish() { return "this build of kdiag makes no SQLite databases"; }

}  // namespace kdiag::adapters
