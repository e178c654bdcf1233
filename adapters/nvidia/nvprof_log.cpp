// SPDX-License-Identifier: Apache-2.0
// What nvprof prints, as text and with --csv, in the output of a program or a file of its own (--log-file): the summary
// of device work and calls, and the lists of --print-gpu-trace and --print-api-trace.
//
//   ==2184== Profiling result:
//               Type  Time(%)      Time     Calls       Avg       Min       Max  Name
//    GPU activities:   95.20%  302.95ms         1  302.95ms  302.95ms  302.95ms  mandelbrot_kernel(int*)
//         API calls:   58.24%  302.96ms         1  302.96ms  302.96ms  302.96ms  cudaDeviceSynchronize
//
// Before CUDA 9 there was no type, and calls stood below "==2184== API calls:". People keep the tables alone, without
// the profiler's own lines: then a second table of device work is one of another run. In text each cell has its unit,
// and numbers five digits; in CSV a line below the header has the units. A KB are 1024 bytes. Times are since the
// start. What it prints of managed memory below is read, too (nvprof/unified_memory). Metrics and events (--metrics,
// --events) are not read: such runs replay kernels. Spec: nvprof --help, user guide of the profiler (CUDA 11).
#include <algorithm>
#include <cstdint>
#include <functional>
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

#include "adapters/json/json.hpp"
#include "adapters/nvidia/nsys/stats_events.hpp"
#include "adapters/nvidia/nsys/stats_totals.hpp"
#include "adapters/nvidia/nvprof/table.hpp"
#include "adapters/nvidia/nvprof/unified_memory.hpp"
#include "adapters/rows/csv_header.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"
#include "base/ascii.hpp"
#include "base/intervals.hpp"

namespace kdiag::adapters {
namespace {

using nvprof::Table;

constexpr std::size_t rows_per_batch = 65536;
constexpr std::string_view unified_memory = "Unified Memory profiling result";

/// The rest of a line of the profiler itself, "==2184== API calls:" or "======== Warning: ...".
struct OwnLine {
  std::string_view process, text;
};
std::optional<OwnLine> parse_own_line(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("==")) return std::nullopt;
  const std::size_t end = line.find("== ", 2);
  if (end == std::string_view::npos) return std::nullopt;
  return OwnLine{line.substr(2, end - 2), line.substr(end + 3)};
}

/// What a warning says is missing in the tables below it.
struct Lost {
  std::string warning;
  std::optional<std::int64_t> records;
};

/// What the first header of a table says of its text.
struct FirstHeader {
  bool csv = false;
  char mark = '\0';        ///< before each line: '-' or '+' of a difference of two files
  bool of_nvprof = false;  ///< by its columns alone: no other profiler's table has all of them
};

std::string_view without_mark(std::string_view line, char mark) {
  return mark != '\0' && line.starts_with(mark) ? line.substr(1) : line;
}

std::optional<FirstHeader> first_header(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (trim(line).starts_with('#')) line = {};  // its rows have the mark, too, which is a prefix of lines
    const char mark = line.starts_with('-') || line.starts_with('+') ? line.front() : '\0';
    if (const auto table = Table::parse(phrases(without_mark(line, mark))))
      return {{false, mark, table->is_of_nvprof()}};
    if (const auto table = Table::parse(header_fields(line))) return {{true, '\0', table->is_of_nvprof()}};
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : header_(first_header(input.head().bytes).value_or(FirstHeader())),
        csv_(header_.csv),
        lines_(input, sink, {.separator = csv_ ? ',' : '\0', .quotes = csv_}),
        sink_(lines_.sink()) {}

  Status read() {
    while (lines_.next()) line();
    if (announced_ || open_) sink_.note(note_id::input_cut, "line " + std::to_string(lines_.line()));
    finish_run();
    if (!announced_lost_.warning.empty()) sink_.note(note_id::records_dropped, announced_lost_.warning);
    if (Status status = lines_.status(); !status || runs_ > 0 || sink_.cancelled()) return status;
    Diagnostic error;
    error.id = refusal_id::no_known_report;
    error.title = "nvprof printed no table of kernels or calls";
    error.help = "Run `nvprof --print-gpu-trace --csv --log-file FILE` without --metrics and --events.";
    return error;
  }

 private:
  void line() {
    if (const auto own = parse_own_line(lines_.record())) return own_line(*own);
    if (trim(lines_.record()).starts_with('=') && lines_.note_cut(true)) return;  // one of the profiler's own
    announced_before_ = std::exchange(announced_, false);
    if (in_ranges_) return void(lines_.note_cut(true));
    const auto cells = cells_of_line();
    if (in_unified_memory_ && unified_memory_line(cells)) return;
    if (auto table = Table::parse(cells)) return start_table(std::move(*table));
    const std::string_view text = trim(lines_.record());
    const bool begins_another =
        (!table_ && announced_before_) || header_line_.starts_with(text) || nvprof::closing_words.starts_with(text);
    if (begins_another && lines_.note_cut(true)) return;
    if (!table_) return outside_of_tables(cells);
    if (table_->take_units(cells)) return;
    if (csv_) return row(cells, type_of(cells.front()));
    if (table_->kind() == Table::Kind::summary) return summary_line();
    if (cells.empty()) return;
    if (parse_duration(cells.front())) row(cells, {});
    else if (cells.front().find_first_not_of("0123456789.") == cells.front().npos)
      lines_.note_cut(true);  // of its unit
  }

  /// Programs print what they like; a row of a summary ("0.92%  12.281ms  2 ...") says that its header was lost.
  void outside_of_tables(std::span<const std::string_view> cells) {
    if (cells.size() < 2 || !cells.front().ends_with('%') || !parse_duration(cells[1])) return;
    if (!parse_measured(cells.front().substr(0, cells.front().size() - 1))) return;
    if (!lines_.note_cut(true)) sink_.note(note_id::no_log_row);
  }

  std::string_view text_of_line() const { return without_mark(lines_.record(), header_.mark); }

  std::vector<std::string_view> cells_of_line() const {
    const std::string_view line = trim(text_of_line());
    std::vector<std::string_view> cells =
        csv_ ? std::vector(lines_.fields().begin(), lines_.fields().end()) : phrases(line);
    if (!table_ || cells.size() <= table_->columns()) return cells;
    // Blanks in the name, which is last; in CSV that somebody made of the text, commas.
    const char* const name = cells[table_->columns() - 1].data();
    const std::less_equal<const char*> before;  // a field that had quotes in it may lie elsewhere
    if (!before(line.data(), name) || !before(name, line.data() + line.size())) return cells;
    cells.resize(table_->columns());
    cells.back() = line.substr(static_cast<std::size_t>(name - line.data()));
    return cells;
  }

  void own_line(OwnLine own) {
    open_ = false;
    lines_.note_cut(true);
    if (own.text.starts_with("Profiling result:") && runs_ > 0 && own.process != process_) finish_run();
    process_ = own.process;
    const bool section = own.text.ends_with(':');
    announced_ = section;
    if (section) table_.reset();
    if (section) in_unified_memory_ = own.text.starts_with(unified_memory);
    if (section) in_ranges_ = own.text.starts_with("NVTX result");
    if (own.text.ends_with("calls:")) type_ = "API calls";  // before CUDA 9
    else if (section) type_ = "GPU activities";
    if (section && !in_unified_memory_ && !own.text.ends_with("calls:") && !own.text.starts_with("Profiling"))
      sink_.note(note_id::unused_report, own.text);
    const auto says = [&own](std::string_view words) { return own.text.find(words) != std::string_view::npos; };
    constexpr std::string_view found = "Warning: Found ";  // "Warning: Found 55 invalid records in the result."
    if (says("invalid records") && own.text.starts_with(found)) return lose(own.text, own.text.substr(found.size()));
    if (says("invalid timestamps") || says("invalid records") || says("not recorded") || says("dropped"))
      sink_.note(note_id::records_dropped, own.text);
  }

  void lose(std::string_view warning, std::string_view count) {
    const auto records = to_integer(Token{count.substr(0, count.find(' '))});
    const std::int64_t before = announced_lost_.records.value_or(0);  // in a warning of its own
    const bool known = records && (announced_lost_.warning.empty() || announced_lost_.records);
    announced_lost_.warning = warning;
    announced_lost_.records = known ? std::optional(add_times(before, *records)) : std::nullopt;
  }

  /// Says what was lost, when the totals tell of how many: a record of a thousand changes no share.
  void note_lost() {
    constexpr std::int64_t few = 1000;  // judgement
    if (lost_.warning.empty()) return;
    const bool matters = !lost_.records || *lost_.records < 0 || *lost_.records >= totals_->calls_of_device() / few;
    sink_.note(matters ? note_id::records_dropped : note_id::profiler_warnings, lost_.warning);
  }

  /// False for a line that is not of the block, which is at its end then.
  bool unified_memory_line(std::span<const std::string_view> cells) {
    using Line = nvprof::UnifiedMemory::Line;
    if (runs_ == 0 || finished_) start_run();
    const Line line = unified_memory_.read(text_of_line(), cells, *totals_, sink_);
    open_ = line == Line::open;
    if (line == Line::open) lines_.note_cut(true);
    if (line == Line::closing) lines_.note_cut(!is_digit(trim(text_of_line()).back()));  // "Total CPU Page faults: 8"
    in_unified_memory_ = line == Line::open || line == Line::row;
    return line != Line::unknown || lines_.note_cut(true);
  }

  void start_table(Table header) {
    lines_.note_cut(true);
    if (runs_ == 0 || finished_) start_run();
    if (!announced_before_) type_ = "GPU activities";
    table_ = std::move(header);
    header_line_ = trim(lines_.record());
    undecided_ = true;
    if (table_->kind() == Table::Kind::api_trace) batch_.declare(table("api"));
    if (table_->kind() == Table::Kind::gpu_trace)
      for (TableId id : {table("kernels"), table("copies"), table("memsets"), table("comms")}) batch_.declare(id);
  }

  /// " GPU activities:   95.20%  302.95ms  1  302.95ms  302.95ms  302.95ms  name", the type only where it changes.
  void summary_line() {
    const std::string_view line = text_of_line();
    const std::size_t percent = line.find('%');
    if (percent == std::string_view::npos) {
      const bool wrapped = row_line_ > 0 && lines_.line() == row_line_ + 1;  // the rest of a long name
      if (wrapped) row_line_ = lines_.line();
      if (wrapped && lines_.note_cut(true)) return;
      // Rows begin with blanks or their share: the input may end in front of its sign.
      if (!line.empty() && (line.front() == ' ' || is_digit(line.front()))) lines_.note_cut();
      return;
    }
    const std::size_t before = line.find_last_of(" :", percent);
    const std::size_t share = before == std::string_view::npos ? 0 : before + 1;  // "100.00%" fills its column
    if (!parse_measured(line.substr(share, percent - share))) return;
    const std::string_view type = trim(line.substr(0, share));
    if (type.ends_with(':')) type_ = type.substr(0, type.size() - 1);
    else if (!type.empty()) return;
    std::vector<std::string_view> cells;
    if (table_->states_type()) cells.emplace_back(type_);
    std::string_view rest = line.substr(share);
    while (cells.size() + 1 < table_->columns()) {  // numbers, up to the name
      rest = trim(rest);
      const std::size_t end = std::min(rest.find(' '), rest.size());
      cells.push_back(rest.substr(0, end));
      rest.remove_prefix(end);
    }
    cells.push_back(trim(rest));
    row(cells, type_);
  }

  std::string_view type_of(std::string_view first) {
    const bool named = table_->kind() == Table::Kind::summary && !first.empty() && !is_digit(first.front());
    if (named) type_ = first;
    return type_;
  }

  void row(std::span<const std::string_view> cells, std::string_view type) {
    row_line_ = lines_.line();
    const bool complete = cells.size() == table_->columns() && !cells.back().empty();
    if (lines_.note_cut(!complete)) return;
    if (!complete) return sink_.note(note_id::no_log_row);
    sink_.count_events(1);
    if (std::exchange(undecided_, false)) decide(cells, type);
    const auto said = table_->row(cells, type, sink_);
    if (!said) return;
    const std::vector<std::string_view> views(said->cells.begin(), said->cells.end());
    totals_->add(*said->report, views);
    events_->add(*said->report, views);
    if (++rows_ % rows_per_batch == 0) submit();
  }

  /// With the first row of a table it is known whether it is of device work. A second table of it, of the same kind, is
  /// of another run.
  void decide(std::span<const std::string_view> cells, std::string_view type) {
    if (table_->kind() == Table::Kind::summary && !table_->is_of_device(cells, type)) return;
    if (device_tables_.insert(table_->kind()).second) return;
    std::optional<Table> table = std::exchange(table_, std::nullopt);
    finish_run();
    start_run();
    device_tables_.insert(table->kind());
    table_ = std::move(table);
  }

  void start_run() {
    finished_ = false;
    device_tables_.clear();
    RunInfo run;
    run.producer = "nvprof";
    run.clock = ClockDomain::device;
    const bool named = !process_.empty() && named_.insert(process_).second;
    if (runs_++ > 0) run.label = named ? "process " + process_ : "table " + std::to_string(runs_);
    sink_.run(std::move(run));
    lost_ = std::exchange(announced_lost_, {});
    totals_.emplace(sink_);
    events_.emplace(batch_, sink_);
    unified_memory_ = {};
  }

  void finish_run() {
    table_.reset();
    if (runs_ == 0 || std::exchange(finished_, true)) return;
    note_lost();
    totals_->submit(batch_);
    const bool named = unified_memory_.submit(batch_) || events_->names_devices();
    if (totals_->of_device() && !named) {  // totals say of no device which one it was
      const Row device = batch_.device(0);
      batch_.set(device, column("devices.vendor"), "nvidia");
      batch_.set(device, column("devices.kind"), "GPU");
    }
    submit();
    sequence_ = 0;
  }

  void submit() { sink_.submit(sequence_++, std::exchange(batch_, Batch())); }

  FirstHeader header_;
  bool csv_;
  CsvReader lines_;
  FactSink& sink_;
  Batch batch_;
  std::optional<nsys::StatsTotals> totals_;  ///< of the current run
  std::optional<nsys::StatsEvents> events_;
  std::optional<Table> table_;
  nvprof::UnifiedMemory unified_memory_;
  Lost announced_lost_, lost_;           ///< of the run that follows, and of the current one
  bool open_ = false;                    ///< a line of its block said that more follows
  bool in_unified_memory_ = false;       ///< the current line is of its block
  bool in_ranges_ = false;               ///< it is of a range, whose tables say again what ran
  std::string header_line_;              ///< of the last table
  std::uint64_t row_line_ = 0;           ///< where the last row stands, or what belongs to it
  std::string type_ = "GPU activities";  ///< what the rows of a summary are of
  std::string process_;
  std::uint64_t sequence_ = 0;
  std::size_t rows_ = 0;
  std::set<Table::Kind> device_tables_;  ///< of the current run
  std::set<std::string> named_;          ///< processes that runs are of
  int runs_ = 0;
  bool finished_ = false;          ///< the current run is
  bool announced_ = false;         ///< the line said what follows: a table, or a sentence that there is none
  bool announced_before_ = false;  ///< the line before the current one did
  bool undecided_ = false;         ///< no row of the table came yet
};

int sniff(const Head& head) {
  if (head.json != 0) return 0;
  const bool named = head.bytes.find("NVPROF is profiling") != std::string_view::npos ||
                     head.bytes.find("== Profiling result:") != std::string_view::npos;
  const auto header = first_header(head.bytes);
  if (named) return header ? 89 : 70;
  return header && header->of_nvprof ? 84 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"kernel_stats", "api_stats",  "copy_stats",  "kernels",
                                         "copies",       "memsets",    "api",         "comms",
                                         "streams",      "devices.id", "devices.name"};

}  // namespace

extern const Adapter nvprof_log;
const Adapter nvprof_log{
    .id = "nvprof",
    .title = "What nvprof prints, as text or CSV: totals and lists of kernels, copies and calls",
    .example = "==2184== NVPROF is profiling process 2184, command: ./a.out",
    .record =
        "nvprof --print-gpu-trace --print-api-trace --csv --log-file FILE ./a.out\n"
        "(for GPUs up to Volta; newer ones need nsys)",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
