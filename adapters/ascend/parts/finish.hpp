// SPDX-License-Identifier: Apache-2.0
// Facts from the records of a whole Ascend trace.
#pragma once

#include <memory>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/ascend/parts/records.hpp"

namespace kdiag::adapters::ascend {

/// Describes the run and submits everything. `chunks` stand in file order.
void finish(std::vector<std::unique_ptr<Records>> chunks, FactSink& sink);

}  // namespace kdiag::adapters::ascend
