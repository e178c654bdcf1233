// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/comparison_phrases.hpp"

#include <string>

#include <kdiag/compare.hpp>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

/// Runs of the same work, of which the second took half as long.
Comparison cheaper_calls() {
  Comparison comparison;
  comparison.nature = Nature::cost;
  comparison.verdict = Verdict::inconclusive;
  comparison.cycle.normal_ns = 600'000'000;
  comparison.cycle.abnormal_ns = 300'000'000;
  return comparison;
}

ChangeEntry call(const std::string& name, ChangeWay way, std::int64_t delta_ns) {
  ChangeEntry change;
  change.kind = ChangeKind::api;
  change.name = name;
  change.change = way;
  change.delta_ns = delta_ns;
  return change;
}

}  // namespace

TEST_CASE("the same work at another cost sends to the machine, and to calls that are new", "[report]") {
  Comparison comparison = cheaper_calls();
  CHECK(report::nature_phrase(comparison).find("Look at data, machine, clocks and drivers") != std::string::npos);
  comparison.changes = {
      call("cudaHostAlloc", ChangeWay::appeared, 660'000'000), call("cudaMemcpy", ChangeWay::faster, -300'000'000),
      call("cuModuleLoadData", ChangeWay::appeared, 50'000'000), call("cudaMallocAsync", ChangeWay::gone, -90'000'000),
      call("cudaEventCreate", ChangeWay::appeared, 900)};
  const std::string phrase = report::nature_phrase(comparison);
  CHECK(phrase.ends_with("drivers before the program, and at calls that it makes now (cudaHostAlloc)."));
}

TEST_CASE("kernels whose names a table cut are dearer only where they are as many as before", "[report]") {
  ChangeEntry change = call("void at::native::elementwise_kernel<128, 2, at::nati...", ChangeWay::slower, -5'000'000);
  change.kind = ChangeKind::kernel;
  change.calls_normal = change.calls_abnormal = 640;
  change.mean_normal_ns = 9'000;
  change.mean_abnormal_ns = 28'800;
  CHECK(report::change_phrase(change).find("3.2x dearer") != std::string::npos);
  change.calls_abnormal = 16;
  CHECK(report::change_phrase(change).find("dearer") == std::string::npos);
  change.name = "gelu";
  CHECK(report::change_phrase(change).find("3.2x dearer") != std::string::npos);
}
