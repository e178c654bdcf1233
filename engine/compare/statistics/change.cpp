// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/statistics/change.hpp"

#include "engine/compare/statistics/mann_whitney_test.hpp"
#include "engine/compare/statistics/sample.hpp"
#include "engine/compare/statistics/welch_test.hpp"
#include "engine/compare/statistics/z_score.hpp"

namespace kdiag::statistics {

std::optional<Change> change_between(std::span<const double> normal, std::span<const double> abnormal,
                                     double resolution, CancelFlag cancel) {
  if (normal.empty() || abnormal.empty()) return std::nullopt;
  Change change;
  change.normal_values = normal.size();
  change.abnormal_values = abnormal.size();
  change.normal = *mean(normal);
  change.abnormal = *mean(abnormal);
  change.z = z_score(normal, abnormal);
  change.z_resolution = z_by_resolution(normal, abnormal, resolution);
  change.welch_p = statistics::welch_p(normal, abnormal);
  change.u_p = mann_whitney_p(normal, abnormal, cancel);
  change.effect = cliffs_delta(normal, abnormal, cancel);
  change.interval = bootstrap_change(normal, abnormal, Location::mean, cancel);
  return change;
}

}  // namespace kdiag::statistics
