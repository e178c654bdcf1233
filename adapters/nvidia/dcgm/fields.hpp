// SPDX-License-Identifier: Apache-2.0
// Fields of NVIDIA's Data Center GPU Manager, by the names that its tools print.
#pragma once

#include <span>
#include <string_view>

#include "adapters/rows/telemetry_names.hpp"

namespace kdiag::adapters::dcgm {

/// Short names of `dcgmi dmon`: "SMACT".
std::span<const TelemetryName> short_names();

/// Names of dcgm-exporter without `DCGM_FI_`: "PROF_SM_ACTIVE". Newer versions append the unit (`_RATIO`, `_CELSIUS`).
const TelemetryName* find_metric(std::string_view name);

/// Whether a number stands for "no value": DCGM's blank, not found, not supported, not permitted.
bool is_blank(double value);

}  // namespace kdiag::adapters::dcgm
