// SPDX-License-Identifier: Apache-2.0
// Clocks of the devices, which the tracer samples while the program runs.
#pragma once

#include <cstdint>
#include <set>

#include "adapters/amd/common/amd_events.hpp"
#include "adapters/io/sqlite.hpp"

namespace kdiag::adapters::rpd {

/// `devices` are the numbers of those that ran something. The samples number devices from 0; the records of work do so
/// since schema 3, and before count the hosts as well. Samples whose device cannot be told are left out (K668).
void read_monitors(const Database& database, amd::Events& events, const std::set<std::int64_t>& devices,
                   std::int64_t schema);

}  // namespace kdiag::adapters::rpd
