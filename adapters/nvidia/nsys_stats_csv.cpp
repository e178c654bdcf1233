// SPDX-License-Identifier: Apache-2.0
// Reports of `nsys stats --format csv`: tables of totals (`cuda_gpu_kern_sum`, ...) and of events (`cuda_gpu_trace`,
// ...). The formats `column`, which is printed unless another is asked for, and `table` hold the same in columns of
// characters, `tsv` between tabs.
//
// A header line names each column with its unit, which `--timeunit` chooses (ns unless asked for otherwise). One stream
// may hold several reports, with lines about the work between them ("Processing [report1.sqlite] with [...]", "NOTICE:
// ...", "SKIPPED: ..."). Times are since the capture began. Sizes are rounded to three decimals of a MB. Spec: the
// report scripts of the profiler. Names of the reports, today's and those before 2023, and their columns:
// adapters/nvidia/nsys/stats_report.hpp.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/nvidia/nsys/stats_events.hpp"
#include "adapters/nvidia/nsys/stats_report.hpp"
#include "adapters/nvidia/nsys/stats_totals.hpp"
#include "adapters/rows/ruled_table.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"
#include "base/ascii.hpp"

namespace kdiag::adapters {
namespace {

using nsys::ReportKind;
using nsys::StatsReport;

constexpr std::size_t rows_per_batch = 65536;

// What `nsys stats` prints between reports: the file is between the first brackets.
constexpr std::string_view processing = "Processing [";
constexpr std::string_view skipped = "SKIPPED:";

/// Whether it is what `nsys analyze` prints: the work of its rules, whose scripts lie in a folder of that name.
bool is_analysis(std::string_view text) {
  const std::size_t begin = text.find("] with [");
  const std::string_view script = text.substr(std::min(begin, text.size()));
  return script.substr(0, script.find(".py")).find("/rules/") != std::string_view::npos;
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    std::string_view field = trim(line.substr(begin, end - begin));
    if (field.size() > 1 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
    fields.push_back(field);
    begin = end + 1;
  }
  return fields;
}

bool is_used(const std::optional<StatsReport>& header) { return header && header->kind() != ReportKind::unused; }

bool begins_with_number(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string_view::npos && is_digit(line[first]);
}

/// Whether a line of a table of Markdown has a digit before its last cell: all but headers have.
bool has_number(std::string_view line) {
  line = trim(line);
  if (line.ends_with('|')) line.remove_suffix(1);
  line = line.substr(0, line.rfind('|') + 1);  // npos + 1 is 0
  return std::any_of(line.begin(), line.end(), is_digit);
}

/// The report of a table that lost the line of dashes below its header, as the first of its rows tells.
std::optional<StatsReport> unruled_report(RuledTable& table, std::string_view header, std::string_view row) {
  if (!begins_with_number(row) || !table.head(header)) return std::nullopt;
  auto report = StatsReport::parse(table.pasted_cells(header));
  return is_used(report) ? report : std::nullopt;
}

/// Whether a report follows: " ** CUDA API Summary (cuda_api_sum):", "[6/8] Executing 'cuda_api_sum' stats report",
/// "Processing [report1.sqlite] with [...]", "CUDA Kernel Statistics (nanoseconds)" as of 2020.
bool announces_report(std::string_view line) {
  line = trim(line);
  return line.starts_with("** ") || line.starts_with(processing) || line.find(" Statistics (") != line.npos ||
         (line.size() > 1 && line[0] == '[' && is_digit(line[1]));
}

/// What divides the fields of the first header, which may stand behind all that a program printed. Between columns of
/// characters nothing does.
std::optional<char> first_separator(std::string_view text) {
  RuledTable table;
  std::string_view before;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view record = text.substr(0, end);
    for (const char separator : {',', '\t'})
      if (is_used(StatsReport::parse(split(record, separator)))) return separator;
    const bool ruled = table.rule(record) && is_used(StatsReport::parse(table.pasted_cells(before)));
    if (ruled || unruled_report(table, before, record)) return ',';
    before = record;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

/// The tables of copies and fills come last and name them in brackets ("[CUDA memset]"), behind blanks where columns
/// are of characters: a row that ends with the bracket is whole.
bool ends_with_operation(std::string_view record, std::string_view before) {
  return (record.find("[CUDA ") != record.npos && trim(record).ends_with(']')) || ends_with_unit(record, before);
}

/// Whether the text names several files that were reported on, so that each of their runs goes by its name.
bool names_several_files(std::string_view text) {
  std::set<std::string_view> files;
  for (std::size_t at = text.find(processing); at != std::string_view::npos; at = text.find(processing, at + 1)) {
    const std::string_view rest = text.substr(at + processing.size());
    files.insert(rest.substr(0, rest.find_first_of("]\n")));
  }
  return files.size() > 1;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : csv_(input, sink,
             {.separator = first_separator(input.head().bytes).value_or(','), .proves_end = ends_with_operation}),
        sink_(csv_.sink()),
        several_(names_several_files(input.head().bytes)),
        analysis_(is_analysis(input.head().bytes)) {}

  Status read() {
    while (csv_.next()) {
      if (!read_ruled()) read_delimited();
      before_ = csv_.record();
      if (csv_.unterminated() || announces_report(csv_.record())) system_calls_ = false;  // CUDA's may have followed
    }
    finish_run();
    const bool empty = runs_ == 0 || (rows_ == 0 && (without_cuda_ || system_calls_ || analysis_));
    if (Status status = csv_.status(); !status || !empty || sink_.cancelled()) return status;
    Diagnostic error;
    error.id = refusal_id::no_known_report;
    if (without_cuda_ || system_calls_) {
      error.title = without_cuda_
                        ? "Nsight Systems recorded no work of a device: it says that there is no CUDA trace data"
                        : "Nsight Systems recorded no work of a device: it lists no calls of CUDA";
      error.help =
          "Record with `nsys profile --trace=cuda`; where the work runs in processes that are forked, add "
          "--trace-fork-before-exec=true.";
      return error;
    }
    error.title = analysis_ ? "this is what `nsys analyze` printed, single calls that its rules name and no totals"
                            : "no report in this input has a header line that kdiag knows";
    error.help = "Run `nsys stats --format csv --report cuda_gpu_trace --report cuda_api_trace FILE`.";
    return error;
  }

 private:
  void read_delimited() {
    cells_ = csv_.fields();
    if (auto header = StatsReport::parse(cells_)) start_report(std::move(*header), csv_.record());
    else if (report_ && cells_.size() > 1) row();
    else if (!must_go_on() || !csv_.note_cut(true)) text_line();
  }

  /// Whether the line, which is no row and no header, cannot be the last one.
  bool must_go_on() const { return report_ || !csv_.record().starts_with(skipped); }

  /// A line of a table in columns of characters: false when it is none.
  bool read_ruled() {
    if (table_.rule(csv_.record())) {  // in frames there is one more above the header and one below the last row
      if (auto header = StatsReport::parse(table_.pasted_cells(before_))) start_report(std::move(*header), before_);
      else if (csv_.record().size() < before_.size()) csv_.note_cut(true);  // within the rule below the header
      else if (table_.piped()) report_.reset();                             // a table of something else
      return true;
    }
    const std::string_view line = csv_.record();
    if (!table_.has_columns()) {
      if (report_) return false;
      auto header = unruled_report(table_, before_, line);
      if (!header) {
        table_.clear();
        return false;
      }
      start_report(std::move(*header), before_);
    }
    if (table_.piped()) return read_piped(line);
    if (!begins_with_number(line.substr(std::min(line.find_first_not_of(" |"), line.size())))) {
      if (line.starts_with('|')) {  // the header of a framed table
        csv_.note_cut(true);
        return true;
      }
      table_.clear();
      report_.reset();
      return false;
    }
    cells_ = table_.pasted_cells(line);  // of another number when there is text between columns
    if (report_) row();
    return true;
  }

  /// A line below the header of a table of Markdown, whose numbers may have marks around them: false behind its end.
  bool read_piped(std::string_view line) {
    if (!trim(line).starts_with('|')) {
      table_.clear();
      report_.reset();
      return false;
    }
    cells_ = table_.pasted_cells(line);
    if (!has_number(line)) csv_.note_cut(true);  // the header of the next table, or dots for rows that were left out
    else if (report_) row();
    return true;
  }

  /// A line between reports: "Processing [report1.sqlite] with [.../cuda_api_sum.py]...".
  void text_line() {
    const std::string_view line = csv_.record();
    if (line.starts_with(skipped)) {
      without_cuda_ = without_cuda_ || line.find("not contain CUDA trace data") != line.npos;
      return sink_.note(note_id::report_left_out, trim(line.substr(skipped.size())));
    }
    if (line.starts_with("CUDA Memory Operation Statistics")) in_kib_ = line.find("KiB") != line.npos;
    if (!line.starts_with(processing)) return;
    const std::string_view rest = line.substr(processing.size());
    next_source_ = rest.substr(0, rest.find(']'));
    const std::size_t script = std::min(rest.rfind('['), rest.size());
    const std::string_view path = rest.substr(script);
    next_name_ = path.substr(path.find_last_of("[/") + 1);
    next_name_.resize(std::min(next_name_.find_first_of(".:]"), next_name_.size()));
  }

  /// A report of another file begins another run.
  void start_report(StatsReport report, std::string_view header) {
    csv_.note_cut(true);
    if (source_.empty() && seen_.count(report.kind()) == 0) source_ = next_source_;  // named from the second report on
    if (runs_ == 0 || next_source_ != source_) start_run();
    report_ = std::move(report);
    if (std::exchange(in_kib_, false)) report_->assume_size_unit("KiB");
    name_ = next_name_.empty() ? std::string(header) : std::exchange(next_name_, {});
    undecided_ = report_->kind() != ReportKind::unused;
    use_ = false;
    if (undecided_ && seen_.count(report_->kind()) == 0) declare();
    for (const std::string& name : report_->unknown())
      if (undecided_) sink_.note(note_id::unknown_log_column, name);
  }

  /// Whether the report says something new, known with its first row. Where no files are named, the second report of a
  /// kind begins another run; of one file it is the same in other words (`cuda_gpu_kern_sum:base`).
  void decide() {
    undecided_ = false;
    use_ = seen_.insert(report_->kind()).second;
    if (use_ || !source_.empty()) return;
    std::optional<StatsReport> report = std::exchange(report_, std::nullopt);
    start_run();
    report_ = std::move(report);
    use_ = seen_.insert(report_->kind()).second;
    declare();
  }

  void start_run() {
    finish_run();
    source_ = next_source_;
    RunInfo run;
    run.producer = "Nsight Systems";
    run.clock = ClockDomain::device;
    if (runs_++ > 0 || (several_ && !source_.empty()))
      run.label = source_.empty() ? "report " + std::to_string(runs_) : source_;
    sink_.run(std::move(run));
    totals_.emplace(sink_);
    events_.emplace(batch_, sink_);
  }

  void finish_run() {
    if (runs_ == 0) return;
    totals_->submit(batch_);
    const auto faults = totals_->page_faults();
    if (!events_->names_devices() && (totals_->of_device() || faults)) {  // totals say of no device which one it was
      const Row device = batch_.device(0);
      batch_.set(device, column("devices.vendor"), "nvidia");
      batch_.set(device, column("devices.kind"), "GPU");
      if (faults) batch_.set(device, column("devices.page_faults"), *faults);
    } else if (faults) {
      sink_.note(note_id::unused_report, "page faults of devices that are named one by one");
    }
    events_->add_steps();
    submit();
    sequence_ = 0;
    seen_.clear();
    report_.reset();
  }

  void submit() { sink_.submit(sequence_++, std::exchange(batch_, Batch())); }

  void declare() {
    const ReportKind kind = report_->kind();
    if (kind == ReportKind::gpu_trace)
      for (TableId id : {table("kernels"), table("copies"), table("memsets"), table("comms")}) batch_.declare(id);
    if (kind == ReportKind::api_trace) batch_.declare(table("api"));
    if (kind == ReportKind::range_trace) batch_.declare(table("annotations"));
  }

  void row() {
    sink_.count_events(1);
    const auto cells = cells_;
    const bool complete = cells.size() == report_->columns();
    if (csv_.note_cut(!complete)) return;
    if (!complete) return sink_.note(note_id::malformed_value, "number of columns");
    if (report_->kind() == ReportKind::unused) return sink_.note(note_id::unused_report, name_);
    if (report_->kind() == ReportKind::api_sum && !nsys::is_cuda_call(*report_, cells)) {
      system_calls_ = true;
      return sink_.note(note_id::unused_report, "calls that are none of CUDA");
    }
    if (undecided_) decide();
    if (!use_) return sink_.note(note_id::repeated_report_row, name_);
    totals_->add(*report_, cells);
    events_->add(*report_, cells);
    if (++rows_ % rows_per_batch == 0) submit();
  }

  CsvReader csv_;
  FactSink& sink_;
  bool several_;   ///< files that the reports are of, as far as the head of the input tells
  bool analysis_;  ///< it is what `nsys analyze` prints
  Batch batch_;
  std::optional<nsys::StatsTotals> totals_;  ///< of the current run
  std::optional<nsys::StatsEvents> events_;
  std::optional<StatsReport> report_;
  RuledTable table_;
  std::span<const std::string_view> cells_;  ///< of the current line
  std::string before_;                       ///< the line above it
  std::string name_, next_name_;             ///< of the current report and of the next, for notes
  bool undecided_ = false;                   ///< no row of the report came yet
  bool use_ = false;                         ///< its rows say something new
  bool in_kib_ = false;                      ///< the title above the next report names the unit of its sizes
  bool without_cuda_ = false;                ///< a report was skipped, since the recording has nothing of CUDA
  bool system_calls_ = false;                ///< totals of calls that are none of CUDA were left out
  std::set<ReportKind> seen_;
  std::string source_, next_source_;  ///< files of the current run and of the next report, where they are named
  std::uint64_t sequence_ = 0;
  std::size_t rows_ = 0;
  int runs_ = 0;
};

int sniff(const Head& head) {
  if (head.json != 0) return 0;
  if (is_analysis(head.bytes)) return 85;
  if (first_separator(head.bytes)) return 88;
  const std::size_t line = head.bytes.find(processing);  // "Processing [report1.sqlite] with [.../cuda_api_sum.py]"
  return line != std::string_view::npos && head.bytes.find("] with [", line) != std::string_view::npos ? 60 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"kernel_stats", "api_stats", "copy_stats", "kernels",      "copies",
                                         "memsets",      "api",       "ops",        "comms",        "threads",
                                         "annotations",  "steps",     "devices.id", "devices.name", "streams"};

}  // namespace

extern const Adapter nsys_stats_csv;
const Adapter nsys_stats_csv{
    .id = "nsys-stats-csv",
    .title = "Reports of nsys stats as CSV or text: totals and traces of kernels, copies, CUDA calls, NVTX ranges",
    .example = "Start (ns),Duration (ns),CorrId,GrdX,...,Device,Ctx,GreenCtx,Strm,Name",
    .record =
        "nsys stats --format csv --report cuda_gpu_trace --report cuda_api_trace --report nvtx_pushpop_trace "
        "report.nsys-rep > report.csv\n"
        "(nsys export -t sqlite report.nsys-rep keeps more)",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
