// SPDX-License-Identifier: Apache-2.0
// Tables of `dcgmi dmon -e FIELDS`: a header `#Entity  SMACT  TENSO`, a line `ID`, rows `GPU 0  0.912  N/A`; the header
// comes again now and then. There are no times: rows are one period apart, 1 s unless -d said otherwise. Units are
// those of DCGM's fields: MHz, W, %, MiB; profiling fields are shares of 1. Rows of other entities (GPU instances,
// CPUs, links) are left out. Spec: DCGM's list of fields.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/nvidia/dcgm/fields.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

/// The columns behind "#Entity" or "# Entity"; nothing when the line is no header.
std::optional<std::vector<std::string_view>> header_columns(std::string_view line) {
  line = trim(line);
  if (!line.starts_with('#')) return std::nullopt;
  std::vector<std::string_view> names = words(line.substr(1));
  if (names.size() < 2 || names.front() != "Entity") return std::nullopt;
  names.erase(names.begin());
  return names;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : lines_(input, sink,
               {.separator = '\0', .quotes = false, .proves_end = never_ends, .proves_row = ends_with_blank}),
        sink_(lines_.sink()) {}

  Status read() {
    while (lines_.next()) line(lines_.record());
    if (Status status = lines_.status(); !status) return status;
    sink_.run(telemetry_run("dcgmi dmon", ClockDomain::device));
    sink_.submit(0, facts_.take());
    return ok_status();
  }

 private:
  void line(std::string_view text) {
    if (const auto names = header_columns(text)) return start_table(*names);
    split_words(text, cells_);
    const std::vector<std::string_view>& cells = cells_;
    if (columns_.empty() || cells.empty() || cells.front() == "ID") return;
    const bool complete = cells.size() == columns_.size() + 2;
    // A cut within the blanks between two columns looks like the end of a row, but for longer rows above.
    if (lines_.unterminated() && lines_.note_cut(!complete || cells.size() < widest_ || ran_together(cells))) return;
    widest_ = std::max(widest_, cells.size());
    if (!complete) return sink_.note(note_id::no_log_row);
    sink_.count_events(1);
    const auto id = to_integer(Token{cells[1]});
    if (cells[0] == "GPU-I") return sink_.note(note_id::instance_metrics);
    if (cells[0] != "GPU" || !id || *id < 0) return sink_.note(note_id::unknown_kind, cells[0]);
    sink_.note(note_id::assumed_times);
    const std::int64_t time = ticks_[*id]++ * assumed_period_ns;
    facts_.add_device(*id);
    for (std::size_t i = 0; i < columns_.size(); ++i) add(columns_[i], cells[i + 2], *id, time);
  }

  /// Whether a cell is neither a number nor a word for none: two rows ran into one another ("0GPU").
  static bool ran_together(const std::vector<std::string_view>& cells) {
    return std::any_of(cells.begin() + 2, cells.end(),
                       [](std::string_view cell) { return !is_missing_word(cell) && !to_real(Token{cell}); });
  }

  void start_table(const std::vector<std::string_view>& names) {
    lines_.note_cut(true);
    columns_.clear();
    widest_ = 0;
    for (std::string_view name : names) {
      columns_.push_back(find_telemetry(dcgm::short_names(), name));
      if (columns_.back() == nullptr) sink_.note(note_id::unknown_log_column, name);
    }
  }

  void add(const TelemetryName* about, std::string_view cell, std::int64_t gpu, std::int64_t time) {
    if (about == nullptr || is_missing_word(cell)) return;
    const auto value = to_real(Token{cell});
    if (value && dcgm::is_blank(*value)) return;
    if (!value || !add_telemetry(facts_, *about, gpu, time, *value)) sink_.note(note_id::malformed_value, about->name);
  }

  CsvReader lines_;  ///< without a separator: lines
  FactSink& sink_;
  DeviceSamples facts_{"nvidia"};
  std::vector<const TelemetryName*> columns_;
  std::vector<std::string_view> cells_;         ///< of the current line
  std::size_t widest_ = 0;                      ///< cells of the longest row of the table
  std::map<std::int64_t, std::int64_t> ticks_;  ///< rows by GPU
};

int sniff(const Head& head) {
  if (head.json != 0) return 0;
  const std::size_t at = head.bytes.find("Entity");
  if (at == std::string_view::npos) return 0;
  const std::size_t line = head.bytes.rfind('\n', at) + 1;  // npos + 1 is 0
  return header_columns(head.bytes.substr(line, head.bytes.find('\n', at) - line)) ? 85 : 0;
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
                                         "samples:sm_active",
                                         "samples:tensor_active",
                                         "samples:dram_active",
                                         "samples:pcie_rx",
                                         "samples:pcie_tx",
                                         "samples:nvlink_rx",
                                         "samples:nvlink_tx",
                                         "samples:sm_occupancy",
                                         "samples:throttle_reasons",
                                         "samples:ecc_corrected",
                                         "samples:ecc_uncorrected",
                                         "samples:ecc_corrected_lifetime",
                                         "samples:ecc_uncorrected_lifetime",
                                         "samples:rows_remapped",
                                         "samples:repair_pending",
                                         "samples:repair_failed",
                                         "samples:pcie_gen",
                                         "samples:pcie_width",
                                         "samples:pcie_replays",
                                         "samples:nvlink_flit_errors",
                                         "samples:nvlink_data_errors",
                                         "samples:nvlink_replays",
                                         "samples:nvlink_recoveries",
                                         "samples:xid",
                                         "devices.id",
                                         "devices.sm_clock_max",
                                         "devices.sm_clock_app",
                                         "devices.mem_clock_max",
                                         "devices.power_limit",
                                         "devices.power_limit_default",
                                         "devices.temperature_slowdown",
                                         "devices.mem_temperature_max",
                                         "devices.pcie_gen_max",
                                         "devices.pcie_width_max",
                                         "devices.memory"};

}  // namespace

extern const Adapter dcgmi_dmon;
const Adapter dcgmi_dmon{
    .id = "dcgmi-dmon",
    .title = "Tables of dcgmi dmon: activity of compute units, tensor cores and memory, clocks, power",
    .example = "#Entity   SMACT   TENSO   DRAMA   SMCLK   POWER",
    .record = "dcgmi dmon -e 100,101,155,150,203,1002,1004,1005,1009,1010 -d 1000 > gpu.txt",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
