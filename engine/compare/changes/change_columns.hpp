// SPDX-License-Identifier: Apache-2.0
// Rows of changes as columns of a fact store.
#pragma once

#include <vector>

#include "engine/compare/changes/change.hpp"

namespace kdiag {

/// Makes the rows the table `changes`. Times and calls are rounded to whole ones.
void add_changes(FactStore& store, const std::vector<Change>& rows);

}  // namespace kdiag
