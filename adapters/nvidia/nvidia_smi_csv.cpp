// SPDX-License-Identifier: Apache-2.0
// Logs of `nvidia-smi --query-gpu=... --format=csv[,nounits]`: a header line with the properties' names and units, then
// one row per GPU and tick, fields separated by a comma and a blank, after a spreadsheet also by semicolons or tabs.
// Times are local and name no zone; wrappers write their own, which may. The header comes again when a log is appended
// to; driver messages may stand between rows. Logs of `hl-smi --query-aip=... --format=csv` for Gaudi are the same.
// Spec: `nvidia-smi --help-query-gpu`, documentation of hl-smi. Logs made with `noheader` are refused: nothing in a row
// says which property `35 %` is. Of scripts that write a header of their own, the names of the columns say it.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/nvidia/nvidia_smi/gpu_rows.hpp"
#include "adapters/nvidia/nvidia_smi/query_header.hpp"
#include "adapters/nvidia/nvidia_smi/query_rows.hpp"
#include "adapters/rows/csv_header.hpp"
#include "adapters/text/calendar_time.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t samples_per_batch = 65536;

Diagnostic no_header() {
  Diagnostic out;
  out.id = refusal_id::no_header;
  out.title = "the log has no header line, so nothing says what its columns are";
  out.help =
      "Record without `noheader`, or write the properties given to --query-gpu, separated by commas, on a first line.";
  return out;
}

/// The column of a script's header that has the utilization, but does not say whether in percent. Empty when there is
/// none.
std::string bare_utilization(std::string_view text) {
  std::string name;
  for (const char separator : {',', ';', '\t'}) {
    const auto has_bare = [&name](std::span<const std::string_view> fields) {
      const auto header = QueryHeader::parse(fields, true);
      const auto place = header ? header->bare_utilization() : std::nullopt;
      if (place) name = header->columns()[*place].name;
      return place.has_value();
    };
    if (any_first_line(text, has_bare, separator)) break;
  }
  return name;
}

Diagnostic no_percent(const std::string& column) {
  Diagnostic out;
  out.id = refusal_id::no_header;
  out.title = "nothing says whether the column '" + column + "' is in percent or a fraction";
  out.help = "Where it is in percent, call the column gpu_util_percent; else read the log with a mapping (`--map`).";
  return out;
}

Diagnostic no_times() {
  Diagnostic out;
  out.id = refusal_id::no_times;
  out.title = "no row of the log has a time that kdiag can read";
  out.help =
      "Record with `timestamp` of --query-gpu, or write times as 2026-01-03T15:36:53.5Z or in seconds since 1970.";
  return out;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : separator_(query_separator(input.head().bytes).value_or(',')),
        naming_(naming_column(input.head().bytes, separator_)),
        in_percent_(shows_percent(input.head().bytes, separator_)),
        bare_(in_percent_ ? std::string() : bare_utilization(input.head().bytes)),
        csv_(input, sink, {.separator = separator_}),
        sink_(csv_.sink()),
        rows_(sink_),
        query_(sink_, rows_) {}

  Status read() {
    while (csv_.next()) {
      if (may_be_header())
        if (auto header = QueryHeader::parse(csv_.fields(), in_percent_)) {
          start_table(std::move(*header));
          continue;
        }
      note_lost_gpu();
      if (rows_.has_table() && (csv_.fields().size() > 1 || header().columns().size() == 1)) row();
      else if (!csv_.note_cut(true)) sink_.note(note_id::no_log_row);
    }
    if (Status status = csv_.status(); !status || sink_.cancelled()) return status;
    if (!rows_.has_table()) return bare_.empty() ? no_header() : no_percent(bare_);
    if (query_.no_time_read()) return no_times();
    submit();
    return ok_status();
  }

 private:
  const QueryHeader& header() const { return rows_.header(); }

  /// Properties begin with a small letter, rows with a time, a number or a model name.
  bool may_be_header() const {
    const std::string_view first = csv_.fields().front();
    return !rows_.has_table() || (!first.empty() && first[0] >= 'a' && first[0] <= 'z') ||
           contains(first, "--query-gpu=");
  }

  void start_table(QueryHeader table) {
    csv_.note_cut(true);
    if (!naming_.empty()) table.name_gpus_by(naming_);
    blanks_ = csv_.record().find(", ") != std::string_view::npos;
    if (!rows_.has_table()) timed_ = table.find(QueryRole::timestamp) && table.since_start() == 0;
    query_.start_table(std::move(table));
  }

  void note_lost_gpu() {
    for (std::string_view state : {"GPU is lost", "GPU requires reset"}) {
      if (csv_.record().find(state) == std::string_view::npos) continue;
      const auto index = rows_.has_table() ? query_.index_of(csv_.fields()) : std::nullopt;
      sink_.note(note_id::device_lost, (index ? "GPU " + std::to_string(*index) + ": " : "") + std::string(state));
    }
  }

  void row() {
    sink_.count_events(1);
    std::span<const std::string_view> fields = csv_.fields();
    const std::size_t time = header().find(QueryRole::timestamp).value_or(fields.size());
    const bool divided = divides_time(fields, time);
    const auto joined = with_joined_text(csv_.record(), fields, header().columns().size(), time);
    if (joined && fields.size() == joined->size() + 1) fields = *joined;
    else if (divided && csv_.note_cut(true)) return;
    if (csv_.note_cut(!query_.complete(fields))) return;
    const auto place = query_.place_of(fields);
    if (!place) return;
    const std::int64_t ordinal = counts_[place->gpu]++;
    rows_.add(place->gpu, place->time.value_or(ordinal * assumed_period_ns), fields);
    if (rows_.facts.samples() >= samples_per_batch) submit();
  }

  /// Whether a comma without a blank behind it divides a time from its fraction ("10:00:00,123"), where others have
  /// one.
  bool divides_time(std::span<const std::string_view> fields, std::size_t time) const {
    return blanks_ && time + 1 < fields.size() &&
           fields[time].data() + fields[time].size() + 1 == fields[time + 1].data();
  }

  void submit() {
    const ClockDomain dated = query_.zoned() ? ClockDomain::unix_ns : ClockDomain::local_ns;
    const std::string_view tool = header().of_script()                  ? "a script"
                                  : header().maker().vendor == "nvidia" ? "nvidia-smi"
                                                                        : "hl-smi";
    if (sequence_ == 0) sink_.run(telemetry_run(tool, timed_ ? dated : ClockDomain::device));
    sink_.submit(sequence_++, rows_.facts.take());
  }

  char separator_;
  std::string naming_;  ///< the column that names GPUs, where no property of nvidia-smi does
  bool in_percent_;     ///< the utilization of a script that does not say so
  std::string bare_;    ///< that utilization's column, where nothing says that it is in percent
  CsvReader csv_;
  FactSink& sink_;
  GpuRows rows_;
  QueryRows query_;
  bool blanks_ = false;  ///< behind the commas of the table
  bool timed_ = false;   ///< the first table has a column of dates
  std::uint64_t sequence_ = 0;
  std::map<std::int64_t, std::int64_t> counts_;  ///< rows by GPU
};

/// Whether a line begins as loggers of Python begin theirs, "2022-07-21 10:02:20,460 | INFO": a comma that divides the
/// time, and words behind its digits.
bool is_log_message(std::span<const std::string_view> fields) {
  constexpr std::size_t digits = 3;
  const std::string_view rest = fields[1];
  return fields[0].data() + fields[0].size() + 1 == rest.data() && rest.size() > digits && rest[digits] == ' ' &&
         to_integer(Token{rest.substr(0, digits)}).has_value();
}

/// How sure the header is: names that a script chose may be other tools', and the memory or the name of a GPU that a
/// text mentions beside another tool's table are no log of it.
int trust_in_header(std::string_view text, char separator) {
  std::optional<QueryHeader> header;
  any_first_line(
      text,
      [&header](std::span<const std::string_view> fields) {
        header = QueryHeader::parse(fields, true);
        return header && !header->of_command();
      },
      separator);
  const bool samples = header && (header->find(QueryRole::sample) || header->find(QueryRole::reason));
  return samples && !header->of_script() ? 90 : 40;
}

/// Whether a line is a row that some header would stand above: it begins with a time, or is made of numbers, some with
/// units that the tool prints: "0, 35 %, 588 MiB".
bool is_row_alone(std::span<const std::string_view> fields) {
  if (fields.size() < 2 || is_log_message(fields)) return false;
  if (parse_calendar_time(fields[0])) return true;
  bool has_unit = false;
  for (const std::string_view field : fields) {
    const auto value = parse_measured(field);
    if (!value) return false;
    has_unit = has_unit || value->unit == "MiB" || value->unit == "MHz" || value->unit == "W";
  }
  return has_unit;
}

int sniff(const Head& head) {
  if (head.json != 0) return 0;
  if (const auto separator = query_separator(head.bytes)) return trust_in_header(head.bytes, *separator);
  if (has_rows_below_command(head.bytes)) return 80;     // a log with a table of another tool is that tool's
  if (!bare_utilization(head.bytes).empty()) return 30;  // read explains
  if (head.bytes.find("process_name") != std::string_view::npos) return 0;  // --query-compute-apps
  std::size_t columns = 0;                                                  // of a header line that is another tool's
  const bool rows_alone = any_first_line(head.bytes, [&columns](std::span<const std::string_view> fields) {
    if (is_row_alone(fields)) return fields.size() != columns;
    if (fields.size() > 1) columns = fields.size();
    return false;
  });
  return rows_alone ? 30 : 0;  // made with noheader: read explains
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
                                         "samples:encoder_util",
                                         "samples:decoder_util",
                                         "samples:memory_used",
                                         "samples:throttle_reasons",
                                         "samples:temperature_margin",
                                         "samples:ecc_corrected",
                                         "samples:ecc_uncorrected",
                                         "samples:ecc_corrected_lifetime",
                                         "samples:ecc_uncorrected_lifetime",
                                         "samples:rows_remapped",
                                         "samples:repair_pending",
                                         "samples:repair_failed",
                                         "samples:pcie_gen",
                                         "samples:pcie_width",
                                         "devices.id",
                                         "devices.name",
                                         "devices.uuid",
                                         "devices.sm_clock_max",
                                         "devices.sm_clock_app",
                                         "devices.mem_clock_max",
                                         "devices.power_limit",
                                         "devices.power_limit_default",
                                         "devices.pcie_gen_max",
                                         "devices.pcie_width_max",
                                         "devices.memory"};

}  // namespace

extern const Adapter nvidia_smi_csv;
const Adapter nvidia_smi_csv{
    .id = "nvidia-smi-csv",
    .title =
        "Logs of nvidia-smi --query-gpu and hl-smi --query-aip: clocks, power, temperature, utilization, clock event "
        "reasons",
    .example = "timestamp, index, utilization.gpu [%], clocks.current.sm [MHz], power.draw [W]",
    .record =
        "nvidia-smi --query-gpu=timestamp,index,uuid,name,utilization.gpu,utilization.memory,clocks.sm,clocks.mem,"
        "clocks.max.sm,clocks.max.mem,power.draw,enforced.power.limit,temperature.gpu,memory.used,memory.total,"
        "clocks_throttle_reasons.active --format=csv -lms 100 > gpu.csv",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
