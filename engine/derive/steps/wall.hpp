// SPDX-License-Identifier: Apache-2.0
// The window that everything is divided by, clamped to or added up to: docs/time.md, "The window".
#pragma once

#include "engine/derive/rows/sample_lists.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills FactStore::walls, scope and scoped, and the wall columns of `runs` and `ranks`. The window of each rank is
/// the first of: its steps, its timed device activity, its stated step times (a length only), its host spans, its
/// samples. Warm-up and partial steps are set apart unless the scope names steps or times. Steps and times
/// choose a part of it; named ranges take its place, as they may reach beyond the first device activity. A scope that
/// leaves nothing gives basis `none` for that rank. Needs derive_steps.
void derive_walls(FactStore& store, const Scope& scope, const SampleLists& samples);

}  // namespace kdiag
