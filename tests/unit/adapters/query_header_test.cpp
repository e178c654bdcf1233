// SPDX-License-Identifier: Apache-2.0
// Headers of nvidia-smi's query logs, and the commands that stand in for them.
#include <string>
#include <string_view>
#include <vector>

#include "adapters/nvidia/nvidia_smi/query_header.hpp"
#include "adapters/nvidia/nvidia_smi/query_rows.hpp"
#include "adapters/rows/csv_header.hpp"
#include "tests/catch.hpp"

using namespace kdiag;
using adapters::QueryHeader;

namespace {

std::vector<std::string> columns_of(std::string_view line) {
  std::vector<std::string> names;
  const auto header = QueryHeader::parse(adapters::header_fields(line));
  if (header)
    for (const adapters::QueryColumn& column : header->columns()) names.push_back(column.name);
  return names;
}

}  // namespace

TEST_CASE("a command without a header line is one", "[adapters][nvidia]") {
  using Names = std::vector<std::string>;
  CHECK(columns_of("$ nvidia-smi --query-gpu=index,power.draw --format=csv,noheader,nounits -l 1") ==
        Names{"index", "power.draw"});
  CHECK(columns_of("## `nvidia-smi --query-gpu=power.draw,clocks.sm --format=csv,noheader`") ==
        Names{"power.draw", "clocks.sm"});
  CHECK(columns_of("nvidia-smi --query-gpu=index,power.draw --format=csv").empty());  // its header follows
  CHECK(columns_of("nvidia-smi --query-compute-apps=pid,used_memory --format=csv,noheader").empty());
}

TEST_CASE("a command repeated without end is read once", "[adapters][nvidia][hostile]") {
  std::string line;
  for (int i = 0; i < 60'000; ++i) line += "--query-gpu=";
  CHECK(columns_of(line + "noheader").empty());
}

TEST_CASE("a command tells of rows where some of as many fields follow", "[adapters][nvidia]") {
  const std::string command = "+ nvidia-smi --query-gpu=index,memory.used --format=csv,noheader\n";
  CHECK(adapters::has_rows_below_command(command + "0, 512 MiB\n"));
  CHECK(adapters::has_rows_below_command(command + "\n```\n0, 512 MiB\n"));
  CHECK_FALSE(adapters::has_rows_below_command(command + "echo done\n"));
  CHECK_FALSE(adapters::query_separator(command + "0, 512 MiB\n"));
}

TEST_CASE("a script's own names are a header where they are of a GPU over time", "[adapters][nvidia]") {
  const auto header = QueryHeader::parse(adapters::header_fields("Timestamp,GPU_Util(%),Memory_Used(MiB),Power(W)"));
  REQUIRE(header);
  CHECK(header->of_script());
  CHECK(header->has_series("gpu_util"));
  CHECK(header->has_series("memory_used"));
  CHECK(header->has_series("power"));
  CHECK(columns_of("step,gpu_util,memory_used_mb").empty());     // no times
  CHECK(columns_of("timestamp,gpu_util,loss").empty());          // nothing else of a GPU
  CHECK(columns_of("timestamp,power_w,temperature_c").empty());  // of any machine
}

TEST_CASE("names of a script are read where they state percent, and of one machine", "[adapters][nvidia]") {
  CHECK_FALSE(columns_of("timestamp,gpu_id,gpu_util_pct,memory_used_mib,power_w").empty());
  CHECK(columns_of("timestamp,gpu_id,gpu_util,memory_used_mib,power_w").empty());  // may be a fraction
  CHECK(columns_of("timestamp,hostname,gpu_id,gpu_util_pct,memory_used_mib,power_w").empty());
}

TEST_CASE("a script's bare utilization is in percent where a value shows it", "[adapters][nvidia]") {
  const std::string header = "timestamp,gpu_utilization,memory_used,memory_total\n1746556382.8,0,0,15360\n";
  CHECK(adapters::query_separator(header + "1746556389.7,37,326,15360\n") == ',');
  CHECK_FALSE(adapters::query_separator(header + "1746556389.7,0.37,326,15360\n"));
  CHECK_FALSE(adapters::query_separator(header + "1746556389.7,1,326,15360\n"));  // all of it, or a hundredth
  CHECK_FALSE(adapters::query_separator(header));
}

TEST_CASE("a script may count times from its start", "[adapters][nvidia]") {
  const auto header = QueryHeader::parse(adapters::header_fields("elapsed_sec,gpu_util_pct,mem_used_mb,power_w"));
  REQUIRE(header);
  CHECK(header->since_start() == 1'000'000'000);
  CHECK(QueryHeader::parse(adapters::header_fields("timestamp,gpu_util_pct,power_w"))->since_start() == 0);
  CHECK(columns_of("elapsed,gpu_util_pct,mem_used_mb").empty());  // in which unit?
}

TEST_CASE("the last word of a sentence is no property", "[adapters][nvidia]") {
  CHECK(columns_of("memory.").empty());
  CHECK(columns_of("memory.used [MiB]") == std::vector<std::string>{"memory.used"});
}
