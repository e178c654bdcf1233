// SPDX-License-Identifier: Apache-2.0
// Logs of `nvidia-smi --query-gpu=... --format=csv[,nounits]`: a header line with the properties' names and units, then
// one row per GPU and tick, fields separated by a comma and a blank. Times are local and name no zone. The header comes
// again when a log is appended to; driver messages may stand between rows. Spec: `nvidia-smi --help-query-gpu`.
// Logs made with `noheader` are refused: nothing in a row says which property `35 %` is.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/nvidia_smi/gpu_rows.hpp"
#include "adapters/nvidia_smi/query_header.hpp"
#include "adapters/util/csv.hpp"
#include "adapters/util/csv_header.hpp"
#include "adapters/util/local_time.hpp"
#include "adapters/util/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t samples_per_batch = 65536;
constexpr std::size_t sniffed_lines = 64;  // noise that may stand before the header; judgement

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

Diagnostic no_header() {
  Diagnostic out;
  out.id = "K660";
  out.title = "the log has no header line, so nothing says what its columns are";
  out.help =
      "Record without `noheader`, or write the properties given to --query-gpu, separated by commas, on a first line.";
  return out;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : csv_(input, sink), sink_(sink), rows_(sink) {}

  Status read() {
    while (csv_.next()) {
      if (may_be_header())
        if (auto header = QueryHeader::parse(csv_.fields())) {
          start_table(std::move(*header));
          continue;
        }
      note_lost_gpu();
      if (!rows_.has_table() || (csv_.fields().size() == 1 && header().columns().size() > 1)) sink_.note("K661");
      else row();
    }
    if (Status status = csv_.status(); !status || sink_.cancelled()) return status;
    if (!rows_.has_table()) return no_header();
    submit();
    return ok_status();
  }

 private:
  const QueryHeader& header() const { return rows_.header(); }

  /// Properties begin with a small letter, rows with a time, a number or a model name.
  bool may_be_header() const {
    const std::string_view first = csv_.fields().front();
    return !rows_.has_table() || (!first.empty() && first[0] >= 'a' && first[0] <= 'z');
  }

  void start_table(QueryHeader table) {
    const bool timed = table.find(QueryRole::timestamp).has_value();
    if (!rows_.has_table()) {
      RunInfo run;
      run.producer = "nvidia-smi";
      run.clock = timed ? ClockDomain::local_ns : ClockDomain::device;
      run.telemetry = true;
      sink_.run(std::move(run));
    }
    last_unit_.clear();
    if (!timed) sink_.note("K662");
    if (!table.names_gpus()) sink_.note("K663");
    rows_.start_table(std::move(table));
  }

  void note_lost_gpu() {
    for (std::string_view state : {"GPU is lost", "GPU requires reset"}) {
      if (csv_.record().find(state) == std::string_view::npos) continue;
      const auto index = rows_.has_table() ? whole_number(cell(QueryRole::index)) : std::nullopt;
      sink_.note("K664", (index ? "GPU " + std::to_string(*index) + ": " : "") + std::string(state));
    }
  }

  /// The cell of a role in the current row; empty when there is none.
  std::string_view cell(QueryRole role) const {
    const auto place = header().find(role);
    return place && *place < csv_.fields().size() ? csv_.fields()[*place] : std::string_view{};
  }

  void row() {
    sink_.count_events(1);
    const bool whole = csv_.fields().size() == header().columns().size();
    if (csv_.unterminated() && (!whole || unit_of_last_cell() != last_unit_)) return sink_.note("K600");
    if (!whole) return sink_.note("K603", "number of columns");
    last_unit_ = unit_of_last_cell();
    std::optional<std::int64_t> time;
    if (header().find(QueryRole::timestamp)) {
      time = parse_local_time(cell(QueryRole::timestamp));
      if (!time) return sink_.note("K603", "timestamp");
    }
    const auto id = gpu_of_row(time);
    if (!id) return sink_.note("K603", "which GPU");
    const std::int64_t ordinal = counts_[*id]++;
    rows_.add(*id, time.value_or(ordinal * assumed_period_ns), csv_.fields());
    if (rows_.facts.samples() >= samples_per_batch) submit();
  }

  /// Unit of a quantity in the last cell of a row; cut off when the input ends too early: "62.3" of "62.33 W".
  std::string_view unit_of_last_cell() const {
    if (header().columns().back().dimension == Unit::none) return {};
    const auto number = parse_measured(csv_.fields().back());
    return number ? number->unit : std::string_view{};
  }

  /// The GPU a row is of: its index, else its uuid or bus id numbered as they appear, else its place among the rows
  /// of one instant. Nothing when other rows are named and this one is not.
  std::optional<std::int64_t> gpu_of_row(std::optional<std::int64_t> time) {
    if (const auto index = whole_number(cell(QueryRole::index))) return index;
    for (QueryRole role : {QueryRole::uuid, QueryRole::bus_id})
      if (const std::string_view name = cell(role); !is_missing_word(name))
        return numbers_.try_emplace(std::string(name), static_cast<std::int64_t>(numbers_.size())).first->second;
    if (header().names_gpus()) return std::nullopt;
    place_ = time && time == last_time_ ? place_ + 1 : 0;
    last_time_ = time;
    return place_;
  }

  void submit() { sink_.submit(sequence_++, rows_.facts.take()); }

  CsvReader csv_;
  FactSink& sink_;
  GpuRows rows_;
  std::uint64_t sequence_ = 0;
  std::string last_unit_;                        ///< unit_of_last_cell() of the row before
  std::map<std::int64_t, std::int64_t> counts_;  ///< rows by GPU
  std::map<std::string, std::int64_t> numbers_;  ///< of GPUs by uuid or bus id
  std::optional<std::int64_t> last_time_;
  std::int64_t place_ = 0;
};

int sniff(const Head& head) {
  if (head.json != 0) return 0;
  int found = 0;
  std::string_view rest = head.bytes;
  for (std::size_t line = 0; line < sniffed_lines && !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::vector<std::string_view> fields = header_fields(rest.substr(0, end));
    if (QueryHeader::parse(fields)) return 90;
    if (fields.size() > 1 && parse_local_time(fields[0])) found = 30;  // made with noheader: read explains
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return found;
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
                                         "devices.id",
                                         "devices.name",
                                         "devices.uuid",
                                         "devices.sm_clock_max",
                                         "devices.sm_clock_app",
                                         "devices.mem_clock_max",
                                         "devices.power_limit",
                                         "devices.memory"};

}  // namespace

extern const Adapter nvidia_smi_csv;
const Adapter nvidia_smi_csv{
    .id = "nvidia-smi-csv",
    .title = "Logs of nvidia-smi --query-gpu: clocks, power, temperature, utilization, clock event reasons",
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
