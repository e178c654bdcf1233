// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "engine/compare/statistics/bootstrap.hpp"

namespace kdiag::statistics {

/// How one quantity differs between two samples, the normal and the abnormal one: everything that kdiag says of it.
/// What the samples are too small for is absent. Units are those of the quantity; z, p and effect have none.
struct Change {
  std::size_t normal_values = 0, abnormal_values = 0;
  double normal = 0, abnormal = 0;             ///< means
  std::optional<double> z;                     ///< z_score: 0 where the normal sample is constant
  std::optional<double> z_resolution;          ///< z_by_resolution
  std::optional<double> welch_p;               ///< welch_p
  std::optional<double> u_p;                   ///< mann_whitney_p
  std::optional<double> effect;                ///< cliffs_delta: 1 when every abnormal value is larger
  std::optional<ConfidenceInterval> interval;  ///< bootstrap_change of the mean
  std::optional<double> q;                     ///< false_discovery_rates of u_p, over all changes of a comparison

  double difference() const { return abnormal - normal; }
};

/// All but q. `resolution` is the step in which values are read, 0 when unknown. Nothing when a sample is empty. Throws
/// Interrupted.
///
/// Example:
///     const std::vector<double> before = {6, 6, 6, 6}, after = {21, 22, 22};
///     const auto usage = change_between(before, after, resolution(before, after));
///     // usage->z == 0, usage->z_resolution == 54.3, usage->effect == 1
std::optional<Change> change_between(std::span<const double> normal, std::span<const double> abnormal,
                                     double resolution, CancelFlag cancel = nullptr);

}  // namespace kdiag::statistics
