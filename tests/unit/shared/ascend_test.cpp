// SPDX-License-Identifier: Apache-2.0
// Real tables of Ascend's profiler: what it says of a step in step_trace_time.csv must come out of the kernels of
// kernel_details.csv, and its collectives in communication.json must be those of the kernels.
#include <cmath>
#include <string>
#include <tuple>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

std::string rank_file(int rank, const std::string& name) {
  return shared_trace("ascend_msinsight/test/data/pytorch/text/level1/rank" + std::to_string(rank) +
                      "_ascend_pt/ASCEND_PROFILER_OUTPUT/" + name);
}

/// Equal up to the rounding of single starts and durations to ns.
bool close(std::int64_t a, std::int64_t b) { return std::abs(a - b) <= 500; }

}  // namespace

TEST_CASE("Ascend: the kernels make up the account of the step", "[shared][ascend]") {
  const int rank = GENERATE(0, 1);
  const Facts kernels = load_facts(rank_file(rank, "kernel_details.csv"));
  const Facts step = load_facts(rank_file(rank, "step_trace_time.csv"));
  CHECK(integer_of(kernels, "count(kernels)") == 191);
  const std::string computing = "spans(kernels where class != \"communication\")";
  const auto phase = [&](const std::string& kind) {
    return integer_of(step, "sum(phases where kind == \"" + kind + "\", dur)");
  };
  CHECK(close(integer_of(kernels, "length(" + computing + ")"), phase("kernel")));
  CHECK(close(integer_of(kernels, "length(spans(comms) - " + computing + ")"), phase("communication")));
  CHECK(close(integer_of(kernels, "run.wall - length(spans(kernels))"), phase("other")));
  CHECK(close(integer_of(kernels, "run.wall"), integer_of(step, "run.wall")));
}

TEST_CASE("Ascend: totals and collectives agree with the kernels", "[shared][ascend]") {
  const int rank = GENERATE(0, 1);
  const Facts kernels = load_facts(rank_file(rank, "kernel_details.csv"));
  const Facts totals = load_facts(rank_file(rank, "op_statistic.csv"));
  CHECK(integer_of(totals, "sum(kernel_stats, calls)") ==
        integer_of(kernels, "count(kernels where class != \"communication\")"));
  CHECK(std::abs(integer_of(totals, "sum(kernel_stats, total)") -
                 integer_of(kernels, "sum(kernels where class != \"communication\", dur)")) < 10'000);
  const Facts communication = load_facts(rank_file(rank, "communication.json"));
  CHECK(integer_of(communication, "count(comms)") == integer_of(kernels, "count(comms)"));
  CHECK(close(integer_of(communication, "sum(comms, dur)"), integer_of(kernels, "sum(comms, dur)")));
}

TEST_CASE("Ascend: a table of which rows were deleted is not judged", "[shared][ascend]") {
  const Report report = diagnose(
      load_facts(shared_trace("ascend_mstt/ut/advisor/compute_advice/data/kernel_details.csv")), *builtin_rules());
  CHECK(report.findings.empty());
}

TEST_CASE("Ascend: steps of all ranks of a cluster", "[shared][ascend]") {
  const Facts facts =
      load_facts(shared_trace("ascend_mstt/resource/advisor/cluster_analysis_output/cluster_step_trace_time.csv"));
  CHECK(integer_of(facts, "count(ranks)") == 8);
  CHECK(integer_of(facts, "max(steps, dur)") == 1'754'646'081);
}
