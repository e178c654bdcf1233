// SPDX-License-Identifier: Apache-2.0
// Severity ladders: scales of severities that rules share by name.
#pragma once

#include <memory>
#include <vector>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// The files. A rule that uses a ladder has the ladder's bounds as parameters, named after their severities: users set
/// them for that rule as they set any other. A parameter of its own of such a name stays. Of rules that were read in
/// part the ladders are not known yet.
std::vector<std::shared_ptr<const RuleFile>> with_ladder_bounds(std::vector<std::shared_ptr<const RuleFile>> files);

/// Makes the ladders of all files known by their names; K306 for what is defined twice.
void collect_ladders(LoadedRules& rules, Diagnostics& diagnostics);

/// Checks `severity:` of a rule into `finding`, each ladder as the conditions that it stands for. K315: a ladder that
/// no file has. The scope gets bounds of ladders that are no parameters of the rule yet.
void check_severity(const Rule& rule, CheckScope& scope, CheckedFinding& finding, Diagnostics& diagnostics);

}  // namespace kdiag
