// SPDX-License-Identifier: Apache-2.0
// Values of parameters: defaults in rule files, `set:` in tests, `--set` on the command line.
#pragma once

#include <string_view>
#include <vector>

#include <kdiag/result.hpp>

#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// What `type:` of a define's parameter or of a ladder can say: the dimensions, number, string, bool, list.
const std::vector<std::string_view>& value_types();

/// What `type:` of a rule's parameter can say: also regex, a pattern that only `=~ $name` uses.
const std::vector<std::string_view>& param_types();

/// A value as an expression. Of a parameter of type string the text itself is the value, with or without quotes;
/// of type regex it stands between slashes; for all other types the text is parsed. Whether it fits the type is for the
/// checker. Errors: as parse_expression.
Result<Expression> parse_param_value(std::string_view type, const SourceText& text);

}  // namespace kdiag
