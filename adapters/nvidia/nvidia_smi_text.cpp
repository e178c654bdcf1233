// SPDX-License-Identifier: Apache-2.0
// What `nvidia-smi` prints for people: the summary table, the report of `-q`, the rows of `dmon` and `pmon`; alone,
// repeated (`-l`), or one after the other in one file, as scripts collect them, with `--query-gpu` logs and other text
// between them. Times are local and name no zone; `dmon` states them only with `-o DT`. Spec: nvidia-smi(1),
// `nvidia-smi dmon -h`; drivers 390 to 610. GPUs of a report are numbered in its order, which is nvidia-smi's. Rows of
// `pmon` are of processes, whose shares are no device's: they tell which GPUs there are and whether processes share
// one.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/nvidia/nvidia_smi/gpu_report.hpp"
#include "adapters/nvidia/nvidia_smi/monitor_table.hpp"
#include "adapters/nvidia/nvidia_smi/process_table.hpp"
#include "adapters/nvidia/nvidia_smi/query_rows.hpp"
#include "adapters/nvidia/nvidia_smi/summary_table.hpp"
#include "adapters/rows/csv_header.hpp"
#include "adapters/text/calendar_time.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

/// Quantities of a log end with their unit, and the lines of a summary are of one length.
bool proves_end(std::string_view record, std::string_view before) {
  const std::string_view line = trim(record);
  if (line.starts_with('|') || line.starts_with('+'))
    return line.back() == line.front() && line.size() == trim(before).size();
  return ends_with_unit(record, before);
}

/// Of dmon and pmon, whose cells are followed by blanks. In a log "631.95 " lacks its unit.
bool proves_row(std::string_view record, std::string_view before) {
  const bool row_of_words = record.front() == ' ' || is_digit(record.front());
  return row_of_words && record.find(',') == record.npos && ends_with_blank(record, before);
}

std::size_t indentation(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : lines_(input, sink, {.separator = '\0', .quotes = false, .proves_end = proves_end, .proves_row = proves_row}),
        sink_(lines_.sink()),
        rows_(sink_),
        query_(sink_, rows_) {}

  Status read() {
    while (lines_.next())
      if (!lines_.note_cut(in_ == In::report)) line(lines_.record());  // there the last value may be cut
    end_report();
    processes_.finish(sink_);
    if (Status status = lines_.status(); !status) return status;
    const ClockDomain dated = zoned_ ? ClockDomain::unix_ns : ClockDomain::local_ns;
    sink_.run(telemetry_run("nvidia-smi", time_ ? dated : ClockDomain::device));
    sink_.submit(0, rows_.facts.take());
    return ok_status();
  }

 private:
  enum class In : std::uint8_t { nothing, report, monitor, processes, query };

  void line(std::string_view text) {
    note_lost_gpu(text);
    if (is_monitor_command(text)) stated_period_ = period_of(text);
    if (text.find("NVSMI LOG") != std::string_view::npos) return begin(In::report);
    if (const auto kind = MonitorTable::kind_of(text)) return start_monitor(text, *kind);
    const bool commented = trim(text).starts_with('#');
    if (commented && is_query_header(text)) return;  // the command is a heading of Markdown
    if (commented) {
      if (in_ != In::monitor && in_ != In::processes) return begin(In::nothing);
      return is_unit_line(text) ? void() : begin(In::nothing);
    }
    if (const auto time = parse_asctime(trim(text))) return set_time(*time);
    if (is_query_header(text)) return;
    if (trim(text).starts_with('+')) return begin(In::nothing);
    if (trim(text).starts_with('|')) {
      begin(In::nothing);
      if (auto gpu = summary_.add(text)) add_report(gpu->report, gpu->index);
      return;
    }
    if (in_ == In::report) report_line(text);
    if (in_ == In::monitor) monitor_row(text);
    if (in_ == In::processes) process_row(text);
    if (in_ == In::query) query_row(text);
  }

  /// "$ nvidia-smi dmon -i 0 -d 15", as a document or a log has it above the table.
  static bool is_monitor_command(std::string_view text) {
    return text.find("nvidia-smi dmon") != std::string_view::npos ||
           text.find("nvidia-smi pmon") != std::string_view::npos;
  }

  /// What the command says of the time between two rows; nothing where it leaves it to the tool.
  static std::optional<std::int64_t> period_of(std::string_view command) {
    constexpr std::int64_t longest = 3600;  // seconds; judgement
    const std::vector<std::string_view> words = monitor_words(command);
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::string_view value;
      if (words[i] == "-d" || words[i] == "--delay") value = i + 1 < words.size() ? words[i + 1] : std::string_view();
      else if (words[i].starts_with("--delay=")) value = words[i].substr(8);
      else if (words[i].starts_with("-d")) value = words[i].substr(2);
      const auto seconds = to_integer(Token{value});
      if (seconds && *seconds > 0 && *seconds <= longest) return *seconds * assumed_period_ns;
    }
    return std::nullopt;
  }

  /// `# Idx      W      C` below `# gpu    pwr  gtemp`.
  static bool is_unit_line(std::string_view text) {
    const std::vector<std::string_view> words = monitor_words(text);
    return std::find(words.begin(), words.end(), "Idx") != words.end();
  }

  void begin(In what) {
    end_report();
    in_ = what;
    if (what == In::report) headings_.clear();
    if (what == In::report) numbers_.clear();
  }

  /// The first calendar time: rows before it had none, and are taken to end there. Times with a zone and times without
  /// cannot be compared: those of the other kind are left out.
  void set_time(std::int64_t time, bool zoned = false) {
    if (!time_) zoned_ = zoned;
    if (zoned != zoned_)
      return sink_.note(note_id::malformed_value, zoned ? "timestamp with a zone" : "timestamp without a zone");
    if (!time_ && rows_.facts.samples() > 0) rows_.facts.shift_times(time - untimed_end_);
    time_ = time;
    offsets_.clear();
  }

  void note_lost_gpu(std::string_view text) {
    for (std::string_view state : {"GPU is lost", "GPU requires reset"})
      if (text.find(state) != std::string_view::npos) sink_.note(note_id::device_lost, state);
  }

  // --- the report of -q ---

  void report_line(std::string_view text) {
    const std::size_t depth = indentation(text);
    const std::string_view content = trim(text);
    while (!headings_.empty() && headings_.back().depth >= depth) headings_.pop_back();
    const std::size_t colon = content.find(" : ");
    if (colon == std::string_view::npos) {
      if (depth == 0 && content.starts_with("GPU ")) start_gpu(content.substr(4));
      else headings_.push_back({depth, std::string(content)});
      return;
    }
    const std::string_view key = trim(content.substr(0, colon));
    const std::string_view value = trim(content.substr(colon + 3));
    if (depth == 0 && key == "Timestamp") {
      end_report();
      if (const auto time = parse_asctime(value)) set_time(*time);
    } else if (!bus_id_.empty()) {  // else it is the host's
      report_.set(section(), key, value);
    }
  }

  /// "PCI/GPU Link Info".
  std::string section() const {
    std::string path;
    for (const Heading& heading : headings_) path += (path.empty() ? "" : "/") + heading.text;
    return path;
  }

  void start_gpu(std::string_view bus_id) {
    end_report();
    bus_id_ = bus_id;
    report_.set_property("pci.bus_id", bus_id);
  }

  void end_report() {
    if (!bus_id_.empty())
      add_report(report_, numbers_.try_emplace(bus_id_, static_cast<std::int64_t>(numbers_.size())).first->second);
    bus_id_.clear();
  }

  void add_report(GpuReport& report, std::int64_t gpu) {
    sink_.count_events(1);
    report.add_to(rows_, gpu, time_ ? *time_ : untimed(gpu));
  }

  // --- the rows of dmon ---

  void start_monitor(std::string_view header, MonitorTable::Kind kind) {
    if (kind == MonitorTable::Kind::processes) {
      processes_.start_table(header);
      return begin(In::processes);
    }
    const bool again = in_ == In::monitor && header == monitor_header_;  // repeated on every page
    begin(In::monitor);
    if (again) return;
    monitor_header_ = header;
    monitor_.emplace(header);
    rows_.start_table(monitor_->properties());
  }

  void monitor_row(std::string_view text) {
    if (trim(text).empty()) return;
    const auto place = monitor_->parse(text);
    if (lines_.note_cut(!place)) return;
    if (!place) return sink_.note(note_id::no_log_row);
    sink_.count_events(1);
    if (place->date_time) set_time(*place->date_time);
    std::int64_t time = 0;
    if (place->date_time) time = *place->date_time;
    else if (place->time_of_day) time = *place->time_of_day;
    else time = unstated_time(place->gpu);
    if (!place->date_time && !place->time_of_day && !stated_period_) sink_.note(note_id::assumed_times);
    rows_.add(place->gpu, time, monitor_->cells);
  }

  // --- the rows of pmon ---

  void process_row(std::string_view text) {
    if (trim(text).empty()) return;
    const auto gpu = processes_.add(text);
    if (lines_.note_cut(!gpu)) return;
    if (!gpu) return sink_.note(note_id::no_log_row);
    sink_.count_events(1);
    rows_.facts.add_device(*gpu);
  }

  // --- the rows of --query-gpu ---

  /// Begins a log when the line is its header: names of properties, at least one of which is a fact. Help texts quote
  /// the names, and state them one a line.
  bool is_query_header(std::string_view text) {
    if (text.find(',') == std::string_view::npos || text.find('"') != std::string_view::npos) return false;
    auto header = QueryHeader::parse(header_fields(text));
    if (!header || header->facts().empty()) return false;
    begin(In::query);
    query_.start_table(std::move(*header));
    return true;
  }

  void query_row(std::string_view text) {
    if (trim(text).empty() || trim(text).starts_with("```")) return;
    const std::vector<std::string_view> fields = header_fields(text);
    const char first = trim(text).front();
    const bool other_header = first >= 'a' && first <= 'z';  // of a log of processes, say: values do not begin so
    if (lines_.note_cut(!query_.complete(fields))) return;
    if (other_header || !query_.complete(fields)) return begin(In::nothing);
    const auto place = query_.place_of(fields);
    if (!place) return;
    sink_.count_events(1);
    if (place->time) set_time(*place->time, query_.zoned());
    const bool usable = place->time && query_.zoned() == zoned_;
    rows_.add(place->gpu, usable ? *place->time : unstated_time(place->gpu), fields);
  }

  /// The instant of a GPU's next row that states none: since the last time that was stated.
  std::int64_t unstated_time(std::int64_t gpu) { return time_ ? *time_ + next_offset(gpu) : untimed(gpu); }

  /// How long the row stands behind the last time that was stated, or the input's begin.
  std::int64_t next_offset(std::int64_t gpu) { return std::exchange(offsets_[gpu], offsets_[gpu] + period()); }

  /// The instant of a GPU's next row in an input that has stated no time so far.
  std::int64_t untimed(std::int64_t gpu) {
    const std::int64_t time = next_offset(gpu);
    untimed_end_ = std::max(untimed_end_, time + period());
    return time;
  }

  std::int64_t period() const { return in_ == In::monitor && stated_period_ ? *stated_period_ : assumed_period_ns; }

  struct Heading {
    std::size_t depth;
    std::string text;
  };

  CsvReader lines_;  ///< without a separator: lines
  FactSink& sink_;
  GpuRows rows_;
  QueryRows query_;
  ProcessTable processes_;
  In in_ = In::nothing;
  std::optional<std::int64_t> time_;  ///< the last calendar time
  bool zoned_ = false;                ///< it names its zone
  std::int64_t untimed_end_ = 0;
  std::optional<std::int64_t> stated_period_;  ///< between rows of dmon, by the command above its table
  std::vector<Heading> headings_;              ///< those above the current line of a report
  std::string bus_id_;                         ///< of the GPU whose report is being read
  GpuReport report_;
  std::map<std::string, std::int64_t> numbers_;  ///< of the GPUs of a report
  SummaryTable summary_;
  std::string monitor_header_;
  std::optional<MonitorTable> monitor_;
  std::map<std::int64_t, std::int64_t> offsets_;  ///< of the next row from the last time that was stated, by GPU
};

/// Whether a line of the text begins like this and is the header of a table of dmon or pmon.
bool has_monitor_table(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (MonitorTable::kind_of(text.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

int sniff(const Head& head) {
  if (head.json != 0) return 0;
  const bool printed = head.bytes.find("=NVSMI LOG=") != std::string_view::npos ||
                       head.bytes.find("| NVIDIA-SMI ") != std::string_view::npos || has_monitor_table(head.bytes);
  if (printed) return query_separator(head.bytes) == ',' ? 95 : 85;  // surer than the reader of query logs alone
  // What `nvidia-smi --version` prints: a collection whose first tables stand further down.
  return head.bytes.find("\nNVIDIA-SMI version") != std::string_view::npos ? 70 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

}  // namespace

extern const Adapter nvidia_smi_text;
const Adapter nvidia_smi_text{
    .id = "nvidia-smi-text",
    .title = "Text of nvidia-smi: the summary table, -q, dmon, pmon, and files that collect several of them",
    .example = "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa   mclk   pclk",
    .record = "nvidia-smi dmon -s pucmt -o DT > gpu.txt, or nvidia-smi -q -l 1 > gpu.txt",
    .provides = gpu_report_facts,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
