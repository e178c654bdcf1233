// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/rpd/monitors.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include <kdiag/note_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/rows/device_samples.hpp"
#include "adapters/rows/telemetry_names.hpp"
#include "adapters/text/instants.hpp"

namespace kdiag::adapters::rpd {
namespace {

constexpr std::string_view monitor_table = "rocpd_monitor";
constexpr std::int64_t schema_with_equal_numbers = 3;

// Tracers write the first; the others stand in their source, switched off.
constexpr TelemetryName names[] = {
    {"sclk", "MHz", "sm_clock"},
    {"mclk", "MHz", "mem_clock"},
    {"power", "W", "power"},
    {"temp", "C", "temperature"},
};

using Numbers = std::map<std::int64_t, std::int64_t>;

/// Which device of the records each sampled one is; empty when it cannot be told.
Numbers match(const std::set<std::int64_t>& sampled, const std::set<std::int64_t>& working, std::int64_t schema) {
  Numbers numbers;
  const bool same = std::includes(sampled.begin(), sampled.end(), working.begin(), working.end());
  if (working.empty() || (same && schema >= schema_with_equal_numbers)) {
    for (std::int64_t number : sampled) numbers.emplace(number, number);
  } else if (sampled.size() == working.size()) {  // all devices worked: both count them in the same order
    std::transform(sampled.begin(), sampled.end(), working.begin(), std::inserter(numbers, numbers.end()),
                   [](std::int64_t from, std::int64_t to) { return std::pair(from, to); });
  }
  return numbers;
}

std::set<std::int64_t> sampled_devices(const Database& database) {
  std::set<std::int64_t> devices;
  Query rows = database.select(monitor_table, {"deviceType", "deviceId"});
  while (rows.next())
    if (const auto number = rows.integer(1); number && rows.text(0) == "gpu") devices.insert(*number);
  return devices;
}

}  // namespace

void read_monitors(const Database& database, amd::Events& events, const std::set<std::int64_t>& devices,
                   std::int64_t schema) {
  enum Place : int { type, id, monitor, start, value };
  const Numbers numbers = match(sampled_devices(database), devices, schema);
  DeviceSamples samples(events.vendor);
  Query rows = database.select(monitor_table, {"deviceType", "deviceId", "monitorType", "start", "value"});
  while (rows.next() && events.begin_record()) {
    const std::string_view name = rows.text(monitor).value_or("");
    const TelemetryName* about = find_telemetry(names, name);
    const auto number = rows.integer(id);
    if (about == nullptr || rows.text(type) != "gpu") {
      events.sink.note(note_id::unknown_kind, "monitor " + std::string(name));
      continue;
    }
    const auto found = numbers.find(number.value_or(-1));
    if (number && found == numbers.end()) {
      events.sink.note(note_id::device_numbers_differ);
      continue;
    }
    const auto time = in_range(rows.integer(start));
    const auto sample = to_real(Token{rows.text(value).value_or("")});
    if (!number || !time || !sample || !add_telemetry(samples, *about, found->second, *time, *sample))
      events.sink.note(note_id::malformed_value, monitor_table);
  }
  if (samples.samples() > 0) events.hand_on(samples.take());
}

}  // namespace kdiag::adapters::rpd
