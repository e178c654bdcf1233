// SPDX-License-Identifier: Apache-2.0
// Holes of texts that lack their dollar sign: K414.
#pragma once

#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// Warns of `{name}` in titles, messages and advice where `${name}` would say what a name of the rule stands for: a
/// let, a parameter, or a part of the subject or the run. Other braces are text.
void lint_plain_braces(const Rule& rule, Diagnostics& warnings);

}  // namespace kdiag
