// SPDX-License-Identifier: Apache-2.0
// What the operations of each device are worth against what it could do, and which operators are furthest from it.
#pragma once

#include <vector>

#include <kdiag/report.hpp>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// An entry for each device that executed operations that are known, in row order; `run` is left empty. Run after
/// derive_work. O(rows). Work is cut where the wall ends. `model_flops`: operations of the model in all that is judged,
/// on all devices together, where the user says them: then there is an entry for each device that worked.
std::vector<WorkEntry> summarise_work(const FactStore& store, double model_flops = 0);

}  // namespace kdiag
