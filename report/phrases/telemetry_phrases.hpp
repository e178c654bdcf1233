// SPDX-License-Identifier: Apache-2.0
// What a report says of devices that telemetry alone shows; unescaped, as all phrases are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <kdiag/report.hpp>

namespace kdiag::report {

/// A device in figures, those first that matter most: "busy 98 %", "SM clock 1410 of 1980 MHz", "power 312 of 400 W",
/// "83 °C", "memory 19.4 of 80 GiB", "clocks limited by sw_power_cap 96 %". What was not sampled is not there.
std::vector<std::string> telemetry_phrases(const TelemetryEntry& entry);

/// One of these figures in two runs.
struct SampledChange {
  std::string label, normal, abnormal;  ///< "SM clock", "1980 MHz", "1410 MHz"
  std::optional<double> change;         ///< relative; absent of figures that were 0, and of reasons
};
/// A device that both runs of a comparison sampled, "GPU 0", and the figures that they have of it.
struct SampledDevice {
  std::string device;
  std::vector<SampledChange> changes;
};
/// The same devices of both runs, in the order of the abnormal one; the only one of each, whatever its number. Empty
/// for runs that are not telemetry alone.
std::vector<SampledDevice> sampled_in_both(const Report& report);

/// A value of a series, "1410 MHz", and the range of its values, "345 to 1980 MHz".
std::string sampled_value(const SampledSeries& series, double value);
std::string sampled_range(const SampledSeries& series);

}  // namespace kdiag::report
