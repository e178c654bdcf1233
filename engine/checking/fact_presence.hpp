// SPDX-License-Identifier: Apache-2.0
// Whether a fact is there: what `requires` of a rule asks.
#pragma once

#include <string>

#include <kdiag/diagnostic.hpp>

#include "engine/language/expression.hpp"

namespace kdiag {

/// Whether a fact is there, as an expression; null, with an error, when there is no such fact. A column is there when
/// some row has it, or when there is no row that could.
ExprPtr presence_of(const Reference& fact, TextRange range, const std::string& context, Diagnostics& diagnostics);

}  // namespace kdiag
