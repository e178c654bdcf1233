// SPDX-License-Identifier: Apache-2.0
// What `amd-smi metric` and `amd-smi monitor` print with `--json` and `--csv`. JSON: an array of GPUs, or since ROCm 7
// an object with `gpu_data`; groups of values {"value": 132, "unit": "MHz"} or "N/A". CSV: a row per GPU whose columns
// are named like the values, those of clocks with the clock in front ("gfx_0_clk"). With `-w` reports follow one
// another, with a `timestamp` (s, unix) in each row. What `amd-smi monitor` prints for people is read, too. Spec: none
// but the tool; names of ROCm 6 and 7.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/amd/smi/monitor_table.hpp"
#include "adapters/json/json.hpp"
#include "adapters/rows/csv_header.hpp"
#include "adapters/rows/telemetry_names.hpp"
#include "adapters/text/calendar_time.hpp"
#include "adapters/text/csv.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::int64_t second = 1'000'000'000;

constexpr TelemetryName names[] = {
    {"gfx_0_clk", "MHz", "sm_clock"},
    {"mem_0_clk", "MHz", "mem_clock"},
    {"socket_power", "W", "power"},
    {"edge", "C", "temperature"},
    {"hotspot", "C", "temperature"},
    {"mem", "C", "mem_temperature"},
    {"gfx_activity", "%", "gpu_util"},
    {"umc_activity", "%", "mem_util"},
    {"used_vram", "MiB", "memory_used"},
    {"total_correctable_count", "", "ecc_corrected"},
    {"total_uncorrectable_count", "", "ecc_uncorrected"},
    {"width", "", "pcie_width"},
    {"replay_count", "", "pcie_replays"},
    {"gfx_0_max_clk", "MHz", "", column("devices.sm_clock_max")},
    {"mem_0_max_clk", "MHz", "", column("devices.mem_clock_max")},
    {"total_vram", "MiB", "", column("devices.memory")},
};

/// `amd-smi monitor --csv` and `--json` have names of their own; `mem` is the memory's utilization there.
constexpr TelemetryName monitor_names[] = {
    {"gfx_clk", "MHz", "sm_clock"},
    {"gfx_clock", "MHz", "sm_clock"},
    {"mem_clock", "MHz", "mem_clock"},
    {"power_usage", "W", "power"},
    {"hotspot_temperature", "C", "temperature"},
    {"memory_temperature", "C", "mem_temperature"},
    {"gfx", "%", "gpu_util"},
    {"mem", "%", "mem_util"},
    {"vram_used", "MiB", "memory_used"},
    {"max_power", "W", "", column("devices.power_limit")},
    {"vram_total", "MiB", "", column("devices.memory")},
};

/// What of `throttle` limits the clocks, as the bits of `throttle_reasons`.
struct Violation {
  std::string_view name;
  std::uint32_t bit;
};
constexpr Violation violations[] = {{"ppt_violation_status", 0x4},              // sw_power_cap
                                    {"prochot_violation_status", 0x8},          // hw_slowdown
                                    {"socket_thermal_violation_status", 0x40},  // hw_thermal_slowdown
                                    {"vr_thermal_violation_status", 0x40},
                                    {"hbm_thermal_violation_status", 0x40}};

/// Of `monitor --viol`: for how much of the time since the last look each of them limited the clocks.
constexpr Violation violation_shares[] = {
    {"pviol", 0x4}, {"phot_tviol", 0x8}, {"tviol", 0x40}, {"vr_tviol", 0x40}, {"hbm_tviol", 0x40}};

/// By the names that CSV has for the values.
using Report = amd::SmiReport;

/// Whether a table for people is there, perhaps below the command that printed it.
bool has_monitor_table(std::string_view text) {
  amd::MonitorTable table;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (table.started() && amd::MonitorTable::may_be_row(line) && table.row(line)) return true;
    table.start(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

/// The value of {"value": 132, "unit": "MHz"}, or of a plain number or text. Their MB are MiB.
std::string measured(const JsonValue& value) {
  if (value.kind != JsonValue::Kind::object) return value.text;
  std::string unit = value["unit"].text;
  if (unit == "MB") unit = "MiB";
  return unit.empty() ? value["value"].text : value["value"].text + ' ' + unit;
}

Report flattened(const JsonValue& gpu) {
  Report report;
  for (const JsonMember& group : gpu.members) {
    if (group.value.kind != JsonValue::Kind::object) report.emplace(group.key, group.value.text);
    for (const JsonMember& member : group.value.members) {
      report.emplace(member.key, measured(member.value));
      if (group.key != "clock") continue;
      for (const JsonMember& clock : member.value.members)  // "gfx_0": {"clk": ..., "max_clk": ...}
        report.emplace(member.key + '_' + clock.key, measured(clock.value));
    }
  }
  return report;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : input_(input), sink_(sink) {}

  Status read() {
    const bool printed = input_.head().json == 0 && has_monitor_table(input_.head().bytes);
    Status status = input_.head().json != 0 ? read_json() : printed ? read_table() : read_csv();
    if (!status) return status;
    if (reports_ > 0 && !timed_) sink_.note(note_id::assumed_times);
    sink_.run(telemetry_run("amd-smi", timed_ ? ClockDomain::unix_ns : ClockDomain::device));
    sink_.submit(0, facts_.take());
    return ok_status();
  }

 private:
  Status read_json() {
    const auto count = read_documents(input_, sink_, [this](const JsonValue& document, std::uint64_t) {
      const JsonValue& list = document.kind == JsonValue::Kind::array ? document : document["gpu_data"];
      for (const JsonValue& gpu : list.items) add(flattened(gpu));
    });
    return count ? ok_status() : Status(count.error());
  }

  Status read_table() {
    CsvReader lines(input_, sink_, {.separator = '\0', .quotes = false});
    amd::MonitorTable table;
    while (lines.next()) {
      const std::string_view line = lines.record();
      if (table.start(line)) {
        lines.note_cut(true);
        continue;
      }
      if (!table.started() || !amd::MonitorTable::may_be_row(line)) {
        table.clear();
        if (!lines.note_cut(true)) lines.sink().note(note_id::no_log_row);
        continue;
      }
      const auto report = table.row(line);
      if (lines.note_cut(!report)) continue;
      if (report && amd::MonitorTable::is_further_partition(*report)) lines.sink().note(note_id::instance_metrics);
      else if (report) add(*report);
      else lines.sink().note(note_id::malformed_value, "number of columns");
    }
    return lines.status();
  }

  Status read_csv() {
    CsvReader csv(input_, sink_);
    std::vector<std::string> header;
    while (csv.next()) {
      if (std::find(csv.fields().begin(), csv.fields().end(), "gpu") != csv.fields().end()) {
        csv.note_cut(true);
        header.assign(csv.fields().begin(), csv.fields().end());
        continue;
      }
      const bool complete = csv.fields().size() == header.size();
      if (csv.note_cut(!complete)) continue;
      if (!complete) {
        csv.sink().note(note_id::malformed_value, "number of columns");
        continue;
      }
      Report report;
      for (std::size_t i = 0; i < header.size(); ++i) report.emplace(header[i], csv.fields()[i]);
      add(report);
    }
    return csv.status();
  }

  void add(const Report& report) {
    sink_.count_events(1);
    const auto value_of = [&report](std::string_view name) {
      const auto found = report.find(name);
      return found == report.end() ? std::string_view{} : std::string_view(found->second);
    };
    const auto gpu = to_integer(Token{value_of("gpu")});
    if (!gpu || *gpu < 0) return sink_.note(note_id::malformed_value, "gpu");
    ++reports_;
    auto time = to_ns(Token{value_of("timestamp")}, second);
    if (const auto date = parse_calendar_time(value_of("timestamp")); !time && date && date->zoned) time = date->ns;
    timed_ = timed_ || time;
    const std::int64_t tick = ticks_[*gpu]++;
    const std::int64_t at = time.value_or(tick * assumed_period_ns);
    const bool shares = std::any_of(std::begin(violation_shares), std::end(violation_shares),
                                    [&report](const Violation& violation) { return report.contains(violation.name); });
    if (shares) add_violation_shares(*gpu, at, report);
    const bool monitor = report.contains("power_usage") || report.contains("gfx_clk") || report.contains("gfx");
    if (monitor || shares) return add_report(facts_, monitor_names, *gpu, at, value_of, sink_);
    add_report(facts_, names, *gpu, at, value_of, sink_);
    // Without one of them it is not known that nothing limits the clocks.
    std::uint32_t mask = 0;
    for (const Violation& violation : violations) {
      const std::string_view status = value_of(violation.name);
      if (status == "ACTIVE") mask |= violation.bit;
      else if (status != "NOT ACTIVE") return;
    }
    facts_.add("throttle_reasons", *gpu, at, mask);
  }

  /// What limited the clocks for most of the time counts as limiting them then. Without one of those that the report
  /// has it is not known that nothing did.
  void add_violation_shares(std::int64_t gpu, std::int64_t at, const Report& report) {
    constexpr double most = 50;  // judgement
    std::uint32_t mask = 0;
    bool all = true;
    for (const Violation& violation : violation_shares) {
      const auto found = report.find(violation.name);
      if (found == report.end()) continue;
      const std::string_view share = found->second;
      const auto percent = parse_number<double>(share.substr(0, share.find(' ')));
      const bool known = percent && *percent >= 0 && *percent <= 100;
      all = all && known;
      if (known && *percent > most) mask |= violation.bit;
    }
    if (all || mask != 0) facts_.add("throttle_reasons", gpu, at, mask);
  }

  Input& input_;
  FactSink& sink_;
  DeviceSamples facts_{"amd"};
  std::map<std::int64_t, std::int64_t> ticks_;  ///< reports by GPU
  std::int64_t reports_ = 0;
  bool timed_ = false;
};

int sniff(const Head& head) {
  if (head.json != 0) {
    const bool list = head.has_key("gpu_data") || (head.json == '[' && head.has_key("gpu"));
    const bool metrics = head.bytes.find("\"gfx_activity\"") != std::string_view::npos ||
                         head.bytes.find("\"socket_power\"") != std::string_view::npos ||
                         head.bytes.find("\"power_usage\"") != std::string_view::npos;
    return list && metrics ? 85 : 0;
  }
  if (has_monitor_table(head.bytes)) return 80;
  const std::vector<std::string_view> fields = header_fields(first_line(head.bytes));
  if (std::find(fields.begin(), fields.end(), "gpu") == fields.end()) return 0;
  return std::any_of(fields.begin(), fields.end(),
                     [](std::string_view field) {
                       return field == "gfx_activity" || field == "socket_power" || field == "gfx_0_clk" ||
                              field == "power_usage" || field == "gfx_clk";
                     })
             ? 85
             : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"samples",
                                         "samples:sm_clock",
                                         "samples:mem_clock",
                                         "samples:power",
                                         "samples:temperature",
                                         "samples:mem_temperature",
                                         "samples:gpu_util",
                                         "samples:mem_util",
                                         "samples:memory_used",
                                         "samples:throttle_reasons",
                                         "samples:ecc_corrected",
                                         "samples:ecc_uncorrected",
                                         "samples:pcie_width",
                                         "samples:pcie_replays",
                                         "devices.id",
                                         "devices.sm_clock_max",
                                         "devices.mem_clock_max",
                                         "devices.memory"};

}  // namespace

extern const Adapter amd_smi;
const Adapter amd_smi{
    .id = "amd-smi",
    .title =
        "Reports of amd-smi metric and monitor as JSON or CSV, and the table of monitor: clocks, power, activity, "
        "memory",
    .example = "[{\"gpu\": 0, \"usage\": {\"gfx_activity\": {\"value\": 98, \"unit\": \"%\"}",
    .record = "while sleep 1; do amd-smi metric --json; done > gpu.json",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
