// SPDX-License-Identifier: Apache-2.0
// Which tables and columns a rule looks at.
#pragma once

#include <vector>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// What all expressions of a rule name, through its lets and defines; by place in the catalogue.
struct RuleReads {
  std::vector<bool> tables = std::vector<bool>(catalogue_tables.size());      ///< whose rows it goes through
  std::vector<bool> referenced = std::vector<bool>(catalogue_tables.size());  ///< that it reaches from rows of others
  std::vector<bool> columns = std::vector<bool>(catalogue_columns.size());    ///< named; a few more may be set
};

/// What decides on the outcome, the severity and the impact of the rule; not its texts, evidence and gain. Columns that
/// functions use without naming them
/// (`spans` reads `start` and `dur`) are not among them.
RuleReads rule_reads(const CheckedRule& rule, const LoadedRules& rules);

}  // namespace kdiag
