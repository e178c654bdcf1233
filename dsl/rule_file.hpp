// SPDX-License-Identifier: Apache-2.0
// Reads rule files: YAML -> RuleFile, with every error of the file at once.
#pragma once

#include <string>

#include <kdiag/result.hpp>

#include "engine/rule.hpp"

namespace kdiag {

/// Reads a file's text; "K100" when it is missing, a directory, not readable or larger than a rule file may be.
Result<SourcePtr> read_rule_source(const std::string& path);

/// Reads a rule file as far as it can be understood; names and types in expressions are not looked at. Errors and
/// warnings, K1xx, K220, K221 and K410, are added to `diagnostics`; an expression with an error has no tree.
RuleFile parse_rule_file(const SourcePtr& source, Diagnostics& diagnostics);

}  // namespace kdiag
