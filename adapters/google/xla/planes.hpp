// SPDX-License-Identifier: Apache-2.0
// One plane of an xplane.pb, as records.
#pragma once

#include <cstdint>
#include <string_view>

#include <kdiag/fact.hpp>

#include "adapters/google/xla/records.hpp"
#include "adapters/io/kept_records.hpp"

namespace kdiag::adapters::xla {

/// Whether the bytes begin like a plane: its number, perhaps, then a name that XLA gives.
bool is_plane(std::string_view message);

/// `position` tells the planes of a device from each other. A line of the host is a thread, in whichever plane of the
/// host it stands: /host:CPU has the thread's ranges, /host:CUPTI its calls. `kept` counts the records meanwhile; ends
/// early once the sink is cancelled.
void add_plane(std::string_view message, std::int64_t position, Records& records, KeptRecords& kept, FactSink& sink);

}  // namespace kdiag::adapters::xla
