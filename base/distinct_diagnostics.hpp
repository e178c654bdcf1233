// SPDX-License-Identifier: Apache-2.0
// Diagnostics without repetition.
#pragma once

#include <kdiag/diagnostic.hpp>

namespace kdiag {

/// Of those that say the same of one place only the first: a parameter of a file, or a script, can belong to many
/// rules.
Diagnostics distinct(Diagnostics diagnostics);

}  // namespace kdiag
