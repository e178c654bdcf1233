// SPDX-License-Identifier: Apache-2.0
// Texts with holes: `Device busy ${share} of the time`.
#pragma once

#include <kdiag/diagnostic.hpp>

#include "engine/language/template.hpp"

namespace kdiag {

/// Splits a text into literals and `${expression}` holes; blanks at both ends are dropped. `$$` is a dollar sign; a `$`
/// before anything but `{` and `$` stands for itself. Errors of holes (K120-K122, K220, K221) and K123 (a hole that is
/// not closed) are added to `diagnostics`; such a hole has no tree.
Template parse_template(const SourceText& text, Diagnostics& diagnostics);

}  // namespace kdiag
