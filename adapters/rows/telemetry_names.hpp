// SPDX-License-Identifier: Apache-2.0
// The names that a monitoring tool has for what kdiag knows as series of samples and properties of devices.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include <kdiag/catalogue.hpp>
#include <kdiag/fact.hpp>

#include "adapters/rows/device_samples.hpp"

namespace kdiag::adapters {

struct TelemetryName {
  std::string_view name;
  std::string_view unit;         ///< of values that state none; empty: the base unit
  std::string_view series = {};  ///< of samples
  ColumnId column = {};          ///< of properties, where `series` is empty
  Unit dimension = series.empty() ? info(column).unit : find_series(series)->unit;
};

/// The entry of a name; nothing when there is none.
const TelemetryName* find_telemetry(std::span<const TelemetryName> names, std::string_view name);

/// Whether a device can have a reading of this value, in the base unit: no ratio outside 0..1, negative number, clock
/// above 100 GHz, memory above a petabyte, temperature below absolute zero or above 1000 C.
bool can_be_read(double value, Unit dimension);

/// Adds a value as the sample or property that it is. Returns false for one that cannot be read, or has a unit that is
/// not known.
bool add_telemetry(DeviceSamples& facts, const TelemetryName& about, std::int64_t device, std::int64_t time,
                   double value, std::string_view unit = {});

/// Adds what a report says of a device: of several names for one fact, the first in `names` that has a value.
/// `value_of` gives the text of a name, with or without unit; empty when the report has none. Bad values are noted
/// (K603).
void add_report(DeviceSamples& facts, std::span<const TelemetryName> names, std::int64_t device, std::int64_t time,
                const std::function<std::string_view(std::string_view name)>& value_of, FactSink& sink);

}  // namespace kdiag::adapters
