// SPDX-License-Identifier: Apache-2.0
#include "tests/support/shared_traces.hpp"

#include <sqlite3.h>

#include <filesystem>

#include "adapters/json/json.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"

namespace kdiag::tests {
namespace {

adapters::JsonValue value_of(const Facts& facts, const std::string& expression) {
  const Result<QueryAnswer> answer = query(facts, expression);
  CAPTURE(expression);
  if (!answer) FAIL(render(answer.error()));
  CAPTURE(answer->json);
  const auto json = adapters::parse_json(answer->json);
  REQUIRE(json);
  const adapters::JsonValue value = (*json)["value"];
  REQUIRE(value.kind == adapters::JsonValue::Kind::number);
  return value;
}

}  // namespace

std::string shared_trace(const std::string& name) {
  return std::string(KDIAG_SOURCE_DIR) + "/../shared/traces/" + name;
}

std::string shared_seed(const std::string& number) {
  for (const auto& entry : std::filesystem::directory_iterator(shared_trace("../seeds")))
    if (entry.path().filename().string().starts_with(number)) return entry.path().string();
  return {};
}

Facts load_facts(const std::string& path, const LoadOptions& options) {
  Result<Facts> facts = load_trace(path, options);
  CAPTURE(path);
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

std::int64_t integer_of(const Facts& facts, const std::string& expression) {
  return value_of(facts, expression).integer().value_or(-1);
}

double real_of(const Facts& facts, const std::string& expression) {
  return value_of(facts, expression).real().value_or(-1);
}

std::int64_t total(const Facts& facts, ColumnId column) {
  std::int64_t sum = 0;
  for (const std::int64_t value : facts.loaded().runs.at(0).store->integers(column))
    if (value != absent_integer) sum += value;
  return sum;
}

std::int64_t rows(const Facts& facts, TableId table) {
  return static_cast<std::int64_t>(facts.loaded().runs.at(0).store->rows(table));
}

std::int64_t sql(const std::string& name, const std::string& statement) {
  sqlite3* database = nullptr;
  const std::string uri = "file:" + shared_trace(name) + "?immutable=1";
  REQUIRE(sqlite3_open_v2(uri.c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr) == SQLITE_OK);
  sqlite3_stmt* rows = nullptr;
  CAPTURE(statement);
  REQUIRE(sqlite3_prepare_v2(database, statement.c_str(), -1, &rows, nullptr) == SQLITE_OK);
  REQUIRE(sqlite3_step(rows) == SQLITE_ROW);
  const std::int64_t value = sqlite3_column_int64(rows, 0);
  sqlite3_finalize(rows);
  sqlite3_close(database);
  return value;
}

const Finding* find_finding(const std::vector<Finding>& findings, const std::string& rule) {
  for (const Finding& finding : findings) {
    if (finding.rule == rule) return &finding;
    if (const Finding* nested = find_finding(finding.symptoms, rule)) return nested;
  }
  return nullptr;
}

}  // namespace kdiag::tests
