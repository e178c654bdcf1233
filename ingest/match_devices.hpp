// SPDX-License-Identifier: Apache-2.0
// Tells which rank's device a telemetry sample is about.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/facts/fact_builder.hpp"

namespace kdiag {

/// Telemetry names devices by index alone; in a run with ranks a device is (rank, index). Gives each device of the
/// telemetry fragments the one rank whose work (else whose device list) names that index, so that its samples join
/// that rank's row. When both sides state their host, only ranks of the same host count.
/// Returns the indices that several ranks used: their samples stay with a device of no rank.
std::vector<std::int64_t> match_devices(std::vector<Fragment>& fragments);

}  // namespace kdiag
