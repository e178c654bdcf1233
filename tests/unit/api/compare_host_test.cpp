// SPDX-License-Identifier: Apache-2.0
// What a comparison says of the host, which rank it takes, and what a regression without a cause looks like in SARIF.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/compare.hpp>
#include <kdiag/facts_builder.hpp>
#include <kdiag/input.hpp>

#include "tests/catch.hpp"
#include "tests/corpus/workload.hpp"

using namespace kdiag;

namespace {

Report compared_hosts(const Facts& normal, const Facts& abnormal) {
  Result<Report> report = compare({normal, abnormal}, *builtin_rules());
  if (!report) FAIL(render(report.error()));
  return std::move(*report);
}

Facts simulated_ranks(const corpus::Workload& workload, std::uint64_t seed) {
  const std::vector<corpus::TraceFile> files = corpus::simulate(workload, seed);
  std::vector<TraceInput> inputs;
  for (const corpus::TraceFile& file : files) inputs.push_back(TraceInput::memory(file.name, file.text));
  Result<Facts> facts = load_inputs(inputs);
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

corpus::Workload training() {
  corpus::Workload workload;
  workload.steps = 10;
  workload.layers = 6;
  return workload;
}

const ChangeEntry* change_of(const Comparison& comparison, std::string_view name) {
  const auto found = std::find_if(comparison.changes.begin(), comparison.changes.end(),
                                  [&](const ChangeEntry& change) { return change.name == name; });
  return found == comparison.changes.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("what waits for the device stands behind what the device took", "[compare][api]") {
  corpus::Workload workload = training();
  workload.reads_per_step = 6;
  const Facts normal = simulated_ranks(workload, 1);
  workload.gemm *= 2;
  const Report report = compared_hosts(normal, simulated_ranks(workload, 2));
  const std::vector<ChangeEntry>& changes = report.comparison->changes;
  REQUIRE(!changes.empty());
  CHECK_FALSE(changes.front().waits);
  CHECK(std::is_partitioned(changes.begin(), changes.end(), [](const ChangeEntry& change) { return !change.waits; }));
  for (const std::string_view name : {"aten::item", "cudaStreamSynchronize"}) {
    CAPTURE(name);
    const ChangeEntry* wait = change_of(*report.comparison, name);
    if (wait == nullptr) continue;  // told by an operator around it
    CHECK(wait->waits);
    CHECK(wait->delta_ns > 0);
  }
  CHECK(std::any_of(changes.begin(), changes.end(), [](const ChangeEntry& change) { return change.waits; }));
  CHECK(to_text(report).find("waiting, ") != std::string::npos);
  CHECK(to_markdown(report).find("waiting: ") != std::string::npos);
}

TEST_CASE("a range of the host is listed with the time that nothing inside of it took", "[compare][api]") {
  corpus::Workload workload = training();
  workload.step_range = "tokenize";
  workload.step_extra = 200'000;
  const Facts normal = simulated_ranks(workload, 1);
  workload.step_extra = 5'000'000;
  const Report report = compared_hosts(normal, simulated_ranks(workload, 2));
  const ChangeEntry* range = change_of(*report.comparison, "tokenize");
  REQUIRE(range != nullptr);
  CHECK(range->kind == ChangeKind::range);
  CHECK(range->delta_ns == Approx(4'800'000).epsilon(0.05));
  CHECK(range->calls_abnormal == 1);
}

TEST_CASE("swapped sides show the same cycles, whichever rank is slow", "[compare][api]") {
  for (const bool marked : {true, false})
    for (const std::uint64_t seed : {1, 2, 3}) {
      corpus::Workload workload = training();
      workload.ranks = 3;
      workload.all_reduce = 800'000;
      workload.marks_steps = marked;
      const Facts one = simulated_ranks(workload, seed);
      workload.slow_rank = 1.5;
      workload.loader_wait *= 3;
      const Facts other = simulated_ranks(workload, seed + 10);
      const Report there = compared_hosts(one, other), back = compared_hosts(other, one);
      CAPTURE(marked, seed);
      CHECK(there.comparison->cycle.basis == back.comparison->cycle.basis);
      CHECK(there.comparison->cycle.normal.times_ns == back.comparison->cycle.abnormal.times_ns);
      CHECK(there.comparison->cycle.abnormal.times_ns == back.comparison->cycle.normal.times_ns);
      CHECK(there.comparison->decomposed.delta_ns == -back.comparison->decomposed.delta_ns);
    }
}

TEST_CASE("of ranks that wait for each other the one that works is divided", "[compare][api]") {
  corpus::Workload workload = training();
  workload.ranks = 3;
  workload.all_reduce = 800'000;
  workload.overlapped = false;
  const Facts normal = simulated_ranks(workload, 1);
  workload.slow_rank = 1.5;  // the last one
  const Report report = compared_hosts(normal, simulated_ranks(workload, 2));
  CHECK(report.comparison->decomposed.rank == 2);
  const auto& parts = report.comparison->decomposition;
  const auto most = std::max_element(parts.begin(), parts.end(),
                                     [](const auto& a, const auto& b) { return a.delta_ns < b.delta_ns; });
  REQUIRE(most != parts.end());
  CHECK(most->name == "compute");
}

TEST_CASE("a regression is a result of SARIF, whether or not a cause of it was found", "[compare][api]") {
  const Facts normal = simulated_ranks(training(), 1);
  corpus::Workload workload = training();
  workload.step_silence = 8'000'000;  // the host does nothing that is recorded
  const Report report = compared_hosts(normal, simulated_ranks(workload, 2));
  REQUIRE(report.comparison->verdict == Verdict::regression);
  const auto severity = severity_of(*report.comparison);
  REQUIRE(severity);
  const std::string sarif = to_sarif(report);
  CHECK(sarif.find("\"ruleId\": \"compare.regression\"") != std::string::npos);
  CHECK(sarif.find("Regression: ") != std::string::npos);
  const Report same = compared_hosts(normal, normal);
  CHECK_FALSE(severity_of(*same.comparison));
  CHECK(to_sarif(same).find("\"ruleId\": \"compare.regression\"") == std::string::npos);
}

TEST_CASE("a range that loads data can be the anchor", "[compare][api]") {
  corpus::Workload workload = training();
  const Facts normal = simulated_ranks(workload, 1);
  workload.loader_wait *= 3;
  CompareOptions options;
  options.anchor = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
  const Result<Report> report = compare({normal, simulated_ranks(workload, 2)}, *builtin_rules(), options);
  REQUIRE(report);
  CHECK(report->comparison->cycle.basis == CycleBasis::range);
  CHECK(*report->comparison->cycle.change == Approx(2).epsilon(0.1));
}

TEST_CASE("of tables without events the names of calls tell that they wait", "[compare][api]") {
  const auto table = [](std::int64_t wait) {
    FactsBuilder builder("a table");
    FactRows& rows = builder.rows();
    const Row kernel = rows.add("kernel_stats");
    rows.set(kernel, "name", "gemm");
    rows.set(kernel, "calls", std::int64_t{10});
    rows.set(kernel, "total", std::int64_t{50'000'000});
    rows.set(kernel, "device", rows.batch().device(0));
    for (const char* name : {"hipDeviceSynchronize", "cnrtQueueSync", "aten::item", "hipLaunchKernel"}) {
      const bool is_operator = std::string_view(name) == "aten::item";
      const Row call = rows.add(is_operator ? "op_stats" : "api_stats");
      rows.set(call, "name", name);
      rows.set(call, "calls", std::int64_t{10});
      rows.set(call, is_operator ? "host_total" : "total", wait);
    }
    Result<Facts> facts = std::move(builder).build();
    if (!facts) FAIL(render(facts.error()));
    return *facts;
  };
  const Report report = compared_hosts(table(1'000'000), table(9'000'000));
  for (const char* name : {"hipDeviceSynchronize", "cnrtQueueSync", "aten::item"}) {
    CAPTURE(name);
    REQUIRE(change_of(*report.comparison, name) != nullptr);
    CHECK(change_of(*report.comparison, name)->waits);
  }
  REQUIRE(!report.comparison->changes.empty());
  CHECK(report.comparison->changes.front().name == "hipLaunchKernel");
  CHECK_FALSE(report.comparison->changes.front().waits);
}
