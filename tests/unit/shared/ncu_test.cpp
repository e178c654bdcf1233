// SPDX-License-Identifier: Apache-2.0
// Real reports of Nsight Compute beside the repository, against figures taken from their text by other means.
#include <string>
#include <tuple>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using tests::real_of;
using tests::shared_trace;

TEST_CASE("text reports of Nsight Compute give the durations they print", "[shared]") {
  // Sums of the gpu__time_duration.sum lines, units resolved, and means of the tensor percentages.
  using Row = std::tuple<std::string, double, double, double>;
  const auto [name, kernels, total_ns, tensor] = GENERATE(values<Row>({{"bulksync-825", 3, 2'780'170, 0.398667},
                                                                       {"bulksync-1530", 3, 2'777'840, 0.399233},
                                                                       {"pipelined-825", 1, 3'510'000, 0.3348},
                                                                       {"pipelined-825-ns", 1, 3'240'000, 0.3627},
                                                                       {"pipelined-1530", 1, 3'540'000, 0.3320},
                                                                       {"pipelined-1530-ns", 1, 3'250'000, 0.3617}}));
  const Facts facts =
      tests::load_facts(shared_trace("ncu_text_gpu_pipes/ncu_results/mgn_linears/ncu-" + name + ".txt"));
  CAPTURE(name);
  CHECK(real_of(facts, "count(kernels)") == kernels);
  CHECK(real_of(facts, "sum(kernels, dur)") == total_ns);
  CHECK(real_of(facts, "avg(kernels, tensor_util)") == Approx(tensor).margin(0.000001));
}

TEST_CASE("a log of ncu --csv with rules and noise gives its one launch", "[shared]") {
  const Facts facts = tests::load_facts(shared_trace("superbench/cublaslt_ncu.log"));
  CHECK(real_of(facts, "count(kernels)") == 1);
  CHECK(real_of(facts, "sum(kernels, dur)") == 406'240);
  CHECK(real_of(facts, "max(kernels, occupancy)") == Approx(0.1553));
  CHECK(real_of(facts, "max(kernels, dram_util)") == Approx(0.0074));
  CHECK(real_of(facts, "max(kernels, smem)") == 205'696);
  CHECK(real_of(facts, "max(kernels, regs)") == 168);
}

TEST_CASE("pinned clocks raise no finding, whatever they are", "[shared]") {
  const std::string name =
      GENERATE("superbench/cublaslt_ncu.log", "ncu_text_gpu_pipes/ncu_results/mgn_linears/ncu-bulksync-825.txt",
               "ncu_text_gpu_pipes/ncu_results/mgn_linears/ncu-bulksync-1530.txt",
               "ncu_text_gpu_pipes/ncu_results/mgn_linears/ncu-pipelined-825.txt",
               "ncu_text_gpu_pipes/ncu_results/mgn_linears/ncu-pipelined-1530.txt");
  const Report report = diagnose(tests::load_facts(shared_trace(name)), *builtin_rules());
  CAPTURE(name);
  std::vector<std::string> rules;
  for (const Finding& finding : report.findings) rules.push_back(finding.rule);
  // Nsight Compute expects 50 % of the matrix product's last wave of blocks, which is 89 % full.
  CHECK(rules == (name.starts_with("superbench/")
                      ? std::vector<std::string>{"kernel.unaligned-gemm", "kernel.latency-bound"}
                      : std::vector<std::string>{}));
  REQUIRE(report.ledger.size() == 1);
  CHECK(report.ledger[0].basis == LedgerBasis::serial);
}
