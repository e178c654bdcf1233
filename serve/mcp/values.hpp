// SPDX-License-Identifier: Apache-2.0
// Numbers with the expressions that give them again.
#pragma once

#include <string>

#include <kdiag/rule_values.hpp>

#include "serve/rpc/json.hpp"

namespace kdiag::serve::mcp {

/// An expression and what `kdiag query` answers to it: type, value, unit, and what is not known of it. Texts of traces
/// are harmless and short; numbers are as they are.
Json value_entry(const std::string& expression, const std::string& answer_json, std::size_t rows_left_out);

/// The schema of such an entry.
Json value_schema();

/// How many rows of a value are not in its text, in brackets; empty: none.
std::string rows_behind(const RuleValue& value);

/// RuleView::subject of an id.
std::string asked_by(const std::string& id);

/// The name by which a call can ask for a subject again: its id where that is short and plain, else its number.
std::string handle_of(const RuleJudgement& judgement);

}  // namespace kdiag::serve::mcp
