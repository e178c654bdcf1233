// SPDX-License-Identifier: Apache-2.0
// Statistics of two samples. References were computed with SciPy 1.10.1 (ttest_ind with equal_var=False,
// mannwhitneyu with its defaults) where no other source is named.
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "engine/compare/statistics/bootstrap.hpp"
#include "engine/compare/statistics/change.hpp"
#include "engine/compare/statistics/distributions.hpp"
#include "engine/compare/statistics/false_discovery_rate.hpp"
#include "engine/compare/statistics/mann_whitney_test.hpp"
#include "engine/compare/statistics/resolution.hpp"
#include "engine/compare/statistics/sample.hpp"
#include "engine/compare/statistics/welch_test.hpp"
#include "engine/compare/statistics/z_score.hpp"
#include "tests/catch.hpp"

using namespace kdiag::statistics;

namespace {

using Values = std::vector<double>;

/// Agrees to nine digits.
Approx near(double value) { return Approx(value).epsilon(1e-9).margin(0); }

Values counted(double first, std::size_t count) {
  Values values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

const Values none;

}  // namespace

TEST_CASE("mean, median and deviation of a sample", "[statistics]") {
  CHECK_FALSE(mean(none));
  CHECK_FALSE(median(none));
  CHECK_FALSE(sample_variance(Values{1}));
  CHECK(*mean(Values{1, 2, 6}) == 3);
  CHECK(*median(Values{6, 1, 2}) == 2);
  CHECK(*median(Values{6, 1, 2, 4}) == 3);
  CHECK(*sample_variance(Values{1, 2, 6}) == 7);
  CHECK(*standard_deviation(Values{1, 2, 6}) == near(std::sqrt(7.0)));
}

TEST_CASE("a constant sample is constant to the last bit", "[statistics]") {
  const Values used(7, 85.7049);  // whose sum over seven is another number
  CHECK(std::accumulate(used.begin(), used.end(), 0.0) / 7 != 85.7049);
  CHECK(is_constant(used));
  CHECK(*mean(used) == 85.7049);
  CHECK(*sample_variance(used) == 0);
  CHECK(is_constant(none));
  CHECK_FALSE(is_constant(Values{1, std::nextafter(1.0, 2.0)}));
}

TEST_CASE("tails of Student's t and of the normal distribution", "[statistics]") {
  CHECK(student_t_two_sided(0, 3) == near(1));
  CHECK(student_t_two_sided(-2, 0.5) == near(0.44551489018313123));
  CHECK(student_t_two_sided(1000, 5.5) == near(1.1171579497945445e-15));
  CHECK(student_t_two_sided(40, 300) == near(2.852418039531109e-122));
  CHECK(student_t_two_sided(1e300, 1e6) == 0);
  CHECK(normal_two_sided(0) == 1);
  CHECK(normal_two_sided(-1.959963984540054) == near(0.05));
}

TEST_CASE("Welch's test", "[statistics]") {
  // Samples of SciPy's documentation: of ttest_ind_from_stats, and of the trimmed test in ttest_ind.
  CHECK(*welch_p(Values{1, 3, 4, 6, 11, 13, 15, 19, 22, 24, 25, 26, 26},
                 Values{2, 4, 6, 9, 11, 13, 14, 15, 18, 19, 21}) == near(0.35999818693244245));
  CHECK(*welch_p(Values{56, 128.6, 12, 123.8, 64.34, 78, 763.3}, Values{1.1, 2.9, 4.2}) == near(0.13285209620970653));
  CHECK(*welch_p(Values{1, 2}, Values{10, 14}) == near(0.10337700379948067));
  SECTION("one side may be constant") {
    CHECK(*welch_p(Values{5, 5, 5}, Values{6, 7, 9}) == near(0.11808289631180312));
  }
  SECTION("variances may be tiny or huge") {
    CHECK(*welch_p(Values{1e-100, 2e-100, 3e-100}, Values{4e-100, 6e-100, 9e-100}) == near(0.08107158828966121));
    CHECK_FALSE(welch_p(Values{1e200, 2e200}, Values{3e200, -1e200}));
  }
  SECTION("what is constant on both sides is the same or is not") {
    CHECK_FALSE(welch_p(Values(8, 85.7049), Values(7, 85.7049)));
    CHECK(*welch_p(Values(8, 85.7049), Values(7, 85.705)) == 0);
  }
  SECTION("a variance takes two values") {
    CHECK_FALSE(welch_p(Values{1}, Values{2, 3}));
    CHECK_FALSE(welch_p(Values{1, 2}, none));
  }
}

TEST_CASE("Mann-Whitney's test, exact", "[statistics]") {
  // Sample of SciPy's documentation (Kendall and Stuart's diabetes).
  CHECK(*mann_whitney_p(Values{19, 22, 16, 29, 24}, Values{20, 11, 17, 12}) == near(0.1111111111111111));
  // Apart: 2 of (n + m choose n) arrangements.
  CHECK(*mann_whitney_p(counted(0, 7), counted(10, 7)) == near(2.0 / 3432));
  CHECK(*mann_whitney_p(counted(10, 8), counted(0, 7)) == near(2.0 / 6435));
  CHECK(*mann_whitney_p(counted(0, 7), counted(10, 6)) == near(2.0 / 1716));
  CHECK(*mann_whitney_p(Values{1.5, 3.5, 2.5, 20.5, 7.25, 8.75, 9.125, 30}, counted(0, 20)) ==
        near(0.8616665138404269));
  CHECK(*mann_whitney_p(Values{0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5}, Values{3, 40, 50}) ==
        near(0.20909090909090908));
  CHECK(*mann_whitney_p(Values{1, 2, 3, 4}, Values{2.5, 1.5, 3.5, 0.5}) == near(0.6857142857142857));
  SECTION("no more than 1") {
    CHECK(*mann_whitney_p(Values{1, 4}, Values{2, 3}) == 1);
    CHECK(*mann_whitney_p(Values{1}, Values{2}) == 1);
  }
  CHECK_FALSE(mann_whitney_p(none, Values{1}));
  CHECK_FALSE(mann_whitney_p(Values{1}, none));
}

TEST_CASE("Mann-Whitney's test, as normal", "[statistics]") {
  SECTION("more than 8 on both sides") {
    CHECK(*mann_whitney_p(Values{0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5}, counted(3, 9)) ==
          near(0.0933976745287926));
  }
  SECTION("equal values") {
    CHECK(*mann_whitney_p(Values{1, 2, 2, 3}, Values{2, 3, 3, 4}) == near(0.1720337089218229));
    CHECK(*mann_whitney_p(Values{6, 6, 6, 6, 7, 7, 7}, Values{23, 23, 23, 22, 22, 16, 16}) ==
          near(0.0017108706511959704));
    CHECK(*mann_whitney_p(Values{1, 1, 1}, Values{1, 1}) == 1);
    CHECK(*mann_whitney_p(Values{3.5, 3}, Values{1, 2, 3, 4, 5}) == near(1));
  }
  SECTION("one value against very many") {
    CHECK(*mann_whitney_p(Values{-1}, counted(0, 1'000'001)) == near(0.0832651333853322));
  }
}

TEST_CASE("Cliff's delta", "[statistics]") {
  CHECK(*cliffs_delta(Values{1, 2}, Values{3, 4, 5}) == 1);
  CHECK(*cliffs_delta(Values{3, 4, 5}, Values{1, 2}) == -1);
  CHECK(*cliffs_delta(Values{1, 1}, Values{1}) == 0);
  // Of 12 pairs, b is larger in 7, smaller in 3 and equal in 2.
  CHECK(*cliffs_delta(Values{1, 2, 3, 6}, Values{2, 3, 7}) == near((7 - 3) / 12.0));
  CHECK_FALSE(cliffs_delta(none, Values{1}));
}

TEST_CASE("z against the deviation of the normal side", "[statistics]") {
  // Seed 003: seven cycles at 1155 MHz and one at 1410, then 210; printed -10.84 and -24.52.
  Values clocks(7, 115500);
  clocks.push_back(141000);
  const Values collapsed(7, 21000);
  CHECK(*z_score(clocks, collapsed) == Approx(-10.835372).epsilon(1e-7));
  CHECK(*z_score_of_log(clocks, collapsed) == Approx(-24.523681).epsilon(1e-7));
  SECTION("0 of what was constant, whatever became of it") {
    CHECK(*z_score(Values{6, 6, 6}, Values{22, 23}) == 0);
    CHECK(*z_score_of_log(Values{6, 6, 6}, Values{22, 23}) == 0);
  }
  SECTION("but not by the resolution") {
    CHECK(*z_by_resolution(Values{6, 6, 6}, Values{22, 23}, 1) == near(16.5 * std::sqrt(12.0)));
    CHECK(*z_of_log_by_resolution(Values{6, 6, 6}, Values{22, 23}, 1) ==
          near((std::log(23.0 * 24.0) / 2 - std::log(7.0)) * 7 * std::sqrt(12.0)));
    CHECK(*z_by_resolution(clocks, collapsed, 1500) == near(*z_score(clocks, collapsed)));  // they vary more than that
    CHECK(*z_by_resolution(Values{6, 6}, Values{6}, 0) == 0);
    CHECK_FALSE(z_by_resolution(Values{6, 6}, Values{7}, 0));
  }
  SECTION("too few, or no logarithm") {
    CHECK_FALSE(z_score(Values{1}, Values{2}));
    CHECK_FALSE(z_score(Values{1, 2}, none));
    CHECK_FALSE(z_by_resolution(none, Values{2}, 1));
    CHECK_FALSE(z_of_log_by_resolution(none, Values{2}, 1));
    CHECK_FALSE(z_score_of_log(Values{0, -1}, Values{1}));
  }
}

TEST_CASE("the step in which values were read", "[statistics]") {
  CHECK(resolution(Values{6, 6}, Values{21, 22}) == 1);
  CHECK(resolution(Values{115500, 141000}, Values{21000}) == 1500);
  CHECK(resolution(Values{85.7049}, Values{85.705}) == near(1e-4));
  CHECK(resolution(Values{0.045, 0.414}, Values{0.774}) == near(0.009));
  CHECK(resolution(Values{-3, 0}, Values{6}) == 3);
  CHECK(resolution(none, none) == 0);
  CHECK(resolution(Values{0, 0}, Values{0}) == 0);
  CHECK(resolution(Values{1.0 / 3}, Values{1}) == 0);
  CHECK(resolution(Values{1e300}, Values{1}) == 0);
}

TEST_CASE("false discovery rates", "[statistics]") {
  // The 15 tests of the example in Benjamini and Hochberg (1995).
  const std::vector<std::optional<double>> p = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                                0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const Values expected = {0.0015, 0.003,  0.0095, 0.035625,         0.0603,   0.06385714285714286, 0.06385714285714286,
                           0.0645, 0.0765, 0.486,  0.58118181818182, 0.714875, 0.7532307692307694,  0.8132142857142857,
                           1.0};
  const auto q = false_discovery_rates(p);
  REQUIRE(q.size() == 15);
  for (std::size_t i = 0; i < q.size(); ++i) CHECK(*q[i] == near(expected[i]));

  SECTION("tests that were not made do not count, and the order does not matter") {
    const std::vector<std::optional<double>> few = {0.04, std::nullopt, 0.01};
    const auto rates = false_discovery_rates(few);
    CHECK(*rates[0] == near(0.04));
    CHECK_FALSE(rates[1]);
    CHECK(*rates[2] == near(0.02));
  }
  CHECK(false_discovery_rates({}).empty());
}

TEST_CASE("bootstrap intervals can be repeated", "[statistics]") {
  const Values before = {10, 12, 11, 13, 9, 10, 12}, after = {15, 14, 16, 15, 17, 13};
  const auto change = bootstrap_change(before, after);
  REQUIRE(change);
  // From another implementation of the generator and of the drawing: the same on every platform.
  CHECK(change->low == near(2.6190476190476204));
  CHECK(change->high == near(5.38095238095238));
  const auto of_median = bootstrap_change(before, after, Location::median);
  CHECK(of_median->low == 2.0);
  CHECK(of_median->high == 6.0);

  SECTION("as wide as the normal distribution says, with n below the line of the variance") {
    const double error = std::sqrt(*sample_variance(before) * 6 / 7 / 7 + *sample_variance(after) * 5 / 6 / 6);
    CHECK(change->low == Approx(4 - 1.96 * error).margin(0.1 * error));
    CHECK(change->high == Approx(4 + 1.96 * error).margin(0.1 * error));
  }
  SECTION("without width where nothing varies") {
    CHECK(bootstrap_change(Values{2, 2}, Values{5, 5})->low == 3);
    CHECK(bootstrap_change(Values{2, 2}, Values{5, 5})->high == 3);
  }
  CHECK_FALSE(bootstrap_change(Values{1}, Values{1, 2}));
  CHECK_FALSE(bootstrap_change(Values{1, 2}, none));
}

TEST_CASE("intervals of many values are those that drawings tend to", "[statistics]") {
  const auto values = [](std::size_t count, double around) {
    Values out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(around + static_cast<double>(i * 7919 % 101) / 10);
    return out;
  };
  for (const Location location : {Location::mean, Location::median}) {
    const auto drawn = bootstrap_change(values(999, 100), values(1000, 103), location);
    const auto computed = bootstrap_change(values(1000, 100), values(1000, 103), location);
    REQUIRE(drawn);
    REQUIRE(computed);
    const double width = drawn->high - drawn->low;
    CHECK(computed->high - computed->low == Approx(width).epsilon(0.15));
    CHECK(computed->low == Approx(drawn->low).margin(0.1 * width));
    CHECK(computed->high == Approx(drawn->high).margin(0.1 * width));
  }
}

TEST_CASE("a change says what its samples allow", "[statistics]") {
  const auto usage = change_between(Values{6, 6, 6, 6}, Values{21, 22, 22}, 1);
  REQUIRE(usage);
  CHECK(usage->normal_values == 4);
  CHECK(usage->abnormal_values == 3);
  CHECK(usage->difference() == near(47.0 / 3));
  CHECK(*usage->z == 0);
  CHECK(*usage->z_resolution == Approx(54.3).margin(0.05));
  CHECK(*usage->effect == 1);
  CHECK_FALSE(usage->q);

  const auto single = change_between(Values{1}, Values{2}, 0);
  REQUIRE(single);
  CHECK_FALSE(single->z);
  CHECK_FALSE(single->welch_p);
  CHECK_FALSE(single->interval);
  CHECK(*single->u_p == 1);
  CHECK(*single->effect == 1);

  CHECK_FALSE(change_between(none, Values{1}, 0));
}
