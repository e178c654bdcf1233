// SPDX-License-Identifier: Apache-2.0
// The table `findings`: what a trace was found to have, for those who read its summary.
#pragma once

#include <kdiag/report.hpp>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Fills `findings` from a report of the store's run, the first findings first, without those that others explain.
void store_findings(FactStore& store, const Report& report);

}  // namespace kdiag
