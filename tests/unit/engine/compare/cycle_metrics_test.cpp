// SPDX-License-Identifier: Apache-2.0
// What a sampler saw of a device while each cycle of a trace ran.
#include <algorithm>
#include <string>

#include <kdiag/compare.hpp>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

/// Six steps of 100 ms, each with a kernel of `busy` ms, and a clock that is `slow` MHz in the first half of a step and
/// `fast` MHz in its second half; the sampler begins behind the second step.
Facts run(int busy, int slow, int fast) {
  std::string steps, kernels, samples;
  for (long long step = 0; step < 6; ++step) {
    const std::string comma = step == 0 ? "" : ", ", start = std::to_string(step * 100'000'000);
    steps += comma + "[" + std::to_string(step) + ", " + start + ", 100000000]";
    kernels += comma + "[\"gemm\", " + start + ", " + std::to_string(busy * 1'000'000 + step * 1'000) + ", 0, " +
               std::to_string(step) + "]";
    if (step < 2) continue;
    const std::string sample = "[\"sm_clock\", 0, ";
    samples += (samples.empty() ? "" : ", ") + sample + start + ", " + std::to_string(slow) + "000000], " + sample +
               std::to_string(step * 100'000'000 + 50'000'000) + ", " + std::to_string(fast) + "000000]";
  }
  const std::string text =
      "{\"schema\": \"kdiag.facts/1\"}\n{\"run\": {\"label\": \"run\"}}\n"
      "{\"table\": \"devices\", \"columns\": [\"id\", \"kind\"], \"rows\": [[0, \"GPU\"]]}\n"
      "{\"table\": \"steps\", \"columns\": [\"index\", \"start\", \"dur\"], \"rows\": [" +
      steps +
      "]}\n"
      "{\"table\": \"kernels\", \"columns\": [\"name\", \"start\", \"dur\", \"device\", \"step\"], \"rows\": [" +
      kernels +
      "]}\n"
      "{\"table\": \"samples\", \"columns\": [\"series\", \"device\", \"time\", \"value\"], \"rows\": [" +
      samples + "]}\n";
  Result<Facts> facts = load_trace("run.jsonl", std::span<const char>(text));
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

}  // namespace

TEST_CASE("a series is averaged over each cycle in which it was sampled", "[compare][metrics]") {
  const Result<Report> report = compare({run(40, 1'000, 1'400), run(60, 500, 700)}, *builtin_rules());
  REQUIRE(report);
  const auto& rows = report->comparison->functions;
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].function == "gemm");
  CHECK(rows[0].metric == "sm_clock");
  CHECK(rows[0].mu_normal == 1.2e9);
  CHECK(rows[0].mu_abnormal == 6e8);
  CHECK(rows[0].beta_normal.value() == Approx(0.4).margin(0.001));
  CHECK(rows[0].cycles_normal == 6);  // of the shares, which all cycles have
  CHECK(to_text(*report).find("sm_clock 1200 MHz -> 600 MHz on") != std::string::npos);
}
