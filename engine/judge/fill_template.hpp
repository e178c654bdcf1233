// SPDX-License-Identifier: Apache-2.0
// What a rule says of a subject: its texts, with values in their holes.
#pragma once

#include <string>

#include "engine/eval/eval.hpp"
#include "engine/ruleset/checked_finding.hpp"

namespace kdiag {

/// A template with its holes filled; what is unknown reads "unknown". At most 16 KiB.
std::string fill_template(const CheckedTemplate& source, Evaluator& evaluator);

}  // namespace kdiag
