// SPDX-License-Identifier: Apache-2.0
// Puts a comparison of two runs together.
#pragma once

#include <optional>

#include <kdiag/compare.hpp>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// Judges the abnormal run (of facts with one run) and a normal one and compares them: what kdiag::compare returns. Of
/// several normal runs the spread decides, and one of them is compared in detail. Nothing when one of
/// them has no range called as options.anchor. Once options.cancel is set, the report of the abnormal run alone, as far
/// as it was judged.
std::optional<Report> compare_runs(const Facts& normal, const Facts& abnormal, const LoadedRules& rules,
                                   const CompareOptions& options);

}  // namespace kdiag
