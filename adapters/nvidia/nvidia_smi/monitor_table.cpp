// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nvidia_smi/monitor_table.hpp"

#include <algorithm>

#include "adapters/json/json.hpp"
#include "adapters/text/calendar_time.hpp"
#include "adapters/text/units.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

struct ColumnName {
  std::string_view name, property;
};
// Columns of dmon with the property that holds the same, of drivers 390 to 610. "sm" is what utilization.gpu is. "pclk"
// is the clock of the processors.
constexpr ColumnName column_names[] = {
    {"pwr", "power.draw [W]"},
    {"gtemp", "temperature.gpu [C]"},
    {"temp", "temperature.gpu [C]"},
    {"mtemp", "temperature.memory [C]"},
    {"sm", "utilization.gpu [%]"},
    {"mem", "utilization.memory [%]"},
    {"enc", "utilization.encoder [%]"},
    {"dec", "utilization.decoder [%]"},
    {"mclk", "clocks.mem [MHz]"},
    {"pclk", "clocks.gr [MHz]"},
    {"fb", "memory.used [MiB]"},
    {"rxpci", "pcie.rx [MB/s]"},
    {"txpci", "pcie.tx [MB/s]"},
    {"pci", "pcie.replays"},
    {"sbecc", "ecc.errors.corrected.aggregate.total"},
    {"dbecc", "ecc.errors.uncorrected.aggregate.total"},
    {"smutil", "gpm.sm_util [%]"},  // --gpm-metrics
};
// Share of the time, or whether, power or temperature held the clocks down.
constexpr ColumnName violation_names[] = {{"pviol", "clocks_event_reasons.power_violation"},
                                          {"tviol", "clocks_event_reasons.thermal_violation"}};
// Known, and no fact of ours.
constexpr std::string_view unused_names[] = {"gpu", "date", "time", "jpg", "ofa", "bar1", "ccpm", "idx"};
constexpr std::string_view no_property = "count";  // a property of --query-gpu that is of no use here

/// Names that nobody knows stand for themselves, and are noted as such.
std::string_view property_of(std::string_view column) {
  for (const ColumnName& known : column_names)
    if (known.name == column) return known.property;
  for (const ColumnName& known : violation_names)
    if (known.name == column) return known.property;
  return std::find(std::begin(unused_names), std::end(unused_names), column) == std::end(unused_names) ? column
                                                                                                       : no_property;
}

bool is_measure(std::string_view column) {
  return std::any_of(std::begin(column_names), std::end(column_names),
                     [column](const ColumnName& known) { return known.name == column; });
}

/// What a violation says of its sample, as the property has it. Some, but less than half of the time, is neither.
std::string_view reason_of(std::string_view column, std::string_view cell) {
  const auto value = to_integer(Token{cell});
  if (!value || *value < 0 || *value > 100) return {};
  if (*value == 0) return "Not Active";
  const bool whether = column == "tviol" && *value == 1;  // most drivers print "bool"
  return whether || *value >= 50 ? "Active" : std::string_view{};
}

}  // namespace

std::vector<std::string_view> monitor_words(std::string_view line) {
  line = trim(line);  // documents indent what they quote
  if (line.starts_with('#')) line.remove_prefix(1);
  return words(line, " \t\r,");
}

std::optional<MonitorTable::Kind> MonitorTable::kind_of(std::string_view line) {
  if (!trim(line).starts_with('#')) return std::nullopt;
  const std::vector<std::string_view> names = monitor_words(line);
  const auto gpu = std::find(names.begin(), names.end(), "gpu");
  if (gpu == names.end() ||
      !std::all_of(names.begin(), gpu, [](std::string_view name) { return name == "Date" || name == "Time"; }))
    return std::nullopt;
  if (gpu + 1 != names.end() && *(gpu + 1) == "pid") return Kind::processes;
  // A comment within a program may begin with "gpu mem".
  const std::ptrdiff_t least = line.starts_with('#') ? 1 : 3;
  return std::count_if(gpu, names.end(), is_measure) >= least ? std::optional(Kind::devices) : std::nullopt;
}

MonitorTable::MonitorTable(std::string_view header) {
  for (std::string_view word : monitor_words(header)) columns_.push_back(lower(word));
}

QueryHeader MonitorTable::properties() const {
  std::vector<std::string_view> properties;
  for (const std::string& name : columns_) properties.push_back(property_of(name));
  return *QueryHeader::parse(properties);
}

std::optional<MonitorTable::RowPlace> MonitorTable::parse(std::string_view line) {
  cells = monitor_words(line);
  if (trim(line).starts_with('#') || cells.size() != columns_.size()) return std::nullopt;
  RowPlace place;
  std::string_view date, time;
  std::optional<std::int64_t> gpu;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (columns_[i] == "gpu") gpu = to_integer(Token{cells[i]});
    if (columns_[i] == "date") date = cells[i];
    if (columns_[i] == "time") time = cells[i];
    for (const ColumnName& known : violation_names)
      if (columns_[i] == known.name) cells[i] = reason_of(known.name, cells[i]);
  }
  if (!gpu || *gpu < 0) return std::nullopt;
  place.gpu = *gpu;
  if (time.empty()) return place;
  const bool dated = date.size() == 8;
  const std::string day =
      dated ? std::string(date.substr(0, 4)) + '-' + std::string(date.substr(4, 2)) + '-' + std::string(date.substr(6))
            : "1970-01-01";
  const auto instant = parse_local_time(day + ' ' + std::string(time));
  if (!instant) return std::nullopt;
  (dated ? place.date_time : place.time_of_day) = instant;
  return place;
}

}  // namespace kdiag::adapters
