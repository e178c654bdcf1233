// SPDX-License-Identifier: Apache-2.0
// Nsight Compute as CSV: `ncu --csv`, or `ncu --import x.ncu-rep --csv`. Two layouts, told apart by the header line:
//
// details   one line per metric or rule: "ID",...,"Section Name","Metric Name","Metric Unit","Metric Value","Rule
// Name"... raw       one line per launch (`--page raw`), one column per metric; the second line holds the units.
//
// Units stand in the file; numbers follow the locale. What the profiled program prints stands before the header and
// between the lines. A second header starts a second run. Specified by the Nsight Compute CLI documentation.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/nvidia/ncu/ncu_launches.hpp"
#include "adapters/text/csv.hpp"
#include "base/ascii.hpp"
#include "base/parse_number.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

// Columns of a launch that are no metric.
constexpr std::string_view id_column = "ID";
constexpr std::string_view name_column = "Kernel Name";
constexpr std::string_view identity[] = {"ID",          "Process ID", "Process Name", "Host Name",  "Kernel Name",
                                         "Kernel Time", "Context",    "Stream",       "Block Size", "Grid Size",
                                         "Device",      "CC",         "Section Name"};

/// Whether a line has a field of this name, quoted or not.
bool has_field(std::string_view line, std::string_view name) {
  const auto separates = [line](std::size_t at) {
    return at >= line.size() || line[at] == ',' || line[at] == ';' || line[at] == '"' || line[at] == '\r';
  };
  for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1))
    if (separates(at - 1) && separates(at + name.size())) return true;  // at - 1 of the first byte is beyond the end
  return false;
}

/// Metrics are named `unit__quantity`: "gpu__time_duration.sum".
bool is_header(std::string_view line) {
  return has_field(line, id_column) && has_field(line, name_column) &&
         (has_field(line, "Metric Name") || line.find("__") != line.npos);
}

/// The first line that is a header; empty when there is none.
std::string_view first_header(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (is_header(line)) return line;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

/// ncu writes commas. A spreadsheet of a country with decimal commas saves the table with semicolons.
char separator_of(std::string_view text) {
  const std::string_view header = first_header(text);
  const auto times = [header](char c) { return std::count(header.begin(), header.end(), c); };
  return times(';') > times(',') ? ';' : ',';
}

int sniff(const Head& head) { return first_header(head.bytes).empty() ? 0 : 90; }

/// The names of the columns and where they stand.
class Header {
 public:
  explicit Header(std::span<const std::string_view> fields) : names_(fields.begin(), fields.end()) {
    const auto value = find("Metric Value");
    details_ = find("Metric Name") && value;
    needed_ = details_ ? *value + 1 : names_.size();
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (std::find(std::begin(identity), std::end(identity), names_[i]) == std::end(identity)) metrics_.push_back(i);
  }

  bool details() const { return details_; }
  const std::string& name(std::size_t place) const { return names_[place]; }
  std::size_t size() const { return names_.size(); }
  /// Fields that every row has: the columns of a rule may be missing.
  std::size_t needed() const { return needed_; }
  /// Columns of the raw layout that hold metrics.
  std::span<const std::size_t> metrics() const { return metrics_; }
  std::string_view cell(std::span<const std::string_view> fields, std::string_view name) const {
    const auto place = find(name);
    return place && *place < fields.size() ? fields[*place] : std::string_view{};
  }

 private:
  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  }

  std::vector<std::string> names_;
  std::vector<std::size_t> metrics_;
  bool details_ = false;
  std::size_t needed_ = 0;
};

/// "==PROF== Disconnected from process 4711", without its number.
bool is_cut_farewell(std::string_view line) {
  constexpr std::string_view farewell = "==PROF== Disconnected";
  return line.starts_with(farewell) && !is_digit(line.back());
}

/// Behind its value, a metric's row has separators only.
bool ends_with_field(std::string_view record, std::string_view) {
  return record.ends_with("\",") || record.ends_with("\";");
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : csv_(input, sink, {.separator = separator_of(input.head().bytes), .proves_end = ends_with_field}),
        sink_(csv_.sink()),
        launches_(sink_) {}

  Status read() {
    while (csv_.next()) {
      if (launches_.log_line(csv_.record())) {
        // Behind the last launch this may be the end of what the tool says, unless it lacks the number of a process.
        if (launches_.profiling() || is_cut_farewell(csv_.record())) csv_.note_cut(true);
        continue;
      }
      if (is_header(csv_.record())) begin_table();
      else if (header_ && (is_units() || looks_like_a_row())) row();
      else skip_line();
    }
    end_launch();
    launches_.finish();
    if (Status status = csv_.status(); !status || header_ || sink_.cancelled()) return status;
    return launches_.none();
  }

 private:
  void begin_table() {
    end_launch();
    launches_.begin_run();
    csv_.note_cut(true);
    header_.emplace(csv_.fields());
    units_.assign(header_->size(), {});
    if (!header_->details()) choose_metrics();
  }

  std::string_view cell(std::string_view name) const { return header_->cell(csv_.fields(), name); }

  void row() {
    if (csv_.note_cut(!is_whole() || is_units() || lacks_last_field())) return;  // behind its units launches follow
    if (is_units()) return read_units();
    const std::string_view id = cell(id_column);
    if (!parse_count(id) || cell(name_column).empty()) return sink_.note(note_id::no_log_row);
    if (!is_whole()) return sink_.note(note_id::malformed_value, "number of columns");
    const std::pair key(std::string(cell("Process ID")), std::string(id));
    if (!launch_ || key != key_) begin_launch(key);
    if (header_->details()) details_row();
    else raw_row();
  }

  /// What a program prints has no line end at last, perhaps; as long as it runs, the tool's own lines are to follow.
  void skip_line() {
    if (!launches_.profiling() || !csv_.note_cut(true)) sink_.note(note_id::no_log_row);
  }

  bool is_whole() const { return csv_.fields().size() >= header_->needed(); }
  /// The second line of the raw layout, whose fields may stand without quotes.
  bool is_units() const {
    return !header_->details() && is_whole() && cell(id_column).empty() && cell(name_column).empty();
  }
  bool looks_like_a_row() const { return csv_.record().starts_with('"') || parse_count(cell(id_column)); }

  /// Whether a row ends in front of its last field: its value, or the advice of a row that has no metric. Where columns
  /// follow that of the value, a comma does.
  bool lacks_last_field() const {
    const bool advice = header_->details() && cell("Metric Name").empty();
    const std::size_t last = advice ? header_->size() : header_->needed();
    const std::size_t fields = csv_.fields().size();
    if (fields < std::min(last + 1, header_->size())) return true;
    // A raw row that ran into another one has more fields than the header.
    return (header_->details() ? fields == last : fields >= last) && csv_.fields().back().empty();
  }

  void begin_launch(const std::pair<std::string, std::string>& key) {
    end_launch();
    key_ = key;
    launch_.emplace();
    launch_->name = cell(name_column);
    launch_->grid = parse_launch_shape(cell("Grid Size"));
    launch_->block = parse_launch_shape(cell("Block Size"));
    launch_->device = parse_count(cell("Device"));
    launch_->stream = parse_count(cell("Stream"));
  }

  void end_launch() {
    if (launch_) launches_.add(*launch_);
    launch_.reset();
  }

  void details_row() {
    const std::string_view metric = cell("Metric Name");
    const std::string_view unit = cell("Metric Unit");
    if (metric.empty()) {
      if (const std::string_view rule = cell("Rule Name"); !rule.empty()) advise(rule);
      return;
    }
    const std::string_view value = cell("Metric Value");
    launches_.see(value);
    if (const auto quantity = ncu_quantity(metric, unit)) launch_->set(*quantity, value, unit);
    else launches_.ignore_metric(metric);
  }

  void advise(std::string_view rule) {
    const bool of_the_whole = equal_but_for_case(cell("Estimated Speedup Type"), "global");
    const std::string_view gain = of_the_whole ? cell("Estimated Speedup") : std::string_view{};
    launches_.see(gain);
    launch_->advice.push_back({std::string(rule), std::string(cell("Rule Description")), std::string(gain)});
  }

  /// Units come on the line after the header; without that line they are the base units.
  void read_units() {
    for (std::size_t i = 0; i < std::min(units_.size(), csv_.fields().size()); ++i) units_[i] = csv_.fields()[i];
    choose_metrics();
  }

  void choose_metrics() {
    wanted_.clear();
    for (const std::size_t place : header_->metrics())
      if (const auto quantity = ncu_quantity(header_->name(place), units_[place]))
        wanted_.emplace_back(place, *quantity);
  }

  void raw_row() {
    for (const std::size_t place : header_->metrics()) launches_.see(csv_.fields()[place]);
    for (const auto& [place, quantity] : wanted_) launch_->set(quantity, csv_.fields()[place], units_[place]);
    end_launch();
  }

  CsvReader csv_;
  FactSink& sink_;
  NcuLaunches launches_;
  std::optional<Header> header_;
  std::vector<std::string> units_;                           ///< of the raw layout, by column
  std::vector<std::pair<std::size_t, NcuQuantity>> wanted_;  ///< columns of the raw layout that become facts
  std::optional<NcuLaunch> launch_;
  std::pair<std::string, std::string> key_;  ///< process and id of the launch
};

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

}  // namespace

extern const Adapter ncu_csv;
const Adapter ncu_csv{
    .id = "ncu-csv",
    .title = "Nsight Compute as CSV: duration, utilization, occupancy and launch shape of each profiled kernel",
    .example = "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",...",
    .record = "ncu --set detailed --csv --page raw ./app > kernels.csv, or of a report: ncu --import app.ncu-rep --csv",
    .provides = ncu_facts,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
