// SPDX-License-Identifier: Apache-2.0
// The commands of monitoring tools that record facts about devices.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kdiag {

/// Whether monitoring tools of devices state a fact: a series of samples ("samples:power"), or a property of devices
/// that comes with them ("devices.power_limit").
bool is_telemetry_fact(std::string_view fact);

/// What is to be recorded, and what there is.
struct TelemetryWish {
  std::string_view vendor;                              ///< as `devices.vendor` spells it; empty: not known
  std::string_view adapter;                             ///< that read the telemetry at hand; empty: there is none
  std::string_view producer;                            ///< the tool that made it
  std::function<bool(std::string_view fact)> wanted;    ///< what the command should bring besides
  std::function<bool(std::string_view fact)> recorded;  ///< what the telemetry at hand has
};

/// The command of the device's own tool that brings a fact, and with it all that is wanted or was recorded and the same
/// tool states. Of a tool whose reports always hold everything that it can state, nothing for what they lack. Empty
/// where no tool of that maker states it in a form that is read.
///     telemetry_command("samples:power", {.vendor = "nvidia", ...}) names nvidia-smi with power.draw
std::string telemetry_command(std::string_view fact, const TelemetryWish& wish);

}  // namespace kdiag
