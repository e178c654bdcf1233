// SPDX-License-Identifier: Apache-2.0
// Tail probabilities, from Boost.Math.
#pragma once

namespace kdiag::statistics {

/// Probability that Student's t with `degrees` degrees of freedom (above 0, any real number) lies at least |t| from 0.
double student_t_two_sided(double t, double degrees);

/// What |t| exceeds with a probability above 0 and below 1: the inverse of student_t_two_sided.
double student_t_limit(double probability, double degrees);

/// Probability that a standard normal lies at least |z| from 0.
double normal_two_sided(double z);

}  // namespace kdiag::statistics
