// SPDX-License-Identifier: Apache-2.0
// A recording as people make it: the command or the lines of code, and what it costs.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include <kdiag/plan.hpp>

#include "engine/recording/recording_hints.hpp"

namespace kdiag {

/// `telemetry`: the command, of telemetry. What it brings and settles is left open.
PlannedRecording describe_recording(Tool tool, const std::set<Setting>& settings, const std::string& telemetry,
                                    std::string_view vendor);

}  // namespace kdiag
