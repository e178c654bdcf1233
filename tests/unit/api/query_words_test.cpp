// SPDX-License-Identifier: Apache-2.0
// Completion and help of queries.
#include <algorithm>
#include <string>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/tools.hpp>

#include "engine/language/functions.hpp"
#include "tests/catch.hpp"

namespace kdiag::tests {
namespace {

RuleSet library() {
  auto rules = builtin_rules();
  if (!rules) FAIL(render(rules.error()));
  return *rules;
}

std::string completed(const std::string& text) {
  const QueryCompletion found = complete_query(library(), text, text.size());
  std::string out;
  for (const std::string& word : found.words) out += (out.empty() ? "" : " ") + text.substr(0, found.begin) + word;
  return out;
}

}  // namespace

TEST_CASE("names complete by where they stand", "[api]") {
  CHECK(completed("kernel_") ==
        "kernel_durations kernel_functions kernel_profiler kernel_slowdown kernel_stats kernel_time");
  CHECK(completed("sum(kernel_stats, tot") == "sum(kernel_stats, total");
  CHECK(completed("tot") == "");
  CHECK(completed("medi") == "median(");
  CHECK(completed("device_b") == "device_busy");
  CHECK(completed("device.sm_clock_r") == "device.sm_clock_rated");
  CHECK(completed("top(idle, 1, dur).op.host_s") == "top(idle, 1, dur).op.host_self");
  CHECK(completed("all.kernel_") == "all.kernel_durations all.kernel_stats");
  CHECK(completed("series(\"tensor") == "series(\"tensor_active");
  CHECK(completed("$mar") == "");
  CHECK(completed("kernels whe") == "kernels where");
  CHECK(complete_query(library(), "count(ker) + 1", 9).words ==
        std::vector<std::string>{"kernel_durations", "kernel_functions", "kernel_profiler", "kernel_slowdown",
                                 "kernel_stats", "kernel_time", "kernels", "kernels_by_name"});
  CHECK(complete_query(library(), "", 99).words.size() > 50);
}

TEST_CASE("help knows every table, function and define", "[api]") {
  const RuleSet rules = library();
  for (const TableInfo& table : catalogue_tables) CHECK(query_help(rules, table.name).starts_with("table "));
  for (const Function& function : function_table())
    CHECK(query_help(rules, function.name).find(function.signature) != std::string::npos);
  CHECK(query_help(rules, "device_busy").find("coalesce(") != std::string::npos);
  CHECK(query_help(rules, "idle.cause").starts_with("idle.cause: "));
  CHECK(query_help(rules, "kernelz") == "nothing is called 'kernelz': did you mean 'kernels'?\n");
  CHECK(query_help(rules, "").find("clock_reference") != std::string::npos);
}

}  // namespace kdiag::tests
