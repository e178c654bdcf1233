// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/distributions.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

namespace kdiag::statistics {

namespace {

using namespace boost::math;  // NOLINT(google-build-using-namespace): policies are unreadable without
// In double everywhere, so that platforms agree; a tail too small for a double is 0 and no exception.
using Quiet = policies::policy<policies::promote_double<false>, policies::underflow_error<policies::ignore_error>,
                               policies::overflow_error<policies::ignore_error>>;
using StudentT = students_t_distribution<double, Quiet>;

}  // namespace

double student_t_two_sided(double t, double degrees) { return 2 * cdf(complement(StudentT(degrees), std::abs(t))); }

double student_t_limit(double probability, double degrees) {
  return quantile(complement(StudentT(degrees), probability / 2));
}

double normal_two_sided(double z) { return std::erfc(std::abs(z) / std::numbers::sqrt2); }

}  // namespace kdiag::statistics
