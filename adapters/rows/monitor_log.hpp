// SPDX-License-Identifier: Apache-2.0
// Logs of monitoring tools that print a header line, and then a row for each device and tick: a format is a list of
// names.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/names/device_names.hpp"
#include "adapters/rows/telemetry_names.hpp"
#include "adapters/text/csv.hpp"

namespace kdiag::adapters {

struct MonitorLog {
  std::string_view producer;
  DeviceMaker maker;
  std::string_view device;            ///< the column that numbers the devices
  std::string_view part = {};         ///< the column that numbers parts of a device; their rows are left out (K604)
  bool first_part_is_device = false;  ///< but for part 0: most devices have no other
  std::string_view time = {};         ///< the column of times, of the calendar or of a day; none: a second apart (K662)
  std::span<const TelemetryName> names;           ///< headings as they are printed, with their units
  std::span<const std::string_view> unused = {};  ///< how other headings begin that are known
  /// The headings of a line, and the cells of a row.
  std::vector<std::string_view> (*headings)(std::string_view line);
  std::vector<std::string_view> (*cells)(std::string_view line);
  ProvesEnd proves_end = never_ends, proves_row = never_ends;  ///< as in CsvOptions
};

/// Whether one of the first lines of a text is the header of such a log: it has the column of the devices, and one that
/// counts.
bool is_monitor_log(const MonitorLog& log, std::string_view text);

Status read_monitor_log(const MonitorLog& log, Input& input, FactSink& sink);

}  // namespace kdiag::adapters
