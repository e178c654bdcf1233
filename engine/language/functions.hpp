// SPDX-License-Identifier: Apache-2.0
// The functions of the rule language: one table that the checker, completion and docs/language.md read.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace kdiag {

enum class FunctionId : std::uint8_t {
  count,
  sum,
  avg,
  min,
  max,
  median,
  stdev,
  percentile,
  distinct,
  mode,
  argmin,
  argmax,
  top,
  any,
  all,
  exists,
  spans,
  gaps,
  length,
  busy,
  exposed,
  overlap,
  concurrency,
  outermost,
  consecutive,
  site,
  series,
  time_avg,
  time_median,
  time_where,
  time_flagged,
  baseline,
  delta,
  change,
  coalesce,
  default_value,
  defined,
  clamp,
  mod,
};

struct FunctionInfo {
  FunctionId id;
  std::string_view name;
  std::string_view signature;
  std::string_view doc;
  std::string_view example;  ///< an expression that checks
};

/// In the order of the documentation.
std::span<const FunctionInfo> function_table();
const FunctionInfo* find_function(std::string_view name);
const FunctionInfo& function_info(FunctionId id);

}  // namespace kdiag
