// SPDX-License-Identifier: Apache-2.0
// Functions of two runs, compared by their share of the cycle and by a metric meanwhile: LatencyPrism's view of a
// normal and an abnormal run. docs/comparison-statistics.md has the formulas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/interrupt.hpp"
#include "engine/compare/statistics/change.hpp"

namespace kdiag {

/// Which of a function's time a share counts. Functions of different kinds never match, and inclusive ones are never
/// added up: they contain one another.
enum class FunctionTime : std::uint8_t { own, inclusive };
std::string_view name_of(FunctionTime time);

/// What one run says of one function on one device: a value per cycle (or step) that is to count.
struct MetricSamples {
  std::string function;
  std::string metric;  ///< what `mu` is the mean of; empty when only shares are known
  std::string device;  ///< "GPU 7", "Host"; as the other run calls its counterpart
  FunctionTime time = FunctionTime::own;
  std::vector<std::int64_t> cycles = {};   ///< numbers of the cycles
  std::vector<double> beta_by_cycle = {};  ///< by cycle: % of it; over 100 on several threads
  std::vector<double> mu_by_cycle = {};    ///< by cycle: mean of the metric meanwhile, else NaN; empty without one
  std::vector<double> time_by_cycle = {};  ///< by cycle: ns of it, of the work that is compared; empty: not known
};

/// How the functions of a row were found to be the same.
enum class FunctionMatch : std::uint8_t {
  name,    ///< equal names
  family,  ///< names that differ in shapes and tiles only, or a name and its cut form
};
std::string_view name_of(FunctionMatch match);

/// A row of `comparisons`.
struct FunctionComparison {
  std::string function;  ///< of a family: its name
  std::string metric;
  std::string device;
  FunctionTime time = FunctionTime::own;
  FunctionMatch match = FunctionMatch::name;
  statistics::Change beta;               ///< shares in % of the cycle, rounded to 4 decimals cycle by cycle
  std::optional<statistics::Change> mu;  ///< absent without a metric
  std::optional<double> z_log_mu, z_log_mu_resolution;
  /// Rank test and Cliff's delta of the time in a cycle; of the share where times are not known. A share falls by
  /// itself when another function takes longer.
  std::optional<double> p, effect;
  std::optional<double> q = {};  ///< of p, over all rows

  /// |change of beta| * (|z of beta| + |z of log(1 + mu)|); without a metric the latter is left out. Absent when a z
  /// is.
  std::optional<double> suspicion() const;
  /// The same from the z by resolution: a constant normal side keeps its weight.
  std::optional<double> suspicion_resolution() const;
};

struct FunctionComparisons {
  std::vector<FunctionComparison> rows;  ///< by suspicion, descending; then function, metric, device

  // Places in the inputs of what has no counterpart on the other side.
  std::vector<std::size_t> only_normal, only_abnormal;
};

/// Compares what both runs have. The result does not depend on the order of the inputs. Values that are no finite
/// numbers are left out with their cycle; entries of the same function, metric, device and time are joined. Throws
/// Interrupted.
FunctionComparisons compare_functions(std::span<const MetricSamples> normal, std::span<const MetricSamples> abnormal,
                                      CancelFlag cancel = nullptr);

/// A share as LatencyPrism writes it, rounded to 4 decimals of a percent: the statistics of functions that take next to
/// nothing depend on it.
double rounded_share(double percent);

}  // namespace kdiag
