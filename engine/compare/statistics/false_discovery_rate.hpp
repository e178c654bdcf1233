// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace kdiag::statistics {

/// q of each p: the share of false findings to expect among all tests with a q at most as large.
///
///     q of the i-th smallest of m p = min over j >= i of (p of the j-th smallest * m / j)
///
/// Absent p are tests that were not made: they count in no m and have no q.
/// Source: Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society
/// B 57 (1995). It holds for independent tests and for those that are positively dependent (Y. Benjamini,
/// D. Yekutieli, Annals of Statistics 29 (2001)), as the metrics of one function are.
std::vector<std::optional<double>> false_discovery_rates(std::span<const std::optional<double>> p);

}  // namespace kdiag::statistics
