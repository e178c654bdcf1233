// SPDX-License-Identifier: Apache-2.0
// Devices and ranks that the input leaves unsaid, and which threads drive a device.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Gives the run its one row of `runs`, a device row of id 0 when there is device work and none is named, and rows
/// that name no device or rank to the only one of the run. With several they stay unknown.
void complete_identity(FactStore& store);

/// By device row: the threads (rows, ascending) whose calls launched work on it or whose operators queued it. All empty
/// without launch links.
std::vector<std::vector<std::uint32_t>> threads_by_device(const FactStore& store);

}  // namespace kdiag
