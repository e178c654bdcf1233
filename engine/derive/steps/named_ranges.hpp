// SPDX-License-Identifier: Apache-2.0
// The time of annotations of one name, host and device side: what Scope::within chooses.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// The host ranges of that name on a rank slot, each extended like a step to the end of the last device activity
/// launched in it; the device ranges of that name when the host has none; empty when nothing has it.
IntervalSet ranges_named(const FactStore& store, std::uint32_t slot, std::string_view name);

}  // namespace kdiag
