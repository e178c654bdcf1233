// SPDX-License-Identifier: Apache-2.0
// Facts from the events of a whole trace.
#pragma once

#include <memory>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/generic/chrome/events.hpp"

namespace kdiag::adapters::chrome {

/// Describes the run and submits everything. `chunks` stand in file order.
void finish(std::vector<std::unique_ptr<Events>> chunks, FactSink& sink);

}  // namespace kdiag::adapters::chrome
