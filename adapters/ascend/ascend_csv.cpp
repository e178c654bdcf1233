// SPDX-License-Identifier: Apache-2.0
// CSV tables of Ascend's profilers (torch_npu, MindSpore, msprof), times in us: kernel_details.csv and op_summary_*.csv
// (kernels and collectives with their start), op_statistic.csv and api_statistic.csv (totals), step_trace_time.csv and
// cluster_step_trace_time.csv (how each step's time was spent). Spec: documents of CANN and of mstt. Tables of one rank
// may follow one another in one input, each with its header; totals of a kernel or call come again in those of another
// run, so that what a table belongs to is known at its end.
// Starts are UTC, quoted, with a tab behind the digits.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/ascend/parts/accounts.hpp"
#include "adapters/ascend/parts/columns.hpp"
#include "adapters/ascend/parts/missing_tasks.hpp"
#include "adapters/ascend/parts/names.hpp"
#include "adapters/rows/kernel_rows.hpp"
#include "adapters/rows/pasted_csv.hpp"
#include "adapters/rows/stated_shares.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

using ascend::Column;
using ascend::Header;
using ascend::TableKind;

constexpr std::size_t rows_per_batch = 65536;
constexpr std::int64_t us = 1000;
/// Of api_statistic, the outermost first.
constexpr std::string_view call_levels[] = {"acl", "model", "node", "runtime"};

class Reader {
  /// Device, level and name of calls; a kernel has no level.
  using Subject = std::tuple<std::int64_t, std::string, std::string>;
  struct Totals {
    Subject subject;
    std::int64_t calls, total;
    std::optional<std::int64_t> min, max, mean;
  };

 public:
  Reader(Input& input, FactSink& sink) : csv_(input, sink), sink_(csv_.sink()) {}

  Status read() {
    while (csv_.next()) {
      if (start_table()) continue;
      if (header_) row();
      else sink_.note(note_id::no_log_row);
    }
    end_table();
    if (missing_.found()) sink_.note(note_id::missing_tasks);
    submit_call_totals();
    if (started_) submit();
    return csv_.status();
  }

 private:
  bool start_table() {
    if (header_ && !Header::names_column(csv_.fields().front(), ascend::column_names)) return false;
    csv_.note_cut(true);
    end_table();
    Header header(csv_.fields(), ascend::column_names);
    const TableKind kind = kind_of(header);
    if (kind == TableKind::none) {
      const bool other_table = header_.has_value();
      if (other_table) kind_ = TableKind::none;
      return other_table;
    }
    if (!std::exchange(started_, true)) start_run(kind);
    header_ = std::move(header);
    kind_ = kind;
    if (kind == TableKind::kernels) {
      batch_.declare(table("kernels"));
      batch_.declare(table("comms"));
    }
    if (kind == TableKind::steps) {
      batch_.declare(table("steps"));
      batch_.declare(table("phases"));
    }
    return true;
  }

  void start_run(TableKind kind) {
    RunInfo run;
    run.producer = "Ascend profiler";
    if (runs_++ > 0) run.label = "table " + std::to_string(runs_);
    run.clock = kind == TableKind::kernels ? ClockDomain::unix_ns : ClockDomain::none;
    sink_.run(std::move(run));
  }

  /// Totals that an earlier table stated are of another run: one run has one such table for each device.
  void end_table() {
    const auto again = [this](const Totals& totals) { return stated_.contains(totals.subject); };
    if (std::any_of(held_.begin(), held_.end(), again)) start_run_of_totals();
    for (Totals& totals : held_) {
      stated_.insert(totals.subject);
      const std::string_view level = std::get<1>(totals.subject);
      const auto* const place = std::find(std::begin(call_levels), std::end(call_levels), level);
      if (place != std::end(call_levels))
        calls_by_level_[static_cast<std::size_t>(place - std::begin(call_levels))].push_back(std::move(totals));
      else {
        add_kernel_totals(totals);
        if (++pending_ == rows_per_batch) submit();
      }
    }
    add_not_listed();
    held_.clear();
    shares_ = {};
  }

  /// Shares are of one device, but nothing says so where a table has several.
  void add_not_listed() {
    const std::int64_t rest = shares_.not_listed();
    if (rest == 0 || held_.empty()) return;
    const std::int64_t id = std::get<0>(held_.front().subject);
    const auto elsewhere = [id](const Totals& totals) { return std::get<0>(totals.subject) != id; };
    if (std::any_of(held_.begin(), held_.end(), elsewhere)) return;
    const Row row = batch_.add(table("kernel_stats"));
    batch_.set(row, column("kernel_stats.class"), "other");
    batch_.set(row, column("kernel_stats.device"), device_of(id));
    batch_.set(row, column("kernel_stats.total"), rest);
    sink_.note(note_id::rows_not_listed);
  }

  void start_run_of_totals() {
    submit_call_totals();
    for (std::vector<Totals>& calls : calls_by_level_) calls.clear();
    submit();
    sequence_ = 0;
    stated_.clear();
    start_run(kind_);
  }

  void row() {
    sink_.count_events(1);
    if (kind_ == TableKind::none) return sink_.note(note_id::unknown_kind, "another table");
    const bool complete = csv_.fields().size() == header_->columns();
    if (csv_.note_cut(!complete)) return;
    if (!complete) return sink_.note(note_id::malformed_value, "number of columns");
    switch (kind_) {
      case TableKind::kernels: add_kernel(); break;
      case TableKind::kernel_totals:
        if (const auto total = time(Column::total)) shares_.add(*total, cell(Column::share));
        hold_totals("", cell(Column::type));
        break;
      case TableKind::call_totals: hold_call_totals(); break;
      case TableKind::steps: add_step(); break;
      case TableKind::none: break;  // above
    }
    if (++pending_ == rows_per_batch) submit();
  }

  std::string_view cell(Column column) const { return header_->cell(csv_.fields(), column); }
  std::optional<std::int64_t> time(Column column, std::int64_t unit_ns = us) const {
    return header_->time(csv_.fields(), column, unit_ns);
  }

  std::int64_t device_id() const { return header_->integer(csv_.fields(), Column::device).value_or(0); }

  Row device_of(std::int64_t id, Row rank = {}) {
    const Row row = batch_.device(id, rank);
    ascend::describe_device(batch_, row);
    return row;
  }
  Row device(Row rank = {}) { return device_of(device_id(), rank); }

  void add_kernel() {
    const std::string_view name = cell(Column::kernel);
    if (name.empty()) return sink_.note(note_id::malformed_value, "name");
    const auto dur = time(Column::duration);
    if (dur && *dur < 0) return sink_.note(note_id::negative_duration);
    const Row kernel = batch_.add(table("kernels"));
    const bool collective = cell(Column::core) == "HCCL" || cell(Column::core) == "COMMUNICATION";
    const Row comm = name_kernel(batch_, kernel, name, classes_, collective ? Collective::stated : Collective::by_name);
    const Row on = device();
    auto start = time(Column::start_us);
    if (!start) start = time(Column::start_ns, 1);
    if (!start || !dur) sink_.note(note_id::time_unknown, cell(Column::core));
    if (start) batch_.set(kernel, column("kernels.start"), *start);
    if (dur) batch_.set(kernel, column("kernels.dur"), *dur);
    if (const auto wait = time(Column::wait); start && dur && wait) missing_.add(*start, *dur, *wait);
    batch_.set(kernel, column("kernels.device"), on);
    if (const auto stream = header_->integer(csv_.fields(), Column::stream))
      batch_.set(kernel, column("kernels.stream"), batch_.stream(on, *stream));
    set_share(kernel, column("kernels.tensor_util"), Column::cube_ratio);
    set_share(kernel, column("kernels.vector_util"), Column::vector_ratio);
    // A kernel of both kinds of cores takes as long as those that work longer.
    const bool on_vector_cores = time(Column::vector_time).value_or(0) > time(Column::cube_time).value_or(0);
    set_share(kernel, column("kernels.scalar_util"),
              on_vector_cores ? Column::vector_scalar_ratio : Column::cube_scalar_ratio);
    if (comm.index == absent_index) return;
    if (start) batch_.set(comm, column("comms.start"), *start);
    if (dur) batch_.set(comm, column("comms.dur"), *dur);
    batch_.set(comm, column("comms.device"), on);
  }

  void set_share(Row kernel, ColumnId share, Column ratio) {
    if (const auto value = to_real(Token{cell(ratio)}); value && *value >= 0 && *value <= 1)
      batch_.set(kernel, share, *value);
  }

  void hold_totals(std::string_view level, std::string_view name) {
    const auto calls = header_->integer(csv_.fields(), Column::count);
    const auto total = time(Column::total);
    if (name.empty() || !calls || !total) return sink_.note(note_id::malformed_value, "totals");
    held_.push_back({{device_id(), std::string(level), std::string(name)},
                     *calls,
                     *total,
                     time(Column::min),
                     time(Column::max),
                     time(Column::mean)});
    sink_.keeps(1, static_cast<std::int64_t>(sizeof(Totals) + sizeof(Subject) + 2 * name.size()));
  }

  void hold_call_totals() {
    const std::string_view level = cell(Column::level);
    if (std::find(std::begin(call_levels), std::end(call_levels), level) == std::end(call_levels))
      return sink_.note(note_id::unknown_kind, level);
    hold_totals(level, cell(Column::api));
  }

  void add_kernel_totals(const Totals& totals) {
    const std::string& name = std::get<2>(totals.subject);
    const Row row = batch_.add(table("kernel_stats"));
    batch_.set(row, column("kernel_stats.name"), name);
    batch_.set(row, column("kernel_stats.class"), classes_(name));
    batch_.set(row, column("kernel_stats.device"), device_of(std::get<0>(totals.subject)));
    batch_.set(row, column("kernel_stats.calls"), totals.calls);
    batch_.set(row, column("kernel_stats.total"), totals.total);
    if (totals.min) batch_.set(row, column("kernel_stats.min"), *totals.min);
    if (totals.max) batch_.set(row, column("kernel_stats.max"), *totals.max);
    if (totals.mean) batch_.set(row, column("kernel_stats.mean"), *totals.mean);
  }

  /// The calls of the outermost level that was recorded: the others hold the same time again.
  void submit_call_totals() {
    const std::vector<Totals>* outermost = nullptr;
    for (std::size_t i = 0; i < calls_by_level_.size(); ++i) {
      const std::vector<Totals>& calls = calls_by_level_[i];
      if (calls.empty()) continue;
      if (outermost == nullptr) outermost = &calls;
      else sink_.note(note_id::unknown_kind, call_levels[i], calls.size());
    }
    if (outermost == nullptr) return;
    for (const Totals& call : *outermost) {
      const Row row = batch_.add(table("api_stats"));
      batch_.set(row, column("api_stats.name"), std::get<2>(call.subject));
      batch_.set(row, column("api_stats.calls"), call.calls);
      batch_.set(row, column("api_stats.total"), call.total);
      if (call.min) batch_.set(row, column("api_stats.min"), *call.min);
      if (call.max) batch_.set(row, column("api_stats.max"), *call.max);
      if (call.mean) batch_.set(row, column("api_stats.mean"), *call.mean);
    }
  }

  void add_step() {
    const ascend::StepAccount account{header_->integer(csv_.fields(), Column::step), time(Column::computing),
                                      time(Column::exposed_communication), time(Column::free)};
    if (!account.is_complete()) return sink_.note(note_id::malformed_value, "step");
    Row rank;
    if (header_->has(Column::index)) {
      const auto index = header_->integer(csv_.fields(), Column::index);
      if (cell(Column::type) != "rank" || !index)
        return sink_.note(note_id::unknown_kind, cell(Column::type));  // of stages
      rank = batch_.rank(*index);
    }
    ascend::add_step_account(batch_, account, rank, device(rank));
  }

  void submit() {
    sink_.submit(sequence_++, std::exchange(batch_, Batch()));
    pending_ = 0;
  }

  CsvReader csv_;
  FactSink& sink_;
  Batch batch_;
  std::array<std::vector<Totals>, std::size(call_levels)> calls_by_level_;  ///< of api_statistic
  KernelClasses classes_;
  ascend::MissingTasks missing_;
  std::optional<Header> header_;
  TableKind kind_ = TableKind::none;
  bool started_ = false;
  std::vector<Totals> held_;  ///< of the table that is read
  StatedShares shares_;       ///< of its kernels
  std::set<Subject> stated_;  ///< in totals of this run
  int runs_ = 0;
  std::size_t pending_ = 0;
  std::uint64_t sequence_ = 0;
};

bool is_header(std::string_view line) {
  return kind_of(Header(header_fields(line), ascend::column_names)) != TableKind::none;
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
    "kernels.name",       "kernels.class",       "kernels.start",     "kernels.dur",        "kernels.device",
    "kernels.stream",     "kernels.tensor_util", "comms.op",          "comms.start",        "comms.dur",
    "comms.device",       "comms.kernel",        "kernel_stats.name", "kernel_stats.class", "kernel_stats.device",
    "kernel_stats.calls", "kernel_stats.total",  "kernel_stats.mean", "kernel_stats.min",   "kernel_stats.max",
    "api_stats.name",     "api_stats.calls",     "api_stats.total",   "api_stats.mean",     "api_stats.min",
    "api_stats.max",      "steps.index",         "steps.dur",         "steps.rank",         "phases.step",
    "phases.device",      "phases.kind",         "phases.dur",        "ranks.id",           "devices.vendor",
};

}  // namespace

extern const Adapter ascend_csv;
const Adapter ascend_csv{
    .id = "ascend-csv",
    .title =
        "CSV tables of Ascend's profilers: kernel_details, op_summary, op_statistic, api_statistic, step_trace_time",
    .example = "Step Id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),Duration(us),...",
    .record =
        "with torch_npu.profiler.profile(on_trace_ready=torch_npu.profiler.tensorboard_trace_handler(\"out\")): ...; "
        "the tables stand in out/*_ascend_pt/ASCEND_PROFILER_OUTPUT/",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
