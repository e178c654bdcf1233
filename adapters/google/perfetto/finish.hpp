// SPDX-License-Identifier: Apache-2.0
// Facts from the records of a whole Perfetto trace.
#pragma once

#include <kdiag/fact.hpp>

#include "adapters/google/perfetto/trace.hpp"

namespace kdiag::adapters::perfetto {

/// Describes the run and submits everything.
void finish(Trace trace, FactSink& sink);

}  // namespace kdiag::adapters::perfetto
