// SPDX-License-Identifier: Apache-2.0
// Lines that `tegrastats` prints of NVIDIA's Jetson modules: `10-01-2025 20:05:55 RAM 2274/6834MB (lfb 27x4MB) SWAP ...
// CPU [...] EMC_FREQ 0% GR3D_FREQ 22%@305 ... GPU@38C ... VDD_IN 5542mW/5542mW`, one a period. GR3D is the GPU: its
// utilization, and its clock in MHz, of several parts in brackets. Older versions print no times (a period is 1 s where
// --interval says nothing else), and not all print GR3D. Dates begin with the month. Memory is the whole module's, and
// most power is that of several units, so neither is taken as the GPU's. Spec: tegrastats in NVIDIA's Jetson developer
// guide.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/rows/telemetry_names.hpp"
#include "adapters/text/calendar_time.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

constexpr TelemetryName utilization{"GR3D_FREQ", "%", "gpu_util"};
constexpr std::string_view activity_mark = " GR3D_FREQ ";
constexpr TelemetryName gpu_clock{"GR3D_FREQ", "MHz", "sm_clock"};
constexpr TelemetryName temperature{"GPU", "C", "temperature"};
constexpr TelemetryName power{"VDD_GPU", "mW", "power"};
// By module: Xavier and Orin, TX2, Nano, and excerpts.
constexpr std::string_view power_rails[] = {"VDD_GPU", "VDD_SYS_GPU", "POM_5V_GPU", "GPU"};

/// Where in a line what tegrastats prints begins; npos where it is no line of it. Times or a logger's words may stand
/// before that, and documents leave the processors out.
std::size_t begin_of_row(std::string_view line) {
  const std::size_t at = line.find("RAM ");
  if (at == std::string_view::npos || (at > 0 && line[at - 1] != ' ')) return std::string_view::npos;
  const std::string_view row = line.substr(at);
  const bool whole = contains(row, "MB (lfb ") && contains(row, " CPU [");
  return whole || (contains(row, "MB ") && contains(row, activity_mark)) ? at : std::string_view::npos;
}

/// "10-01-2025 20:05:55", the month first, or a time as loggers print it.
std::optional<std::int64_t> time_before_row(std::string_view text) {
  text = trim(text);
  constexpr std::size_t date = 10;
  if (text.size() <= date || text[2] != '-' || text[5] != '-') return parse_local_time(text);
  return parse_local_time(std::string(text.substr(6, 4)) + '-' + std::string(text.substr(0, 5)) +
                          std::string(text.substr(date)));
}

/// Whether some line of the text states a time: the first one may have lost its own.
bool states_times(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::size_t row = begin_of_row(text.substr(0, end));
    if (row != std::string_view::npos && time_before_row(text.substr(0, row))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

bool ends_with_watts(std::string_view record, std::string_view) { return record.ends_with("mW"); }

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : lines_(input, sink,
               {.separator = '\0', .quotes = false, .proves_end = never_ends, .proves_row = ends_with_watts}),
        sink_(lines_.sink()),
        timed_(states_times(input.head().bytes)) {}

  Status read() {
    while (lines_.next()) line(lines_.record());
    if (Status status = lines_.status(); !status) return status;
    sink_.run(telemetry_run("tegrastats", timed_ ? ClockDomain::local_ns : ClockDomain::device));
    sink_.submit(0, facts_.take());
    return ok_status();
  }

 private:
  void line(std::string_view text) {
    const std::size_t begin = begin_of_row(text);
    if (lines_.note_cut(begin == std::string_view::npos)) return;
    if (begin == std::string_view::npos) return sink_.note(note_id::no_log_row);
    sink_.count_events(1);
    const auto stated = time_before_row(text.substr(0, begin));
    if (timed_ != stated.has_value()) return sink_.note(note_id::malformed_value, "time");
    if (!stated) sink_.note(note_id::assumed_times);
    const std::int64_t time = stated.value_or(ticks_++ * assumed_period_ns);
    facts_.add_device(0);
    split_words(text.substr(begin), words_);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string_view next = i + 1 < words_.size() ? words_[i + 1] : std::string_view{};
      if (words_[i] == "GR3D_FREQ" || words_[i] == "GR3D") add_activity(next, time);
      else if (std::find(std::begin(power_rails), std::end(power_rails), words_[i]) != std::end(power_rails))
        add(power, next.substr(0, next.find('/')), time);
      else if (words_[i].starts_with("GPU@") || words_[i].starts_with("gpu@"))
        add(temperature, words_[i].substr(4), time);
    }
  }

  /// "39%@[305,0]", "22%@305" or "22%". A part without power has no clock.
  void add_activity(std::string_view text, std::int64_t time) {
    const std::size_t at = std::min(text.find('@'), text.size());
    add(utilization, text.substr(0, at), time);
    double fastest = 0;
    for (const std::string_view part : words(text.substr(at), "@[],"))
      if (const auto clock = parse_measured(part)) fastest = std::max(fastest, clock->value);
    if (fastest > 0 && !add_telemetry(facts_, gpu_clock, 0, time, fastest))
      sink_.note(note_id::malformed_value, gpu_clock.name);
  }

  void add(const TelemetryName& about, std::string_view text, std::int64_t time) {
    const auto value = parse_measured(text);
    constexpr double off = -256;  // what a sensor without power shows
    if (value && value->value == off && about.series == temperature.series) return;
    if (!value || !add_telemetry(facts_, about, 0, time, value->value, value->unit))
      sink_.note(note_id::malformed_value, about.name);
  }

  CsvReader lines_;  ///< without a separator: lines
  FactSink& sink_;
  DeviceSamples facts_{"nvidia"};
  std::vector<std::string_view> words_;  ///< of the current line
  bool timed_;                           ///< rows of the input's beginning state times
  std::int64_t ticks_ = 0;
};

int sniff(const Head& head) {
  if (head.json != 0) return 0;
  for (std::size_t begin = 0; begin < head.bytes.size();) {
    const std::size_t end = std::min(head.bytes.find('\n', begin), head.bytes.size());
    if (begin_of_row(head.bytes.substr(begin, end - begin)) != std::string_view::npos) return 80;
    begin = end + 1;
  }
  return 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"samples",       "samples:gpu_util", "samples:sm_clock", "samples:temperature",
                                         "samples:power", "devices.id"};

}  // namespace

extern const Adapter tegrastats;
const Adapter tegrastats{
    .id = "tegrastats",
    .title = "Lines of tegrastats: utilization, clock, temperature of the GPU of NVIDIA's Jetson modules",
    .example = "RAM 2274/6834MB (lfb 27x4MB) CPU [9%@1190,off] EMC_FREQ 0% GR3D_FREQ 22% GPU@38C VDD_IN 5542mW/5542mW",
    .record = "tegrastats --interval 1000 --logfile gpu.txt",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
