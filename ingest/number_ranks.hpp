// SPDX-License-Identifier: Apache-2.0
// Ranks of traces that state none, where their names and times say that they are those of one job.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <kdiag/report.hpp>

#include "ingest/capture.hpp"

namespace kdiag {

/// Numbers the ranks of traces of PyTorch whose names differ in numbers alone ("worker0.pt.trace.json",
/// "host_4242.1712195495.pt.trace.json"), that were recorded at one time by a calendar clock, and that all exchange
/// data. One process does not record twice at a time, and runs to be compared follow one another. A small number in the
/// name is the rank, else its place among the others. Returns notes (K703) by input.
std::vector<std::pair<std::size_t, NoteEntry>> number_ranks(std::vector<SourceFragment>& fragments);

}  // namespace kdiag
