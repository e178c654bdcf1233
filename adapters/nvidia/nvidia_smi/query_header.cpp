// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nvidia_smi/query_header.hpp"

#include <algorithm>
#include <utility>

#include "adapters/nvidia/nvidia_smi/own_names.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

struct IdentityName {
  std::string_view name;
  QueryRole role;
};
struct SeriesName {
  std::string_view name, series, unit;
  int preference = 0;
};
struct PropertyName {
  std::string_view name;
  ColumnId column;
  std::string_view unit;
  int preference = 0;
};
struct ReasonName {
  std::string_view name;
  std::uint32_t bit;
};

// Names from `nvidia-smi --help-query-gpu` of drivers 590 to 610, and their older aliases.
constexpr IdentityName identities[] = {
    {"timestamp", QueryRole::timestamp}, {"index", QueryRole::index},       {"uuid", QueryRole::uuid},
    {"gpu_uuid", QueryRole::uuid},       {"pci.bus_id", QueryRole::bus_id}, {"gpu_bus_id", QueryRole::bus_id},
    {"bus_id", QueryRole::bus_id},                                                                         // hl-smi
    {"name", QueryRole::name},           {"gpu_name", QueryRole::name},     {"gpu_id", QueryRole::index},  // scripts
    {"gpu_index", QueryRole::index}};
// Graphics and SM clock are one clock domain since Volta, so the former stands in where the latter was not recorded.
constexpr SeriesName series_names[] = {
    {"clocks.current.sm", "sm_clock", "MHz"},
    {"clocks.sm", "sm_clock", "MHz"},
    {"clocks.current.graphics", "sm_clock", "MHz", 1},
    {"clocks.gr", "sm_clock", "MHz", 1},
    {"clocks.current.memory", "mem_clock", "MHz"},
    {"clocks.mem", "mem_clock", "MHz"},
    {"power.draw", "power", "W"},
    {"power.draw.average", "power", "W", 1},
    {"power.draw.instant", "power", "W", 2},
    {"temperature.gpu", "temperature", "C"},
    {"temperature.gpu.tlimit", "temperature_margin", "C"},
    {"temperature.memory", "mem_temperature", "C"},
    {"utilization.gpu", "gpu_util", "%"},
    {"utilization.memory", "mem_util", "%"},
    {"utilization.encoder", "encoder_util", "%"},
    {"utilization.decoder", "decoder_util", "%"},
    {"temperature.aip", "temperature", "C"},  // hl-smi
    {"utilization.aip", "gpu_util", "%"},     // hl-smi
    {"memory.used", "memory_used", "MiB"},
    {"clocks_event_reasons.active", "throttle_reasons", ""},
    {"clocks_throttle_reasons.active", "throttle_reasons", ""},
    {"ecc.errors.corrected.volatile.total", "ecc_corrected", ""},
    {"ecc.errors.uncorrected.volatile.total", "ecc_uncorrected", ""},
    {"ecc.errors.corrected.aggregate.total", "ecc_corrected_lifetime", ""},
    {"ecc.errors.uncorrected.aggregate.total", "ecc_uncorrected_lifetime", ""},
    {"remapped_rows.uncorrectable", "rows_remapped", ""},
    {"remapped_rows.pending", "repair_pending", ""},
    {"retired_pages.pending", "repair_pending", "", 1},
    {"remapped_rows.failure", "repair_failed", ""},
    {"pcie.link.gen.current", "pcie_gen", ""},
    {"pcie.link.gen.gpucurrent", "pcie_gen", "", 1},
    {"pcie.link.width.current", "pcie_width", ""},
    // No property of --query-gpu, but printed by dmon and -q.
    {"pcie.replays", "pcie_replays", ""},
    {"pcie.rx", "pcie_rx", "MB/s"},
    {"pcie.tx", "pcie_tx", "MB/s"},
    {"gpm.sm_util", "sm_active", "%"},
};
constexpr PropertyName property_names[] = {
    {"clocks.max.sm", column("devices.sm_clock_max"), "MHz"},
    {"clocks.max.graphics", column("devices.sm_clock_max"), "MHz", 1},
    {"clocks.max.gr", column("devices.sm_clock_max"), "MHz", 1},
    {"clocks.max.memory", column("devices.mem_clock_max"), "MHz"},
    {"clocks.max.mem", column("devices.mem_clock_max"), "MHz"},
    {"clocks.applications.graphics", column("devices.sm_clock_app"), "MHz"},
    {"clocks.applications.gr", column("devices.sm_clock_app"), "MHz"},
    {"enforced.power.limit", column("devices.power_limit"), "W"},
    {"power.limit", column("devices.power_limit"), "W", 1},
    {"power.default_limit", column("devices.power_limit_default"), "W"},
    {"pcie.link.gen.max", column("devices.pcie_gen_max"), ""},
    {"pcie.link.width.max", column("devices.pcie_width_max"), ""},
    // No property of --query-gpu, but printed by -q.
    {"temperature.gpu.slowdown", column("devices.temperature_slowdown"), "C"},
    {"temperature.memory.max", column("devices.mem_temperature_max"), "C"},
    {"memory.total", column("devices.memory"), "MiB"},
};

// Bits of nvmlClocksEventReasons.
constexpr std::uint32_t hw_slowdown = 0x8;
constexpr std::uint32_t sw_thermal_slowdown = 0x20;
constexpr std::string_view thermal_violation = "thermal_violation";  // of hardware and software
constexpr ReasonName reason_names[] = {
    {"gpu_idle", 0x1},
    {"applications_clocks_setting", 0x2},
    {"sw_power_cap", 0x4},
    {"hw_slowdown", hw_slowdown},
    {"sync_boost", 0x10},
    {"sw_thermal_slowdown", sw_thermal_slowdown},
    {"hw_thermal_slowdown", 0x40},
    {"hw_power_brake_slowdown", 0x80},
    // No properties of --query-gpu, but columns of dmon.
    {"power_violation", 0x4},
    {thermal_violation, sw_thermal_slowdown},
};

// First words of all other properties: known, of no use here.
constexpr std::string_view unused_words =
    " accounting addressing_mode bbx c2c clocks clocks_event_reasons clocks_event_reasons_counters "
    "clocks_throttle_reasons compute_cap compute_mode count display_active display_attached display_mode "
    "dramEncryption driver_model driver_version ecc edpp_multiplier encoder enforced fabric fan gom gpu "
    "gpu_recovery_action gpu_serial gsp hostname inforom kmd_version memory mig module module_id nic_driver_version "
    "pci pcie persistence_mode platform power power_smoothing protected_memory pstate remapped_rows reset_status "
    "retired_pages serial stats "
    "temperature utilization vbios_version vgpu_device_capability vgpu_driver_capability ";

template <class Entry, std::size_t size>
const Entry* lookup(const Entry (&entries)[size], std::string_view name) {
  const Entry* found =
      std::find_if(std::begin(entries), std::end(entries), [name](const Entry& entry) { return entry.name == name; });
  return found == std::end(entries) ? nullptr : found;
}

/// Splits "power.draw [W]" into name and unit.
std::pair<std::string_view, std::string_view> split_unit(std::string_view field) {
  const std::size_t open = field.rfind('[');
  if (open == std::string_view::npos || !field.ends_with(']')) return {field, {}};
  return {trim(field.substr(0, open)), trim(field.substr(open + 1, field.size() - open - 2))};
}

/// Whether a field can be a property's name: a command line or a sentence with commas is none.
bool is_name(std::string_view field) {
  const std::string_view name = split_unit(field).first;
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
  });
}

bool is_unused(std::string_view name) {
  const std::string word = ' ' + std::string(name.substr(0, name.find('.'))) + ' ';
  return is_name(name) && unused_words.find(word) != std::string_view::npos;
}

QueryColumn classify(std::string_view field) {
  const auto [name, unit] = split_unit(field);
  QueryColumn out{.name = std::string(name), .unit = std::string(unit)};
  auto holds = [&out](QueryRole role, Unit dimension, std::string_view usual_unit, int preference) {
    out.role = role;
    out.dimension = dimension;
    out.preference = preference;
    if (out.unit.empty()) out.unit = usual_unit;
  };
  if (const IdentityName* identity = lookup(identities, name)) {
    out.role = identity->role;
  } else if (const SeriesName* sample = lookup(series_names, name)) {
    out.series = sample->series;
    holds(QueryRole::sample, find_series(sample->series)->unit, sample->unit, sample->preference);
  } else if (const PropertyName* property = lookup(property_names, name)) {
    out.column = property->column;
    holds(QueryRole::device, info(property->column).unit, property->unit, property->preference);
  } else if (is_unused(name)) {
    out.role = QueryRole::unused;
    if (name.starts_with("clocks_event_reasons.") || name.starts_with("clocks_throttle_reasons."))
      if (const ReasonName* reason = lookup(reason_names, name.substr(name.find('.') + 1))) {
        out.role = QueryRole::reason;
        out.reason = reason->bit;
      }
  }
  return out;
}

/// As classify, of columns that a script may have named. Empty where they are none of a GPU's.
std::vector<QueryColumn> classify_own(std::span<const std::string_view> fields) {
  std::vector<QueryColumn> out;
  std::ptrdiff_t values = 0;
  bool utilization = false, times = false, dates = false;
  const bool of_gpus = std::any_of(fields.begin(), fields.end(), numbers_gpus);
  for (const std::string_view field : fields) {
    if (names_machine(field)) return {};
    const OwnName named = own_name(field);
    const OwnName own = named.vague && !of_gpus ? OwnName{} : named;
    QueryColumn column = classify(own.property.empty() ? field : own.property);
    column.name = field;
    if (column.role == QueryRole::timestamp && !own.unit.empty())
      column.since_start = own.unit == "ms" ? 1'000'000 : 1'000'000'000;
    else if (!own.unit.empty()) column.unit = own.unit;
    column.bare = own.bare;
    values += column.role == QueryRole::sample ? 1 : 0;
    utilization = utilization || column.series == "gpu_util";
    times = times || column.role == QueryRole::timestamp;
    dates = dates || (column.role == QueryRole::timestamp && column.since_start == 0);
    out.push_back(std::move(column));
  }
  for (QueryColumn& column : out)  // dates say more than times since the start, wherever they stand
    if (dates && column.since_start > 0) column.role = QueryRole::unused;
  if (!times || !utilization || (values < 2 && !of_gpus)) out.clear();
  return out;
}

/// Words with a dot within, which the end of a sentence has not.
bool is_dotted(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot != std::string_view::npos && dot + 1 < name.size();
}

/// A name that only nvidia-smi's query uses: `timestamp`, `name` or `index` alone could head any CSV file.
bool telling(const QueryColumn& column) {
  return column.role == QueryRole::sample || column.role == QueryRole::device || column.role == QueryRole::reason ||
         (column.role == QueryRole::unused && is_dotted(column.name));
}

/// The properties that a command asks for whose rows have no header: "$ nvidia-smi --query-gpu=index,power.draw
/// --format=csv,noheader,nounits". Empty for all else.
std::vector<std::string_view> asked_by_command(std::span<const std::string_view> fields) {
  constexpr std::string_view option = "--query-gpu=";
  std::vector<std::string_view> names;
  if (fields.empty()) return names;
  const std::size_t begin = fields.front().find(option);
  if (begin == std::string_view::npos) return names;
  names.push_back(fields.front().substr(begin + option.size()));
  const auto ends_list = [](std::string_view field) { return field.find_first_of(" \"'`") != field.npos; };
  std::size_t next = 1;
  while (!ends_list(names.back()) && next < fields.size()) names.push_back(fields[next++]);
  names.back() = names.back().substr(0, names.back().find_first_of(" \"'`"));
  const auto is_noheader = [](std::string_view field) { return field.find("noheader") != field.npos; };
  const bool without_header =
      std::any_of(fields.begin() + static_cast<std::ptrdiff_t>(next) - 1, fields.end(), is_noheader);
  return without_header ? names : std::vector<std::string_view>{};
}

}  // namespace

std::optional<QueryHeader> QueryHeader::parse(std::span<const std::string_view> fields, bool in_percent) {
  const std::vector<std::string_view> asked = asked_by_command(fields);
  if (!asked.empty()) fields = asked;
  if (fields.empty() || !is_name(fields.front())) return std::nullopt;
  QueryHeader header;
  header.of_command_ = !asked.empty();
  std::vector<QueryColumn> columns;
  for (std::string_view field : fields) columns.push_back(classify(field));
  if (std::none_of(columns.begin(), columns.end(), telling)) {
    columns = classify_own(fields);
    header.of_script_ = !columns.empty();
  }
  if (columns.empty()) return std::nullopt;
  header.set_columns(std::move(columns));
  if (!in_percent && header.bare_utilization()) return std::nullopt;
  return header;
}

void QueryHeader::set_columns(std::vector<QueryColumn> columns) {
  columns_ = std::move(columns);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::optional<std::size_t>& place = places_[static_cast<std::size_t>(columns_[i].role)];
    if (!place) place = i;
    add_fact(i);
  }
}

void QueryHeader::name_gpus_by(std::string_view column) {
  const auto named = std::find_if(columns_.begin(), columns_.end(),
                                  [column](const QueryColumn& other) { return other.name == column; });
  if (named == columns_.end()) return;
  named->role = QueryRole::index;
  places_[static_cast<std::size_t>(QueryRole::index)] = static_cast<std::size_t>(named - columns_.begin());
}

void QueryHeader::add_fact(std::size_t index) {
  const QueryColumn& column = columns_[index];
  if (column.role != QueryRole::sample && column.role != QueryRole::device) return;
  for (std::vector<std::size_t>& fact : facts_) {
    const QueryColumn& have = columns_[fact.front()];
    if (have.role != column.role || have.series != column.series || have.column != column.column) continue;
    const auto after = std::find_if(fact.begin(), fact.end(),
                                    [&](std::size_t other) { return columns_[other].preference > column.preference; });
    fact.insert(after, index);
    return;
  }
  facts_.push_back({index});
}

std::optional<std::size_t> QueryHeader::bare_utilization() const {
  const auto bare =
      std::find_if(columns_.begin(), columns_.end(), [](const QueryColumn& column) { return column.bare; });
  if (bare == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(bare - columns_.begin());
}

std::int64_t QueryHeader::since_start() const {
  const auto time = find(QueryRole::timestamp);
  return time ? columns_[*time].since_start : 0;
}

bool QueryHeader::has_series(std::string_view series) const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [series](const QueryColumn& column) { return column.series == series; });
}

DeviceMaker QueryHeader::maker() const {
  if (of_script_) return {.vendor = {}, .kind = "GPU"};
  const bool of_gaudi = std::any_of(columns_.begin(), columns_.end(),
                                    [](const QueryColumn& column) { return column.name.ends_with(".aip"); });
  return of_gaudi ? maker_of_category("hpu_") : maker_of_model("NVIDIA");
}

bool QueryHeader::reasons_complete() const {
  std::uint32_t have = 0;
  for (const QueryColumn& column : columns_) {
    have |= column.reason;
    if (column.name.ends_with(thermal_violation)) return true;
  }
  return (have & hw_slowdown) != 0 && (have & sw_thermal_slowdown) != 0;
}

}  // namespace kdiag::adapters
