// SPDX-License-Identifier: Apache-2.0
// Steps that are set apart from what is judged, since a run pays them once.
#pragma once

#include <cstdint>
#include <vector>

#include <kdiag/report.hpp>

#include "engine/derive/steps/steps.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// What the steps of a rank slot cost that are in no window: all of kind warmup as one cost, all of kind partial as
/// another. Empty where a scope option chose what is judged, and where the window does not consist of steps.
/// Needs derive_walls.
std::vector<OneOffCost> excluded_steps(const FactStore& store, const TimedSteps& timed, std::uint32_t slot);

}  // namespace kdiag
