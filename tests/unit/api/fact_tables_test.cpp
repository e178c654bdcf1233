// SPDX-License-Identifier: Apache-2.0
// Tables of facts as CSV, JSON lines and a database.
#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

#include <kdiag/columns.hpp>
#include <kdiag/fact_tables.hpp>

#include "adapters/io/sqlite.hpp"
#include "tests/catch.hpp"
#include "tests/support/folder.hpp"

using namespace kdiag;

namespace {

// Two runs: keys of the second go on behind those of the first. What is null is not known.
const std::string two_runs =
    R"({"schema": "kdiag.facts/1"}
{"run": {"label": "first", "clock": "unix"}}
{"table": "devices", "columns": ["id", "kind"], "rows": [[0, "GPU"], [1, "GPU"]]}
{"table": "threads", "columns": ["process", "id", "name"], "rows": [[7, 7, "main"]]}
{"table": "api", "columns": ["name", "start", "dur", "thread", "correlation", "is_launch"], "rows": [["cudaLaunchKernel", 1000, 10, 0, 1, true], ["cudaLaunchKernel", 1100, 10, 0, 2, true]]}
{"table": "kernels", "columns": ["name", "start", "dur", "device", "correlation", "occupancy"], "rows": [["=gemm,\"a\"", 1020, 50, 0, 1, 0.5], ["relu", 1120, 25, 1, 2, null]]}
{"table": "copies", "columns": [], "rows": []}
{"run": {"label": "second", "clock": "unix"}}
{"table": "devices", "columns": ["id", "kind"], "rows": [[0, "GPU"]]}
{"table": "threads", "columns": ["process", "id", "name"], "rows": [[7, 7, "main"]]}
{"table": "api", "columns": ["name", "start", "dur", "thread", "correlation", "is_launch"], "rows": [["hipLaunchKernel", 9000000, 10, 0, 1, true]]}
{"table": "kernels", "columns": ["name", "start", "dur", "device", "correlation"], "rows": [["softmax", 9000020, null, 0, 1]]}
)";

Facts facts_of(const std::string& text, const ScopeOptions& scope = {}) {
  const auto facts = load_trace("runs.jsonl", std::span<const char>(text), {.scope = scope});
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

std::string rows_of(const Facts& facts, std::string_view table, TableFormat format) {
  std::string out;
  const Status status = write_fact_table(facts, table, format, [&out](std::string_view piece) {
    out += piece;
    return true;
  });
  if (!status) FAIL(render(status.error()));
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

TEST_CASE("rows of a table are CSV with keys, labels and nothing where nothing is known", "[api]") {
  const std::vector<std::string> lines = lines_of(rows_of(facts_of(two_runs), "kernels", TableFormat::csv));
  REQUIRE(lines.size() == 4);
  CHECK(
      lines[0].starts_with("key,run,name,class,start,dur,device,device_label,stream,stream_label,correlation,launch,"
                           "launch_label,op,op_label,step,step_label,grid_x,"));
  CHECK(lines[1].starts_with("0,0,\"'=gemm,\"\"a\"\"\",,1020,50,0,GPU 0,,,1,0,cudaLaunchKernel,"));
  CHECK(lines[1].find(",0.5,") != std::string::npos);
  CHECK(lines[2].starts_with("1,0,relu,,1120,25,1,GPU 1,,,2,1,cudaLaunchKernel,"));
  CHECK(lines[2].find("0.5") == std::string::npos);
  // The keys of the second run go on: its device is the third, its call the third.
  CHECK(lines[3].find(",9000020,,2,GPU 0,,,1,2,hipLaunchKernel,") != std::string::npos);
  CHECK(lines[3].starts_with("2,1,softmax,"));
}

TEST_CASE("of a part of the runs the rows in it are written, with the keys that they have among all", "[api]") {
  const Facts part = facts_of(two_runs, {.device = 1});
  const std::vector<std::string> lines = lines_of(rows_of(part, "kernels", TableFormat::csv));
  REQUIRE(lines.size() == 2);
  CHECK(lines[1].starts_with("1,0,relu,,1120,25,1,GPU 1,,,2,1,cudaLaunchKernel,"));
  CHECK(rows_in_part(part, 0, table("kernels")) == std::vector<std::uint32_t>{1});
  CHECK(rows_in_part(part, 1, table("kernels")).empty());
  CHECK(rows_in_part(part, 0, table("samples")).empty());
  CHECK(rows_in_part(part, 7, table("kernels")).empty());
  CHECK(rows_in_part(facts_of(two_runs), 0, table("kernels")) == std::vector<std::uint32_t>{0, 1});
  // By time: a kernel belongs to the part in which its call began.
  const Facts early = facts_of(two_runs, {.to_ns = 50});
  CHECK(rows_in_part(early, 0, table("kernels")) == std::vector<std::uint32_t>{0});
}

TEST_CASE("a line of JSON names the columns that are known of some row", "[api]") {
  const std::vector<std::string> lines = lines_of(rows_of(facts_of(two_runs), "kernels", TableFormat::json_lines));
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].starts_with(R"({"key": 0, "run": 0, "name": "=gemm,\"a\"", )"));
  CHECK(lines[0].find(R"("occupancy": 0.5)") != std::string::npos);
  CHECK(lines[1].find(R"("occupancy": null)") != std::string::npos);
  CHECK(lines[2].find(R"("dur": null, "device": 2, "device_label": "GPU 0")") != std::string::npos);
  CHECK(lines[0].find("stream") == std::string::npos);
}

TEST_CASE("a table without rows has a heading, and one that is not recorded is an error", "[api]") {
  const Facts facts = facts_of(two_runs);
  CHECK(lines_of(rows_of(facts, "copies", TableFormat::csv)).size() == 1);
  CHECK(rows_of(facts, "copies", TableFormat::json_lines).empty());
  const auto refused = [&](std::string_view table) {
    const Status status = write_fact_table(facts, table, TableFormat::csv, [](std::string_view) { return true; });
    return status ? std::string() : render(status.error());
  };
  CHECK(refused("memsets").find("do not record the table 'memsets'") != std::string::npos);
  CHECK(refused("kernel").find("did you mean 'kernels'") != std::string::npos);
}

TEST_CASE("the database holds the tables that were recorded, with what their columns mean", "[api]") {
  const tests::Folder folder({});
  const std::string path = folder.path("facts.db");
  std::FILE* file = std::fopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  const Status status = write_fact_database(facts_of(two_runs), [file](std::string_view piece) {
    return std::fwrite(piece.data(), 1, piece.size(), file) == piece.size();
  });
  REQUIRE(std::fclose(file) == 0);
  REQUIRE(status);
  const auto database = adapters::Database::open(path);
  REQUIRE(database);
  CHECK(database->has("copies"));
  CHECK_FALSE(database->has("memsets"));
  auto kernels = database->select("kernels", {"key", "run", "name", "dur", "device_label", "launch", "occupancy"});
  REQUIRE(kernels.next());
  CHECK(kernels.text(2) == "=gemm,\"a\"");  // no spreadsheet opens it: as it is
  CHECK(kernels.integer(3) == 50);
  CHECK(kernels.real(6) == 0.5);
  REQUIRE(kernels.next());
  CHECK_FALSE(kernels.real(6));
  REQUIRE(kernels.next());
  CHECK(kernels.integer(0) == 2);
  CHECK(kernels.integer(1) == 1);
  CHECK_FALSE(kernels.integer(3));
  CHECK(kernels.text(4) == "GPU 0");
  CHECK(kernels.integer(5) == 2);
  CHECK_FALSE(kernels.next());
  auto columns = database->select("columns", {"table", "column", "type", "unit", "refers_to"});
  bool launch = false, duration = false;
  while (columns.next()) {
    if (columns.text(0) != "kernels") continue;
    launch = launch || (columns.text(1) == "launch" && columns.text(2) == "reference" && columns.text(4) == "api");
    duration = duration || (columns.text(1) == "dur" && columns.text(2) == "integer" && columns.text(3) == "ns");
  }
  CHECK(launch);
  CHECK(duration);
}

TEST_CASE("an output that wants no more ends the tables, and a host can stop them", "[api]") {
  const Facts facts = facts_of(two_runs);
  int pieces = 0;
  CHECK(write_fact_table(facts, "kernels", TableFormat::csv, [&pieces](std::string_view) { return ++pieces < 1; }));
  CHECK(pieces == 1);
  std::atomic<bool> stop = true;
  const auto none = [](std::string_view) { return false; };
  CHECK(write_fact_table(facts, "kernels", TableFormat::csv, none, &stop).error().front().id == "K690");
  CHECK(write_fact_database(facts, none, &stop).error().front().id == "K690");
}
