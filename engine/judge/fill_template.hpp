// SPDX-License-Identifier: Apache-2.0
// What a rule says of a subject: its texts, with values in their holes.
#pragma once

#include <string>
#include <vector>

#include "engine/eval/eval.hpp"
#include "engine/ruleset/checked_finding.hpp"

namespace kdiag {

/// A template with its holes filled; what is unknown reads "unknown". At most 16 KiB.
std::string fill_template(const CheckedTemplate& source, Evaluator& evaluator);

/// Whether a sentence or an advice is said: what is unknown does not hold.
bool is_said(const PlanPtr& condition, Evaluator& evaluator);

/// The first sentence that is said; null when none is.
const CheckedSentence* first_said(const std::vector<CheckedSentence>& alternatives, Evaluator& evaluator);
/// Its text.
std::string fill_first(const std::vector<CheckedSentence>& alternatives, Evaluator& evaluator);
/// All sentences that are said and not empty, a blank between them.
std::string fill_all(const std::vector<CheckedSentence>& sentences, Evaluator& evaluator);

}  // namespace kdiag
