// SPDX-License-Identifier: Apache-2.0
// Takes out what the files of one recording say more than once.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "ingest/assemble.hpp"

namespace kdiag {

/// Keeps of the views of each capture what no other view says better, and brings the richest view to the front.
///
/// Of views that have a table's rows in common (the same names at the same time) the one with times is used, else the
/// richer one, with the measures that only the other has; rows that none of the others has are kept beside them. Totals
/// and phases make room for the events that they are made of. Returns notes by input that say what was not used.
std::vector<std::pair<std::size_t, NoteEntry>> merge_views(AssembledRun& run);

}  // namespace kdiag
