// SPDX-License-Identifier: Apache-2.0
// What a rule is judged for: the run, each of a kind of subject, or each group of the rows of a table.
#pragma once

#include <string>

#include "engine/ruleset/rule_set.hpp"

namespace kdiag {

/// The subjects that `for_each:` names. Of one that is unknown the error is noted, and what was probably meant is
/// taken, so that the rest of the rule is checked all the same.
SubjectSpec check_subject(const Rule& rule, const std::string& context, Diagnostics& diagnostics);

}  // namespace kdiag
