// SPDX-License-Identifier: Apache-2.0
// Kernels as functions by cycle: which of them, and how many values that may be.
#include "engine/compare/kernel_samples.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "tests/catch.hpp"
#include "tests/support/derived_run.hpp"

using namespace kdiag;
using tests::run_of;
using tests::Trace;

namespace {

/// Of a run with itself, by the ranges called "batch".
std::vector<MetricSamples> samples_of(Trace trace) {
  const RunFacts run = run_of(std::move(trace));
  const RunMatch match(*run.store, *run.store);
  const ComparedPair pair = pair_of(run, run, match);
  return kernel_samples(pair, find_cycles(pair, "batch")).abnormal;
}

/// Ranges of 1 us, with what `add_kernels(trace, cycle, start)` puts in each.
template <class AddKernels>
Trace batches(int count, AddKernels add_kernels) {
  Trace trace;
  const Row thread = trace.thread(1);
  for (int i = 0; i < count; ++i) {
    trace.range(thread, "batch", "user", i * 1000, 1000);
    add_kernels(trace, i, i * 1000);
  }
  return trace;
}

}  // namespace

TEST_CASE("a kernel has a share of each cycle, also of those without it", "[compare]") {
  const auto samples = samples_of(batches(6, [](Trace& trace, int cycle, std::int64_t start) {
    if (cycle % 2 == 0) trace.kernel(0, "gemm", start, 100);
    if (cycle % 2 == 0) trace.kernel(0, "gemm", start + 200, 50);
    trace.kernel(0, "relu", start + 400, 20);
  }));
  REQUIRE(samples.size() == 2);
  const auto gemm =
      std::find_if(samples.begin(), samples.end(), [](const MetricSamples& own) { return own.function == "gemm"; });
  REQUIRE(gemm != samples.end());
  CHECK(gemm->beta_by_cycle == std::vector<double>{15, 0, 15, 0, 15, 0});
}

TEST_CASE("durations beyond all reason add up to no more than there is", "[compare]") {
  constexpr std::int64_t absurd = std::numeric_limits<std::int64_t>::max() / 2;
  const auto samples = samples_of(batches(6, [](Trace& trace, int /*cycle*/, std::int64_t start) {
    for (const std::int64_t offset : {0, 100, 200}) trace.kernel(0, "gemm", start + offset, absurd);
  }));
  for (const MetricSamples& own : samples)
    for (const double beta : own.beta_by_cycle) CHECK(beta >= 0);
}

TEST_CASE("of more kernels and cycles than can be held those that take most time are compared", "[compare]") {
  // All of one family: a name of its own in each cycle, later ones longer.
  constexpr int cycles = 2000;
  const auto samples = samples_of(batches(cycles, [](Trace& trace, int cycle, std::int64_t start) {
    trace.kernel(0, "fused_" + std::to_string(cycle), start, 1 + cycle / 4);
  }));
  CHECK(samples.size() == 1000);
  for (const MetricSamples& own : samples) {
    CHECK(own.beta_by_cycle.size() == cycles);
    CHECK(std::stoi(own.function.substr(6)) >= 996);
  }
}
