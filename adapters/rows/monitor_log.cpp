// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/monitor_log.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <kdiag/note_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/rows/csv_header.hpp"
#include "adapters/text/calendar_time.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::int64_t day_ns = std::int64_t{24} * 3600 * 1'000'000'000;
constexpr std::size_t samples_per_batch = 65536;
constexpr std::size_t sniffed_monitor_lines = 16;  // the command and what it says before the header; judgement

using Cells = std::vector<std::string_view>;

std::optional<std::size_t> place_of(const Cells& headings, std::string_view name) {
  const auto found = std::find(headings.begin(), headings.end(), name);
  if (name.empty() || found == headings.end()) return std::nullopt;
  return static_cast<std::size_t>(found - headings.begin());
}

bool is_header(const MonitorLog& log, const Cells& headings) {
  return place_of(headings, log.device) && std::any_of(headings.begin(), headings.end(), [&](std::string_view heading) {
           return find_telemetry(log.names, heading) != nullptr;
         });
}

class Reader {
 public:
  Reader(const MonitorLog& log, Input& input, FactSink& sink)
      : log_(log),
        lines_(input, sink,
               {.separator = '\0', .quotes = false, .proves_end = log.proves_end, .proves_row = log.proves_row}),
        sink_(lines_.sink()),
        facts_(log.maker) {}

  Status read() {
    while (lines_.next()) {
      if (const Cells headings = log_.headings(lines_.record()); is_header(log_, headings)) start_table(headings);
      else row(log_.cells(lines_.record()));
    }
    if (Status status = lines_.status(); !status) return status;
    submit();
    return ok_status();
  }

 private:
  void start_table(const Cells& headings) {
    lines_.note_cut(true);
    device_ = place_of(headings, log_.device);
    part_ = place_of(headings, log_.part);
    time_ = place_of(headings, log_.time);
    columns_.clear();
    for (std::size_t i = 0; i < headings.size(); ++i) {
      columns_.push_back(find_telemetry(log_.names, headings[i]));
      const bool known = columns_.back() != nullptr || i == device_ || i == part_ || i == time_ ||
                         std::any_of(log_.unused.begin(), log_.unused.end(),
                                     [&](std::string_view begin) { return headings[i].starts_with(begin); });
      if (!known) sink_.note(note_id::unknown_log_column, headings[i]);
    }
    if (!time_) sink_.note(note_id::assumed_times);
  }

  void row(const Cells& cells) {
    const bool complete = device_ && cells.size() == columns_.size();
    if (lines_.note_cut(!complete)) return;
    if (!complete) return sink_.note(note_id::no_log_row);
    sink_.count_events(1);
    const auto device = to_integer(Token{cells[*device_]});
    if (!device || *device < 0) return sink_.note(note_id::malformed_value, log_.device);
    if (part_ && !(log_.first_part_is_device && cells[*part_] == "0"))
      return sink_.note(note_id::unknown_kind, log_.part);
    const auto time = time_ ? time_of(cells[*time_]) : ticks_[*device]++ * assumed_period_ns;
    if (!time) return sink_.note(note_id::malformed_value, log_.time);
    facts_.add_device(*device);
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (columns_[i] != nullptr) add(*columns_[i], cells[i], *device, *time);
    if (facts_.samples() >= samples_per_batch) submit();
  }

  void add(const TelemetryName& about, std::string_view cell, std::int64_t device, std::int64_t time) {
    if (is_missing_word(cell)) return;
    const auto value = to_real(Token{cell});
    if (!value || !add_telemetry(facts_, about, device, time, *value)) sink_.note(note_id::malformed_value, about.name);
  }

  /// A time of the calendar; or of a day, after whose end another one begins.
  std::optional<std::int64_t> time_of(std::string_view text) {
    if (const auto date = parse_calendar_time(text)) {
      if (!clock_) clock_ = date->zoned ? ClockDomain::unix_ns : ClockDomain::local_ns;
      return clock_ == (date->zoned ? ClockDomain::unix_ns : ClockDomain::local_ns) ? std::optional(date->ns)
                                                                                    : std::nullopt;
    }
    const auto time = parse_local_time("1970-01-01 " + std::string(text));
    if (!time || clock_.value_or(ClockDomain::device) != ClockDomain::device) return std::nullopt;
    clock_ = ClockDomain::device;
    if (*time + day_ns / 2 < last_time_of_day_) days_ += day_ns;
    last_time_of_day_ = *time;
    return *time + days_;
  }

  void submit() {
    if (sequence_ == 0) sink_.run(telemetry_run(log_.producer, clock_.value_or(ClockDomain::device)));
    sink_.submit(sequence_++, facts_.take());
  }

  const MonitorLog& log_;
  CsvReader lines_;  ///< without a separator: lines
  FactSink& sink_;
  DeviceSamples facts_;
  std::vector<const TelemetryName*> columns_;
  std::optional<std::size_t> device_, part_, time_;  ///< places of these columns
  std::map<std::int64_t, std::int64_t> ticks_;       ///< rows by device
  std::optional<ClockDomain> clock_;                 ///< of the first time
  std::int64_t last_time_of_day_ = 0, days_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace

bool is_monitor_log(const MonitorLog& log, std::string_view text) {
  for (std::size_t line = 0; line < sniffed_monitor_lines && !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (is_header(log, log.headings(trim(text.substr(0, end))))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

Status read_monitor_log(const MonitorLog& log, Input& input, FactSink& sink) { return Reader(log, input, sink).read(); }

}  // namespace kdiag::adapters
