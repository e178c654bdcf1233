// SPDX-License-Identifier: Apache-2.0
// Real timelines of Ascend's profiler beside the repository, against the tables that the same profiler wrote.
#include <string>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using tests::real_of;
using tests::shared_trace;

TEST_CASE("an Ascend timeline agrees with the profiler's own step and kernel tables", "[shared]") {
  struct Expected {
    std::string rank;
    double kernels;                            // kernel_details.csv, without HCCL
    double computing, communication, exposed;  // step_trace_time.csv, us
  };
  const auto [rank, kernels, computing, communication, exposed] = GENERATE(
      Expected{"0", 187, 8873.756, 105991.878, 101963.203}, Expected{"1", 187, 8878.295, 100375.286, 96359.047});
  CAPTURE(rank);
  const Facts facts = tests::load_facts(shared_trace("ascend_msinsight/test/data/pytorch/text/level1/rank" + rank +
                                                     "_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"));
  CHECK(real_of(facts, "count(kernels where class != \"communication\")") == kernels);
  CHECK(real_of(facts, "count(comms)") == 4);
  CHECK(real_of(facts, "busy(kernels where class != \"communication\")") / 1000 == Approx(computing).margin(0.5));
  CHECK(real_of(facts, "busy(kernels where class == \"communication\")") / 1000 == Approx(communication).margin(0.5));
  CHECK(real_of(facts, "exposed(kernels where class == \"communication\", kernels where class != \"communication\")") /
            1000 ==
        Approx(exposed).margin(0.5));
  CHECK(real_of(facts, "count(kernels where defined(launch))") == kernels + 4);
  // 64 to 75 % of the step is communication that nothing hides.
  const Report report = diagnose(facts, *builtin_rules());
  REQUIRE_FALSE(report.findings.empty());
  CHECK(report.findings[0].rule == "comm.exposed");
}

TEST_CASE("an older Ascend timeline is linked by its arrows", "[shared]") {
  const Facts facts = tests::load_facts(shared_trace("ascend_mstt/ut/advisor/timeline_advice/trace_view.json"));
  // Counts and sums of its events by process, less the step; "Computing" of its Overlap Analysis.
  CHECK(real_of(facts, "count(ops)") == 710);
  CHECK(real_of(facts, "count(kernels) + count(copies)") == 276);
  CHECK(real_of(facts, "busy(kernels)") / 1000 == Approx(1788.251).margin(0.5));
  CHECK(real_of(facts, "count(kernels where defined(op))") == 274);
  CHECK(real_of(facts, "count(kernels where defined(launch))") == 274);
}
