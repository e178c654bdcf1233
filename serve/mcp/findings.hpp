// SPDX-License-Identifier: Apache-2.0
// The findings of a report with their numbers, and what would show them wrong.
#pragma once

#include <cstddef>
#include <optional>

#include "serve/mcp/common.hpp"

namespace kdiag::serve::mcp {

/// What a report is of.
struct Judged {
  const Report& report;
  const LoadedTraces& traces;
  const RuleSet& rules;
};

/// Says the first runs of a report, with the expressions of their wall and their number of steps; of more the cursor is
/// said.
void tell_runs(const Judged& judged, const Call& call, Answer& answer);
/// The runs from a place on, as far as there is room.
void add_runs(const Judged& judged, const Call& call, std::size_t first, Answer& answer);

/// Adds findings from place `first` on, the most severe first, as many as there is room for: whole ones, and where that
/// is too much what they are and cost. Whether all had room; else the cursor of the next is said.
bool add_findings(const Judged& judged, const Call& call, std::size_t first, Answer& answer);

/// The same of rules that could not tell, with the facts that they miss.
bool add_unknown(const Report& report, std::size_t first, Answer& answer);

/// Schemas of the lists that these make.
Json runs_schema();
Json findings_schema();
Json unknown_schema();
/// An object with these members, beside those that every answer may have.
Json answer_schema(Json properties, const std::vector<std::string>& required);

}  // namespace kdiag::serve::mcp
