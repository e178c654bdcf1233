// SPDX-License-Identifier: Apache-2.0
// What a run holds, in a few figures, where no account of time tells it.
#pragma once

#include <vector>

#include <kdiag/report.hpp>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// An entry for each kind of record that the run has: steps, functions, collectives, what the host did. Operators and
/// calls that are recorded one by one are not told again by name. Without `run`.
std::vector<RecordedEntry> summarise_records(const FactStore& store);

}  // namespace kdiag
