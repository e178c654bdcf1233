// SPDX-License-Identifier: Apache-2.0
// Several recordings of a healthy run, and what they say of one more.
#include <cmath>
#include <random>
#include <vector>

#include "engine/compare/healthy_runs.hpp"
#include "engine/compare/statistics/distributions.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

HealthyRuns runs_of(const std::vector<std::int64_t>& medians) {
  HealthyRuns healthy;
  for (const std::int64_t ns : medians) healthy.runs.push_back({.id = {}, .label = {}, .cycle_ns = ns, .alarm = {}});
  measure_spread(healthy);
  return healthy;
}

CycleEntry cycle(std::int64_t normal, std::int64_t abnormal) {
  CycleEntry out;
  out.normal_ns = normal;
  out.abnormal_ns = abnormal;
  out.change = static_cast<double>(abnormal - normal) / static_cast<double>(normal);
  return out;
}

}  // namespace

TEST_CASE("Student's limits are those of the tables", "[compare][statistics]") {
  CHECK(statistics::student_t_limit(0.05, 2) == Approx(4.303).epsilon(1e-3));
  CHECK(statistics::student_t_limit(0.05, 9) == Approx(2.262).epsilon(1e-3));
  CHECK(statistics::student_t_two_sided(statistics::student_t_limit(0.01, 5), 5) == Approx(0.01));
}

TEST_CASE("a prediction interval is that of the textbook", "[compare][statistics]") {
  // 51.4 49.5 48.7 49.3 51.6: mean 50.1, s 1.313; 95 % for one more: 50.1 +- 2.776 * 1.313 * sqrt(1.2).
  const auto range = statistics::prediction_interval(std::vector<double>{51.4, 49.5, 48.7, 49.3, 51.6});
  REQUIRE(range);
  CHECK(range->low == Approx(50.1 - 3.993).epsilon(1e-3));
  CHECK(range->high == Approx(50.1 + 3.993).epsilon(1e-3));
  CHECK_FALSE(statistics::prediction_interval(std::vector<double>{1, 2}));
}

TEST_CASE("two recordings have no range", "[compare]") {
  const HealthyRuns two = runs_of({100'000, 117'000});
  CHECK_FALSE(two.low_ns);
  CHECK(two.left_out == 0);
}

TEST_CASE("recordings that are equal leave room for the least noise", "[compare]") {
  const HealthyRuns equal = runs_of({100'000, 100'000, 100'000});
  CHECK(equal.low_ns == 98'000);
  CHECK(equal.high_ns == 102'000);
  CHECK(equal.left_out == 0);  // two are no range for the third
}

TEST_CASE("a run within the spread of healthy runs is neutral, one beyond it is not", "[compare]") {
  const HealthyRuns healthy = runs_of({100'000, 104'000, 98'000, 110'000, 102'000});
  CHECK(healthy.left_out == 5);
  CycleEntry same = cycle(102'000, 112'000), slow = cycle(102'000, 140'000), fast = cycle(102'000, 70'000);
  CHECK(judge_beside(healthy, same).verdict == Verdict::neutral);
  CHECK(judge_beside(healthy, slow).verdict == Verdict::regression);
  CHECK(judge_beside(healthy, fast).verdict == Verdict::improvement);
  CHECK(slow.floor_basis == FloorBasis::runs);
}

TEST_CASE("a recording that is unlike the others is a false alarm", "[compare]") {
  const HealthyRuns healthy = runs_of({100'000, 100'100, 99'900, 100'050, 150'000});
  CHECK(healthy.alarms == 1);
  CHECK(healthy.runs[4].alarm == true);
}

TEST_CASE("one more healthy run is an alarm about once in twenty", "[compare][statistics]") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(100e6, 5e6);
  int alarms = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> medians;
    for (int i = 0; i < 3 + trial % 6; ++i) medians.push_back(normal(random));
    const auto range = healthy_range(medians);
    const double one_more = normal(random);
    alarms += one_more < range->low || one_more > range->high ? 1 : 0;
  }
  CHECK(alarms <= trials * 6 / 100);
}

TEST_CASE("a small change by one recording of another process is unconfirmed", "[compare]") {
  constexpr bool same_process = true, other_work = true;
  HealthyRuns one = runs_of({100'000});
  CHECK(confirm(one, Verdict::regression, cycle(100'000, 117'000), !same_process, !other_work) ==
        Verdict::inconclusive);
  CHECK(one.confirmed == false);
  CHECK_FALSE(one.reason.empty());
  HealthyRuns faster = runs_of({100'000});
  CHECK(confirm(faster, Verdict::improvement, cycle(117'000, 100'000), !same_process, !other_work) ==
        Verdict::inconclusive);
  HealthyRuns changed = runs_of({100'000});
  CHECK(confirm(changed, Verdict::regression, cycle(100'000, 117'000), !same_process, other_work) ==
        Verdict::regression);
  CHECK(changed.confirmed == false);
  HealthyRuns halves = runs_of({100'000});
  CHECK(confirm(halves, Verdict::regression, cycle(100'000, 117'000), same_process, !other_work) ==
        Verdict::regression);
  CHECK(halves.confirmed == true);
  HealthyRuns large = runs_of({100'000});
  CHECK(confirm(large, Verdict::regression, cycle(100'000, 150'000), !same_process, !other_work) ==
        Verdict::regression);
  CHECK(large.confirmed == true);
  HealthyRuns neutral = runs_of({100'000});
  CHECK(confirm(neutral, Verdict::neutral, cycle(100'000, 101'000), !same_process, !other_work) == Verdict::neutral);
  CHECK_FALSE(neutral.confirmed.has_value());
}
