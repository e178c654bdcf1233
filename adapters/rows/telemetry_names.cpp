// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/telemetry_names.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

/// The most that a reading can be. No chip is hotter than 1000 degrees, runs at 100 GHz or has a petabyte; judgement.
double most_of(Unit dimension) {
  switch (dimension) {
    case Unit::ratio: return 1;
    case Unit::temperature: return 1000;
    case Unit::frequency: return 100e9;
    case Unit::bytes: return 1e15;
    default: return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

bool can_be_read(double value, Unit dimension) {
  constexpr double absolute_zero = -273.15;
  return value >= (dimension == Unit::temperature ? absolute_zero : 0) && value <= most_of(dimension);
}

const TelemetryName* find_telemetry(std::span<const TelemetryName> names, std::string_view name) {
  const auto found =
      std::find_if(names.begin(), names.end(), [name](const TelemetryName& known) { return known.name == name; });
  return found == names.end() ? nullptr : &*found;
}

bool add_telemetry(DeviceSamples& facts, const TelemetryName& about, std::int64_t device, std::int64_t time,
                   double value, std::string_view unit) {
  const Unit dimension = about.dimension;
  if (unit.empty()) unit = about.unit;
  if (unit == "Mhz") unit = "MHz";  // rocm-smi
  const auto base = unit.empty() ? std::optional(value) : to_base_unit(value, unit, dimension);
  if (!base || !can_be_read(*base, dimension)) return false;
  if (*base == 0 && dimension == Unit::frequency) return true;       // a clock that stands still is not known
  if (*base == 0 && about.series == "mem_temperature") return true;  // DCGM states 0 where memory has no sensor
  if (about.series.empty()) facts.set(device, about.column, *base);
  else facts.add(about.series, device, time, *base);
  return true;
}

void add_report(DeviceSamples& facts, std::span<const TelemetryName> names, std::int64_t device, std::int64_t time,
                const std::function<std::string_view(std::string_view name)>& value_of, FactSink& sink) {
  facts.add_device(device);
  std::set<std::pair<std::string_view, std::uint16_t>> known;
  for (const TelemetryName& about : names) {
    const std::string_view text = value_of(about.name);
    if (is_missing_word(text) || known.contains({about.series, about.column.index})) continue;
    const auto number = parse_measured(text);
    if (number && add_telemetry(facts, about, device, time, number->value, number->unit))
      known.emplace(about.series, about.column.index);
    else sink.note(note_id::malformed_value, about.name);
  }
}

}  // namespace kdiag::adapters
