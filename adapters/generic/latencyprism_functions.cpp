// SPDX-License-Identifier: Apache-2.0
// LatencyPrism's functions per cycle (result_perf_data.csv): one row per cycle, function and counter. A row says how
// long the function took in the cycle (us, summed over threads and streams), how often it ran, and the mean of a
// counter meanwhile, in percent of a maximum; of a clock, in percent of a MHz. Starts of cycles are UTC in us.
// Functions are kernels, copies, waiting calls and states of host threads (`oncpu`, `runq`). Cycles at the edge of the
// recording lack functions.
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/generic/latencyprism/device_clocks.hpp"
#include "adapters/rows/csv_header.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::int64_t us = 1000;

enum class Cell : std::uint8_t {
  cycle,
  pid,
  host,
  function,
  counter,
  device,
  kind,
  mean,
  time,
  length,
  start,
  calls,
  anchor,
  unused
};
constexpr std::string_view names[] = {"cycle",          "pid",
                                      "hostname",       "function_name",
                                      "metric_name",    "device",
                                      "func_type",      "mu_pct",
                                      "duration",       "anchor_dur_us",
                                      "cycle_start_ts", "instances_count",
                                      "anchor_name",    "beta_pct|sigma_pct|interpolation_status|simple_name"};
using Header = CsvHeader<Cell, std::size(names)>;

bool is_header(const Header& header) {
  return header.has(Cell::cycle, Cell::function, Cell::counter, Cell::device, Cell::time);
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : csv_(input, sink), sink_(csv_.sink()) {}

  Status read() {
    while (csv_.next()) {
      if (header_) {
        row();
        continue;
      }
      csv_.note_cut(true);
      header_.emplace(csv_.fields(), names);
      for (const std::string& name : header_->unknown()) sink_.note(note_id::unknown_table_column, name);
    }
    start_run({});
    add_clocks();
    sink_.submit(0, std::move(batch_));
    return csv_.status();
  }

 private:
  std::string_view cell(Cell which) const { return header_->cell(csv_.fields(), which); }

  void row() {
    sink_.count_events(1);
    const bool complete = csv_.fields().size() == header_->columns();
    if (csv_.note_cut(!complete)) return;
    if (!complete) return sink_.note(note_id::malformed_value, "number of columns");
    const auto cycle = header_->integer(csv_.fields(), Cell::cycle);
    const auto time = header_->time(csv_.fields(), Cell::time, us);
    if (!cycle || cell(Cell::function).empty()) return sink_.note(note_id::malformed_value, "cycle or function");
    if (!time) return sink_.note(note_id::malformed_value, "duration");
    if (*time < 0) return sink_.note(note_id::negative_duration);
    start_run(cell(Cell::host));
    add_cycle(*cycle);
    add_mean(function(*cycle, *time), *time);
  }

  void start_run(std::string_view host) {
    if (std::exchange(started_, true)) return;
    RunInfo run;
    run.producer = "LatencyPrism";
    if (header_ && header_->has(Cell::start)) run.clock = ClockDomain::unix_ns;
    run.host = host;
    sink_.run(std::move(run));
    batch_.declare(table("functions"));
    if (header_ && header_->has(Cell::mean)) batch_.declare(table("function_metrics"));
    if (header_ && header_->has(Cell::length)) batch_.declare(table("steps"));
  }

  /// What tells a row's cycle, and its function, from others.
  std::string key(std::initializer_list<Cell> cells) const {
    std::string key;
    for (Cell part : cells) key.append(cell(part)) += '\n';
    return key;
  }

  /// Processes of one job do their cycles together: the cycle of one stands for that of all, as functions of a cycle
  /// do.
  void add_cycle(std::int64_t index) {
    const auto length = header_->time(csv_.fields(), Cell::length, us);
    if (!length || *length < 0 || !cycles_.insert(index).second) return;
    const Row step = batch_.add(table("steps"));
    batch_.set(step, column("steps.index"), index);
    batch_.set(step, column("steps.dur"), *length);
    if (const auto start = header_->time(csv_.fields(), Cell::start, us))
      batch_.set(step, column("steps.start"), *start);
    if (const std::string_view anchor = cell(Cell::anchor); !is_missing_word(anchor))
      batch_.set(step, column("steps.anchor"), anchor);
  }

  /// Rows of one function in one cycle differ in the counter alone.
  Row function(std::int64_t cycle, std::int64_t time) {
    const auto [known, added] =
        functions_.try_emplace(key({Cell::pid, Cell::cycle, Cell::function, Cell::kind, Cell::device}));
    if (!added) return known->second;
    const Row row = known->second = batch_.add(table("functions"));
    batch_.set(row, column("functions.name"), cell(Cell::function));
    batch_.set(row, column("functions.cycle"), cycle);
    batch_.set(row, column("functions.total"), time);
    if (const auto calls = header_->integer(csv_.fields(), Cell::calls))
      batch_.set(row, column("functions.calls"), *calls);
    if (const auto label = device_label(cell(Cell::device))) {
      const Row device = batch_.device(label->id);
      batch_.set(device, column("devices.kind"), label->kind);
      batch_.set(row, column("functions.device"), device);
      devices_.insert(label->id);
    }
    return row;
  }

  void add_mean(Row function, std::int64_t time) {
    const std::string_view counter = cell(Cell::counter);
    if (is_missing_word(counter) || is_missing_word(cell(Cell::mean))) return;
    const auto mean = parse_measured(cell(Cell::mean));
    if (!mean || !mean->unit.empty()) return sink_.note(note_id::malformed_value, counter);
    const Row row = batch_.add(table("function_metrics"));
    batch_.set(row, column("function_metrics.function"), function);
    batch_.set(row, column("function_metrics.metric"), counter);
    batch_.set(row, column("function_metrics.value"), mean->value);
    const auto length = header_->time(csv_.fields(), Cell::length, us);
    const double whole = static_cast<double>(length.value_or(0));
    cycle_clocks_.add(cell(Cell::device), counter, cell(Cell::function), mean->value,
                      static_cast<double>(time) / (whole > 0 ? whole : 1));
  }

  void add_clocks() {
    const DeviceClocks clocks = cycle_clocks_.clocks();
    if (clocks.highest() == 0) return;
    const auto unit = plausible_unit(clocks.highest());
    sink_.note(note_id::assumed_clock_unit, unit ? unit->name : "none fits");
    if (!unit) return;
    for (std::int64_t id : devices_) {
      const Row device = batch_.device(id);
      if (const auto sm = clocks.sm_clock(id)) batch_.set(device, column("devices.sm_clock_avg"), *sm * unit->hertz);
      if (const auto mem = clocks.mem_clock(id))
        batch_.set(device, column("devices.mem_clock_avg"), *mem * unit->hertz);
    }
  }

  CsvReader csv_;
  FactSink& sink_;
  std::optional<Header> header_;
  Batch batch_;
  bool started_ = false;
  std::unordered_set<std::int64_t> cycles_;         ///< that have a row
  std::unordered_map<std::string, Row> functions_;  ///< of a cycle
  std::set<std::int64_t> devices_;
  CycleClocks cycle_clocks_;
};

int sniff(const Head& head) {
  return head.json == 0 && is_header(Header(header_fields(first_line(head.bytes)), names)) ? 90 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {
    "functions",    "function_metrics", "steps.index",  "steps.start",          "steps.dur",
    "steps.anchor", "devices.id",       "devices.kind", "devices.sm_clock_avg", "devices.mem_clock_avg"};

}  // namespace

extern const Adapter latencyprism_functions;
const Adapter latencyprism_functions{
    .id = "latencyprism-functions",
    .title = "LatencyPrism's functions of a run per cycle",
    .example = "cycle,pid,hostname,beta_pct,function_name,metric_name,device,func_type,mu_pct,sigma_pct,duration",
    .record = "LatencyPrism, result_perf_data.csv",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
