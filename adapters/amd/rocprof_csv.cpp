// SPDX-License-Identifier: Apache-2.0
// CSV tables of AMD's profilers, all in ns of the machine's clock: rocprofv3 (kernel_trace, memory_copy_trace, traces
// of the HIP, HSA, RCCL and marker interfaces, counter_collection, *_stats, agent_info), rocprofv2, rocprof v1
// (results.csv, results.stats.csv, results.hip_stats.csv, ...) and rocprof-compute (timestamps.csv, pmc_perf.csv).
// Spec: docs of rocprofiler-sdk and rocprofiler. Tables of one run may follow one another in one input, each with its
// header.
// Tables with counters come from kernels that ran one at a time: they give durations, no starts.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/amd/common/amd_events.hpp"
#include "adapters/amd/rocprof/columns.hpp"
#include "adapters/amd/rocprof/rows.hpp"
#include "adapters/amd/rocprof/totals.hpp"
#include "adapters/rows/pasted_csv.hpp"
#include "adapters/text/csv.hpp"

namespace kdiag::adapters {
namespace {

using rocprof::Header;
using rocprof::TableKind;

/// The tables that a kind of input records, so that they are empty, not absent, when it has no rows.
void declare(Batch& batch, TableKind kind) {
  switch (kind) {
    case TableKind::dispatches:
    case TableKind::counters: batch.declare(table("kernels")); break;
    case TableKind::copies: batch.declare(table("copies")); break;
    case TableKind::calls:
    case TableKind::totals:
    case TableKind::agents:
    case TableKind::none: break;  // their rows say what they are of
  }
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : csv_(input, sink), sink_(csv_.sink()), totals_(sink_) { begin_events(); }

  Status read() {
    while (csv_.next()) {
      if (start_table()) continue;
      if (header_) row();
      else if (!csv_.note_cut(true)) sink_.note(note_id::no_log_row);
    }
    end_totals();
    if (runs_ > 0) finish_events();
    return csv_.status();
  }

 private:
  /// Whether the record is a header line, which starts another table, perhaps of a kind that is not read.
  bool start_table() {
    const bool begins = Header::names_column(csv_.fields().front(), rocprof::column_names);
    if (!begins && header_) return false;
    Header header(csv_.fields(), rocprof::column_names);
    const TableKind kind = kind_of(header);
    if (!begins && kind == TableKind::none) return false;
    csv_.note_cut(true);
    end_totals();
    kind_ = kind;
    if (kind == TableKind::none) {
      header_ = std::move(header);
      return true;
    }
    if (runs_ == 0) start_run(header.has(rocprof::Column::begin) ? ClockDomain::device : ClockDomain::none);
    declare(events_->batch, kind);
    if (kind == TableKind::counters) sink_.note(note_id::serialised_kernels);
    note_unknown(header.unknown(), kind);
    header_ = std::move(header);
    return true;
  }

  void start_run(ClockDomain clock) {
    if (runs_ > 0) {
      finish_events();
      begin_events();
      totals_.start_run();
    }
    RunInfo run;
    run.producer = "rocprof";
    run.clock = clock;
    if (runs_++ > 0) run.label = "table " + std::to_string(runs_);
    sink_.run(std::move(run));
  }

  void finish_events() {
    if (rows_->lacks_most_dispatches()) sink_.note(note_id::missing_dispatches);
    events_->finish();
  }

  void begin_events() {
    events_.emplace(sink_);
    rows_.emplace(*events_);
  }

  /// Writes the table of totals that ends, perhaps as one of another run.
  void end_totals() {
    if (kind_ != TableKind::totals) return;
    if (totals_.repeats()) start_run(ClockDomain::none);
    totals_.end_table(events_->batch);
  }

  /// Counters may be hundreds, and agents have properties that no rule asks for.
  void note_unknown(std::span<const std::string> names, TableKind kind) {
    if (kind == TableKind::counters && !names.empty()) sink_.note(note_id::unknown_counter, "", names.size());
    if (kind == TableKind::counters || kind == TableKind::agents) return;
    for (const std::string& name : names) sink_.note(note_id::unknown_log_column, name);
  }

  void row() {
    if (!events_->begin_record()) return;
    const std::span<const std::string_view> fields = csv_.fields();
    if (csv_.note_cut(fields.size() < header_->columns())) return;
    if (kind_ == TableKind::none) return sink_.note(note_id::unknown_kind, fields.front());
    if (fields.size() == header_->columns()) return add(fields);
    const auto joined = with_joined_text(csv_.record(), fields, header_->columns(), place_of_text());
    if (!joined) return sink_.note(note_id::malformed_value, "number of columns");
    add(*joined);
  }

  void add(std::span<const std::string_view> fields) {
    if (kind_ == TableKind::totals) totals_.add(*header_, fields);
    else rows_->add(*header_, kind_, fields);
  }

  /// Where the text of a row stands that v1 writes without quotes: the name of a kernel or a function.
  std::size_t place_of_text() const {
    for (const rocprof::Column column : {rocprof::Column::kernel, rocprof::Column::function, rocprof::Column::name})
      if (const auto place = header_->place(column)) return *place;
    return header_->columns();
  }

  CsvReader csv_;
  FactSink& sink_;
  std::optional<amd::Events> events_;  ///< of the run
  std::optional<rocprof::Rows> rows_;
  rocprof::Totals totals_;
  std::optional<Header> header_;
  TableKind kind_ = TableKind::none;
  int runs_ = 0;
};

bool is_header(std::string_view line) {
  return kind_of(Header(header_fields(line), rocprof::column_names)) != TableKind::none;
}

int sniff(const Head& head) {
  if (head.json != 0) return 0;
  if (is_header(first_line(head.bytes))) return 90;
  return has_header_line(head.bytes, is_header) ? 70 : 0;
}

Status read(Input& input, FactSink& sink) {
  const auto tables = tables_alone(input, sink, is_header);
  return Reader(tables ? *tables : input, sink).read();
}

constexpr std::string_view provides[] = {
    "kernels.name",       "kernels.class",     "kernels.start",      "kernels.dur",
    "kernels.device",     "kernels.stream",    "kernels.regs",       "kernels.smem",
    "kernels.grid_x",     "kernels.grid_y",    "kernels.grid_z",     "kernels.block_x",
    "kernels.block_y",    "kernels.block_z",   "kernels.launch",     "kernels.correlation",
    "copies.kind",        "copies.src",        "copies.dst",         "copies.start",
    "copies.dur",         "copies.device",     "copies.stream",      "copies.correlation",
    "copies.launch",      "api.name",          "api.start",          "api.dur",
    "api.thread",         "api.correlation",   "api.is_launch",      "api.is_sync",
    "annotations.name",   "annotations.kind",  "annotations.start",  "annotations.dur",
    "annotations.thread", "comms.op",          "comms.algorithm",    "comms.kernel",
    "comms.device",       "kernel_stats.name", "kernel_stats.class", "kernel_stats.calls",
    "kernel_stats.total", "kernel_stats.mean", "kernel_stats.min",   "kernel_stats.max",
    "api_stats.name",     "api_stats.calls",   "api_stats.total",    "api_stats.mean",
    "api_stats.min",      "api_stats.max",     "copy_stats.name",    "copy_stats.calls",
    "copy_stats.total",   "copy_stats.mean",   "copy_stats.min",     "copy_stats.max",
    "devices.name",       "devices.vendor",    "devices.sms",        "devices.sm_clock_max",
};

}  // namespace

extern const Adapter rocprof_csv;
const Adapter rocprof_csv{
    .id = "rocprof-csv",
    .title = "CSV tables of AMD's rocprofv3, rocprofv2, rocprof and rocprof-compute: traces, counters, totals",
    .example = "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\",...",
    .record = "rocprofv3 --kernel-trace --memory-copy-trace --hip-runtime-trace --marker-trace -f csv -d out -- ./app",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
