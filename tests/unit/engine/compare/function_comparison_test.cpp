// SPDX-License-Identifier: Apache-2.0
// Functions of two runs, compared: which rows there are, and what they say.
#include "engine/compare/function_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/compare/function_comparison_facts.hpp"
#include "engine/facts/fact_builder.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

using Values = std::vector<double>;

MetricSamples samples(std::string function, Values beta, std::string metric = {}, Values mu = {}) {
  MetricSamples out{.function = std::move(function), .metric = std::move(metric), .device = "GPU 0"};
  out.cycles.resize(beta.size());
  std::iota(out.cycles.begin(), out.cycles.end(), 1);
  out.beta_by_cycle = std::move(beta);
  out.mu_by_cycle = std::move(mu);
  return out;
}

using Side = std::vector<MetricSamples>;

}  // namespace

TEST_CASE("a row holds the statistics of both quantities", "[comparison]") {
  const Side normal = {samples("gemm", {2.0, 2.1, 1.9, 2.0}, "usage", {6, 6, 6, 6})};
  const Side abnormal = {samples("gemm", {6.0, 6.2, 6.1}, "usage", {21, 22, 23})};
  const FunctionComparisons result = compare_functions(normal, abnormal);
  REQUIRE(result.rows.size() == 1);
  const FunctionComparison& row = result.rows[0];
  CHECK(row.function == "gemm");
  CHECK(row.match == FunctionMatch::name);
  CHECK(row.beta.normal == Approx(2.0));
  CHECK(row.beta.abnormal == Approx(6.1));
  const double deviation = std::sqrt(0.02 / 3);
  CHECK(*row.beta.z == Approx(4.1 / deviation));
  CHECK(*row.mu->z == 0);
  CHECK(*row.z_log_mu == 0);
  CHECK(*row.suspicion() == Approx(4.1 * 4.1 / deviation));
  CHECK(*row.mu->z_resolution == Approx(16 * std::sqrt(12.0)));  // read in whole percent
  CHECK(*row.suspicion_resolution() > *row.suspicion());
  CHECK(*row.q == *row.beta.u_p);  // of one test, and of shares where no times are known
}

TEST_CASE("a function that takes as long in a shorter cycle is not changed", "[comparison]") {
  // 10 ms of 100, then of 80: the share rises in every cycle.
  Side normal = {samples("gemm", {10.0, 10.1, 9.9, 10.0, 10.2, 9.8})};
  Side abnormal = {samples("gemm", {12.5, 12.6, 12.4, 12.7, 12.3, 12.5})};
  CHECK(*compare_functions(normal, abnormal).rows.at(0).q < 0.01);  // where nothing but shares is known
  normal[0].time_by_cycle = {10.0e6, 10.1e6, 9.9e6, 10.0e6, 10.2e6, 9.8e6};
  abnormal[0].time_by_cycle = {10.0e6, 10.1e6, 9.9e6, 10.2e6, 9.8e6, 10.0e6};
  const FunctionComparison row = compare_functions(normal, abnormal).rows.at(0);
  CHECK(*row.q == 1);
  CHECK(*row.effect == 0);
  CHECK(*row.beta.u_p < 0.01);  // of the share, as LatencyPrism has it
  abnormal[0].time_by_cycle = {13.0e6, 13.1e6, 12.9e6, 13.2e6, 12.8e6, 13.0e6};
  CHECK(*compare_functions(normal, abnormal).rows.at(0).q < 0.01);
  CHECK(*compare_functions(normal, abnormal).rows.at(0).effect == 1);
}

TEST_CASE("shares are rounded before they are compared", "[comparison]") {
  CHECK(rounded_share(161.50904) == 161.509);
  // Of cycles that all round to 0.0003 nothing is left to vary.
  const Side normal = {samples("tiny", {0.00031, 0.00029, 0.00030})};
  const Side abnormal = {samples("tiny", {0.00060, 0.00061})};
  const FunctionComparisons result = compare_functions(normal, abnormal);
  REQUIRE(result.rows.size() == 1);
  CHECK(*result.rows[0].beta.z == 0);
  CHECK(*result.rows[0].beta.z_resolution == Approx(0.0003 / (1e-4 / std::sqrt(12.0))));
}

TEST_CASE("without a metric the score is that of the share", "[comparison]") {
  const FunctionComparisons result = compare_functions(Side{samples("f", {1, 2, 3})}, Side{samples("f", {4, 5, 6})});
  REQUIRE(result.rows.size() == 1);
  CHECK_FALSE(result.rows[0].mu);
  CHECK(*result.rows[0].suspicion() == Approx(3 * 3));
}

TEST_CASE("what one side alone has is named, not compared", "[comparison]") {
  const Side normal = {samples("both", {1, 2}), samples("gone", {1, 2}), samples("empty", {})};
  const Side abnormal = {samples("new", {1, 2}), samples("both", {1, 2}), samples("empty", {1})};
  const FunctionComparisons result = compare_functions(normal, abnormal);
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].function == "both");
  CHECK(result.only_normal == std::vector<std::size_t>{1, 2});
  CHECK(result.only_abnormal == std::vector<std::size_t>{0, 2});
  CHECK(compare_functions({}, {}).rows.empty());
}

TEST_CASE("a family is compared as one where an autotuner chose other tiles", "[comparison]") {
  // Half of the calls moved from one tile to another; neither the work nor its time changed.
  const Side normal = {samples("gemm_64x64_tn", {4, 4.2, 4.1}, "clock", {1410, 1410, 1410})};
  const Side abnormal = {samples("gemm_64x64_tn", {2, 2.1, 2}, "clock", {1410, 1200, 1400}),
                         samples("gemm_128x64_tn", {2, 2.1, 2.1}, "clock", {1410, 1300, 1400})};
  const FunctionComparisons result = compare_functions(normal, abnormal);
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].function == "gemm_#x#_tn");
  CHECK(result.rows[0].match == FunctionMatch::family);
  CHECK(result.rows[0].beta.abnormal == Approx(4.1));
  CHECK(result.rows[0].mu->abnormal == Approx((1410 + 1250 + 1400) / 3.0));  // weighted by time
  SECTION("not where both runs have the same names") {
    const FunctionComparisons same = compare_functions(abnormal, abnormal);
    CHECK(same.rows.size() == 2);
    CHECK(same.rows[0].match == FunctionMatch::name);
  }
}

TEST_CASE("a cut name goes with all that begin like it", "[comparison]") {
  const Side normal = {samples("void vectorized_elem...", {3, 3.3})};
  const Side abnormal = {samples("void vectorized_elementwise<4, add>", {1, 1.1}),
                         samples("void vectorized_elementwise<4, mul>", {2, 2.2}), samples("void vector", {9, 9})};
  const FunctionComparisons result = compare_functions(normal, abnormal);
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].function == "void vectorized_elem...");
  CHECK(result.rows[0].beta.difference() == Approx(0).margin(1e-12));
  CHECK(result.only_abnormal == std::vector<std::size_t>{2});
}

TEST_CASE("inclusive time meets inclusive time of the same name only", "[comparison]") {
  MetricSamples outer = samples("step_1", {50, 51}), variant = samples("step_2", {50, 51});
  outer.time = variant.time = FunctionTime::inclusive;
  const FunctionComparisons result = compare_functions(Side{outer, samples("f", {1, 2})}, Side{variant, outer});
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].time == FunctionTime::inclusive);
  CHECK(result.rows[0].beta.normal == Approx(50.5));
  CHECK(result.only_normal == std::vector<std::size_t>{1});
  CHECK(result.only_abnormal == std::vector<std::size_t>{0});
}

TEST_CASE("shares that are no numbers are left out with their cycle, metrics alone", "[comparison]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const FunctionComparisons result = compare_functions(Side{samples("f", {1, nan, 3, 4}, "m", {1, 2, nan, 4})},
                                                       Side{samples("f", {1, 2}, "m", {1, 1})});
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].beta.normal_values == 3);
  CHECK(result.rows[0].beta.normal == Approx(8.0 / 3));
  REQUIRE(result.rows[0].mu);
  CHECK(result.rows[0].mu->normal_values == 2);
  CHECK(result.rows[0].mu->normal == 2.5);
}

TEST_CASE("the order of the input does not matter", "[comparison]") {
  Side normal = {samples("gemm_1x1", {0.1, 0.2, 0.4}), samples("gemm_2x2", {0.7, 0.1, 0.3}), samples("f", {1, 2, 3})};
  Side abnormal = {samples("gemm_1x1", {0.3, 0.6, 0.1}), samples("gemm_4x4", {1.1, 1.7, 1.9}), samples("f", {2, 2, 4})};
  const FunctionComparisons forward = compare_functions(normal, abnormal);
  std::reverse(normal.begin(), normal.end());
  std::reverse(abnormal.begin(), abnormal.end());
  const FunctionComparisons backward = compare_functions(normal, abnormal);
  REQUIRE(forward.rows.size() == 2);
  REQUIRE(backward.rows.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(forward.rows[i].function == backward.rows[i].function);
    CHECK(forward.rows[i].suspicion() == backward.rows[i].suspicion());
    CHECK(forward.rows[i].beta.interval->low == backward.rows[i].beta.interval->low);
  }
}

namespace {

/// Two cycles of 1 ms; a kernel with a metric in both, a host function without.
FactStore recorded_cycles(std::int64_t kernel_ns) {
  Batch batch;
  for (std::int64_t cycle : {1, 2}) {
    const Row step = batch.add(table("steps"));
    batch.set(step, column("steps.index"), cycle);
    batch.set(step, column("steps.dur"), std::int64_t{1'000'000});
    const Row kernel = batch.add(table("functions"));
    batch.set(kernel, column("functions.name"), "gemm");
    batch.set(kernel, column("functions.device"), batch.device(7));
    batch.set(kernel, column("functions.cycle"), cycle);
    batch.set(kernel, column("functions.total"), kernel_ns * cycle);
    const Row metric = batch.add(table("function_metrics"));
    batch.set(metric, column("function_metrics.function"), kernel);
    batch.set(metric, column("function_metrics.metric"), "usage");
    batch.set(metric, column("function_metrics.value"), 10.0 + static_cast<double>(cycle));
    const Row host = batch.add(table("functions"));
    batch.set(host, column("functions.name"), "wait");
    batch.set(host, column("functions.cycle"), cycle + 1);  // of the second one the length is not known
    batch.set(host, column("functions.total"), std::int64_t{500});
  }
  batch.set(batch.device(7), column("devices.kind"), "GPU");
  std::vector<Fragment> fragments(1);
  fragments[0].batches.emplace_back(0, std::move(batch));
  return build_facts(std::move(fragments));
}

}  // namespace

TEST_CASE("facts are compared and become facts", "[comparison]") {
  const FactStore normal = recorded_cycles(1000);
  FactStore abnormal = recorded_cycles(2000);
  const std::vector<MetricSamples> before = function_samples(normal);
  REQUIRE(before.size() == 2);
  CHECK(before[0].function == "gemm");
  CHECK(before[0].device == "GPU 7");
  CHECK(before[0].metric == "usage");
  CHECK(before[0].beta_by_cycle == Values{0.1, 0.2});
  CHECK(before[0].mu_by_cycle == Values{11, 12});
  CHECK(before[1].function == "wait");
  CHECK(before[1].device == "Host");
  CHECK(before[1].cycles == std::vector<std::int64_t>{2});

  const FunctionComparisons result = compare_functions(before, function_samples(abnormal));
  add_comparisons(abnormal, result.rows);
  REQUIRE(abnormal.rows(table("comparisons")) == 2);
  CHECK(abnormal.text(column("comparisons.function"), 0) == "gemm");
  CHECK(abnormal.real(column("comparisons.beta_normal"), 0) == Approx(0.0015));
  CHECK(abnormal.real(column("comparisons.beta_abnormal"), 0) == Approx(0.003));
  CHECK(abnormal.real(column("comparisons.mu_abnormal"), 0) == 11.5);
  CHECK(abnormal.real(column("comparisons.beta_change_high"), 0) == Approx(0.003));
  CHECK(abnormal.integer(column("comparisons.cycles_normal"), 0) == 2);
  CHECK(abnormal.text(column("comparisons.match"), 0) == "name");
  CHECK(abnormal.text(column("comparisons.time_kind"), 0) == "own");
  CHECK(abnormal.text(column("comparisons.function"), 1) == "wait");
  CHECK(abnormal.text(column("comparisons.metric"), 1).empty());
  CHECK(std::isnan(abnormal.real(column("comparisons.suspicion"), 1)));  // one cycle has no deviation
  CHECK(std::isnan(abnormal.real(column("comparisons.mu_normal"), 1)));
  CHECK(abnormal.provider(column("comparisons.q")) == "derived");
}

TEST_CASE("a cycle number that two processes have stands for neither", "[comparison]") {
  FactStore store = recorded_cycles(1000);
  store.mutable_integers(column("steps.index"), "test")[1] = 1;
  CHECK(function_samples(store).empty());
}
