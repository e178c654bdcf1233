// SPDX-License-Identifier: Apache-2.0
// Telemetry as facts: samples of counter series, and properties of the devices that come with them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/names/device_names.hpp"

namespace kdiag::adapters {

/// Between the samples of logs that state no times. An assumption, and always noted (K662): what the tools do by
/// default.
inline constexpr std::int64_t assumed_period_ns = 1'000'000'000;

/// What telemetry says of the run that it is of.
RunInfo telemetry_run(std::string_view producer, ClockDomain clock);

/// Collects what a log says of devices. Of a device's properties the first value counts, as everywhere in the store.
class DeviceSamples {
 public:
  /// An empty vendor is not known.
  explicit DeviceSamples(std::string_view vendor) : DeviceSamples(DeviceMaker{vendor, "GPU"}) {}
  explicit DeviceSamples(DeviceMaker maker) : maker_(maker) { batch_.declare(table("samples")); }

  /// Who makes the devices to come.
  void made_by(DeviceMaker maker) { maker_ = maker; }
  /// States that the device is there, whatever is known of it.
  void add_device(std::int64_t id) { (void)device(id); }
  /// A value of a series of the catalogue, in the series' base unit.
  void add(std::string_view series, std::int64_t device, std::int64_t time, double value);

  // Properties: a text unless it says that there is none; a number in the column's base unit.
  void set(std::int64_t device, ColumnId column, std::string_view text);
  void set(std::int64_t device, ColumnId column, double value);
  /// The model. One that a table cut ("Tesla V100-SXM2...") stands where no whole one comes before the batch is taken.
  void set_name(std::int64_t device, std::string_view model);

  std::size_t samples() const { return batch_.rows(table("samples")); }
  /// Moves every instant so far; before the batch is taken.
  void shift_times(std::int64_t ns) { batch_.shift_times(ns); }
  /// Hands the rows over and begins another batch.
  Batch take();

 private:
  /// Strings of the current batch.
  struct SeriesTexts {
    std::string_view series;
    Text name, unit;
  };

  struct Device {
    Row row;                        ///< of the current batch; without index where it has none yet
    bool made = false;              ///< who makes it is said
    std::set<std::uint16_t> known;  ///< columns of `devices` that have a value
  };
  using Devices = std::map<std::int64_t, Device>;

  Device& device(std::int64_t id);
  const SeriesTexts& texts_of(std::string_view series);

  DeviceMaker maker_;
  Batch batch_;
  std::vector<SeriesTexts> series_texts_;
  std::size_t next_series_ = 0;                    ///< where to look first: columns come in one order, row by row
  std::map<std::int64_t, std::string> cut_names_;  ///< by device
  Devices devices_;
  std::optional<Devices::iterator> last_;  ///< of the device asked for last
};

}  // namespace kdiag::adapters
