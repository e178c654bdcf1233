// SPDX-License-Identifier: Apache-2.0
// What a diagnosis cost, part by part: for authors of rules and for hosts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <kdiag/export.hpp>

namespace kdiag {

/// What one rule, or one expression that several rules share, cost over all subjects and runs.
struct CostEntry {
  std::string name;         ///< the rule's id, or the text of the expression
  double seconds = 0;       ///< of the threads that computed it, without the shared expressions inside
  std::uint64_t rows = 0;   ///< rows that were visited for it
  std::uint64_t times = 0;  ///< how often it was computed: for a rule its subjects
};

/// What DiagnoseOptions::timings asks for. Seconds by the clock on the wall; differs from run to run.
struct Timings {
  double read = 0, derive = 0;  ///< reading and parsing the inputs; joining them to runs, linking, deriving facts
  double rules = 0;             ///< reading and checking the rules
  /// Judging and ranking; of it what the threads spent on letting rules judge, together.
  double judge = 0, evaluate = 0;
  /// Rules and shared expressions, the most expensive first. Their seconds add up to `evaluate`, less what preparing a
  /// subject took.
  std::vector<CostEntry> by_rule, by_expression;
};

/// As text: the parts, then the `most` dearest rules and shared expressions. `report_seconds`: what printing the report
/// took.
KDIAG_API std::string timings_text(const Timings& timings, double report_seconds, std::size_t most = 10);

}  // namespace kdiag
