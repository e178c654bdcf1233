// SPDX-License-Identifier: Apache-2.0
// Which functions of two runs are the same.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>

#include "base/interrupt.hpp"
#include "engine/compare/function_comparison.hpp"

namespace kdiag {

/// The name under which a function is compared, and how it came by it.
struct ComparedName {
  std::string name;
  FunctionMatch match = FunctionMatch::name;
};

/// Of the names of things of one kind on one device in both runs, those that are compared under another name, and that
/// name; rules 1 to 3 of ComparedNames. Throws Interrupted.
std::map<std::string, std::string> joined_names(const std::set<std::string>& normal,
                                                const std::set<std::string>& abnormal, CancelFlag cancel = nullptr);

/// Matches functions of one device and kind of time, one to one or many to many:
/// 1. A name that a tool cut goes with all names of the other run that begin like it.
/// 2. Where a run names its functions alone, such as `nsys stats` with `:base`, each goes with all functions of the
///    other run whose qualified names end like it.
/// 3. Where a family (kernel_family) has other names in one run than in the other, all of it is compared as one: an
///    autotuner that moves half of the calls from one tile to another has made neither faster nor slower.
/// 4. All others keep their names, and so do functions with inclusive time, whose sums would count time twice.
class ComparedNames {
 public:
  /// Throws Interrupted.
  ComparedNames(std::span<const MetricSamples> normal, std::span<const MetricSamples> abnormal, CancelFlag cancel);

  /// Of an entry of one of the two runs.
  ComparedName of(const MetricSamples& samples) const;

 private:
  std::map<std::tuple<FunctionTime, std::string, std::string>, std::string> joined_;  ///< time, device, function
};

}  // namespace kdiag
