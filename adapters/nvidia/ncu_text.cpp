// SPDX-License-Identifier: Apache-2.0
// Nsight Compute's report as text, as `ncu ./app` or `ncu --import x.ncu-rep` print it: a line for each launch,
//
//   void gemm<float>(T1 *) (10240, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0
//     Section: GPU Speed Of Light Throughput
//     ----------------- ----------- ------------
//     Metric Name       Metric Unit Metric Value
//     ----------------- ----------- ------------
//     Duration                   us         1.45
//     ----------------- ----------- ------------
//     OPT   What the tool advises.
//
// then tables of metrics, whose rulers say where the columns are. Units are chosen by size, numbers follow the locale
// and have three or four digits, so durations do too. A summary of each kernel (`--print-summary per-kernel`) has the
// smallest, the largest and the average value of several launches. Before 2022 the launch line had the date instead of
// the shape, and tables no names. What the profiled program prints stands between the lines. Documents break the line
// of a launch before its shape.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/nvidia/ncu/ncu_launches.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters {
namespace {

/// Takes ", Word 7" off the end of the text. Nothing, and the text unchanged, when that is not there.
std::optional<std::int64_t> take_last(std::string_view& text, std::string_view word) {
  const std::size_t at = text.rfind(word);
  if (at == text.npos) return std::nullopt;
  const auto value = parse_number<std::int64_t>(text.substr(at + word.size()));
  if (value) text = text.substr(0, at);
  return value;
}

/// Takes " (1, 2, 3)x(4, 5, 6)" off the end of the text; launches before 2022 have ", date" there.
void take_shape(std::string_view& text, NcuLaunch& launch) {
  const std::size_t between = text.rfind(")x(");
  const std::size_t open = between == text.npos ? text.npos : text.rfind(" (", between);
  if (open == text.npos) {
    if (const std::size_t comma = text.rfind(", "); comma != text.npos && text.find(':', comma) != text.npos)
      text = text.substr(0, comma);
    return;
  }
  launch.grid = parse_launch_shape(text.substr(open, between + 1 - open));
  launch.block = parse_launch_shape(text.substr(between + 2));
  if (launch.grid && launch.block) text = text.substr(0, open);
}

/// A document broke the line before the shape: the name is what stands before that.
void take_broken_line(std::string_view before, NcuLaunch& launch) {
  const std::string_view shape = launch.name;
  const std::size_t between = shape.find(")x(");
  if (!shape.starts_with('(') || between == shape.npos || before.empty()) return;
  launch.grid = parse_launch_shape(shape.substr(0, between + 1));
  launch.block = parse_launch_shape(shape.substr(between + 2));
  launch.name = before;
}

/// How many launches a line of a summary (`--print-summary per-kernel`) is of, which it ends with: ", 3 invocations"
/// or ", Invocations 3". Nothing, and the text unchanged, for other lines.
std::optional<std::int64_t> take_invocations(std::string_view& line) {
  constexpr std::string_view word = " invocations";
  if (!line.ends_with(word)) return take_last(line, ", Invocations ");
  std::string_view rest = line.substr(0, line.size() - word.size());
  const auto count = take_last(rest, ", ");
  if (count) line = rest;
  return count;
}

/// The kernel of which a line begins a summary; nothing for other lines.
std::optional<NcuLaunch> parse_summary(std::string_view line) {
  line = trim(line);
  NcuLaunch launch;
  const auto invocations = take_invocations(line);
  if (!invocations || *invocations < 1) return std::nullopt;
  launch.invocations = *invocations;
  if (const std::size_t capability = line.rfind(", CC "); capability != line.npos) line = line.substr(0, capability);
  launch.device = take_last(line, ", Device ");
  if (!launch.device) return std::nullopt;
  if (const auto blocks = take_last(line, ", Grid Size ")) launch.set(NcuQuantity::blocks, std::to_string(*blocks), {});
  if (const auto threads = take_last(line, ", Block Size "))
    launch.set(NcuQuantity::threads, std::to_string(*threads), {});
  take_shape(line, launch);
  launch.name = trim(line);
  return launch.name.empty() ? std::nullopt : std::optional(launch);
}

/// The launch that a line begins; nothing for other lines.
std::optional<NcuLaunch> parse_launch(std::string_view line) {
  line = trim(line);
  if (auto summary = parse_summary(line)) return summary;
  NcuLaunch launch;
  if (const std::size_t capability = line.rfind(", CC "); capability != line.npos) line = line.substr(0, capability);
  launch.device = take_last(line, ", Device ");
  launch.stream = take_last(line, ", Stream ");
  if (!launch.stream || !take_last(line, ", Context ")) return std::nullopt;
  take_shape(line, launch);
  launch.name = trim(line);
  if (launch.name.empty()) return std::nullopt;
  return launch;
}

bool is_ruler(std::string_view line) {
  line = trim(line);
  return line.starts_with("---") && line.find_first_not_of("- ") == line.npos;
}

/// The columns of a table, as its ruler draws them.
class Columns {
 public:
  explicit Columns(std::string_view ruler) {
    for (std::size_t at = ruler.find('-'); at != ruler.npos; at = ruler.find('-', at)) {
      begins_.push_back(at);
      at = std::min(ruler.find(' ', at), ruler.size());
    }
  }
  /// Metric, unit, value; in a summary the smallest, the largest and the average value.
  bool has_metrics() const { return begins_.size() == 3 || summarise(); }
  bool summarise() const { return begins_.size() == 5; }
  std::size_t last() const { return begins_.size() - 1; }
  /// Whether a line has text where the first column begins, and none before: the continuation of a paragraph has not.
  bool is_row(std::string_view line) const {
    return line.find_first_not_of(' ') == begins_.front() && line.size() > begins_.back();
  }
  std::string_view cell(std::string_view line, std::size_t column) const {
    const std::size_t end = column + 1 < begins_.size() ? begins_[column + 1] : line.size();
    return trim(line.substr(begins_[column], end - begins_[column]));
  }

 private:
  std::vector<std::size_t> begins_;
};

/// The words behind "OPT   ..." and its like; empty for other lines.
std::string_view advice_of(std::string_view line) {
  line = trim(line);
  for (const std::string_view tag : {"OPT ", "WRN ", "INF ", "ERR "})
    if (line.starts_with(tag)) return trim(line.substr(tag.size()));
  return {};
}

/// A paragraph of advice, line by line: behind its mark, "Est. Speedup: 12 %" stands on a line of its own.
class Advice {
 public:
  Advice(std::string_view section, std::string_view line) : indent_(line.find_first_not_of(' ')) {
    advice_.topic = section;
    take(advice_of(line));
  }
  /// Whether a line goes on with it.
  bool continues(std::string_view line) const {
    const std::size_t begin = line.find_first_not_of(" \r");
    return begin != line.npos && begin > indent_;
  }
  void take(std::string_view text) {
    text = trim(text);
    constexpr std::string_view estimate = "Est. ", of_the_whole = "Est. Speedup: ";
    constexpr std::string_view of_some = "Estimated Speedup: ";  // older, which does not say of what
    if (advice_.text.empty() && (text.starts_with(estimate) || text.starts_with(of_some))) {
      if (text.starts_with(of_the_whole))
        advice_.gain = trim(text.substr(of_the_whole.size(), text.find('%') - of_the_whole.size()));
      return;
    }
    if (!advice_.text.empty()) advice_.text += ' ';
    advice_.text += text;
  }
  const NcuAdvice& whole() const { return advice_; }

 private:
  std::size_t indent_;
  NcuAdvice advice_;
};

constexpr std::string_view section_mark = "Section: ";

int sniff(const Head& head) {
  if (head.json != 0) return 0;
  bool launched = false;
  bool profiled = false, sections = false;
  std::string_view rest = head.bytes;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    launched = launched || parse_launch(line);
    const bool of_report = is_ruler(line) || trim(line).starts_with(section_mark);
    if (launched && of_report) return 90;
    sections = sections || trim(line).starts_with("Section: GPU Speed Of Light");
    profiled = profiled || line.starts_with("==PROF==");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return profiled || sections ? 30 : 0;  // no kernel is named: read explains
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : lines_(input, sink, {.separator = '\0', .quotes = false, .proves_end = never_ends}),
        sink_(lines_.sink()),
        launches_(sink_) {}

  Status read() {
    while (lines_.next()) {
      if (lines_.note_cut()) continue;
      line(lines_.record());
      const std::string_view text = trim(lines_.record());
      signature_ = !advice_ && text.ends_with(')') && text.find('(') != text.npos ? text : std::string_view{};
    }
    end_launch();
    launches_.finish();
    if (Status status = lines_.status(); !status || launches_.begun()) return status;
    Diagnostic error = launches_.none();
    if (section_.empty()) return error;
    error.title = "tables of Nsight Compute without the line above them that names their kernel";
    error.help = "Keep the lines that end with `Context 1, Stream 7, Device 0, CC 9.0`.";
    return error;
  }

 private:
  void line(std::string_view text) {
    if (advice_ && advice_->continues(text)) return advice_->take(text);
    end_advice();
    if (launches_.log_line(text)) return;
    if (text.starts_with("==") && text.find("== Profiling result:") != text.npos)
      return sink_.note(note_id::unused_report, "a table of nvprof");
    if (auto launch = parse_launch(text)) {
      end_launch();
      if (!launches_.begun()) launches_.begin_run();
      take_broken_line(signature_, *launch);
      launch_ = std::move(launch);
      columns_.reset();
      sections_.clear();
    } else if (trim(text).starts_with(section_mark)) {
      section_ = trim(text).substr(section_mark.size());
      columns_.reset();
      // One that comes again is of another launch, whose line is missing.
      if (launch_ && !sections_.emplace(section_).second) end_launch();
      if (!launch_) sink_.note(note_id::malformed_value, "launch line above a section");
    } else if (constexpr std::string_view warning = "Warning: "; launch_ && trim(text).starts_with(warning)) {
      sink_.note(note_id::profiler_warnings, trim(text).substr(warning.size()));
    } else if (is_ruler(text)) {
      columns_.emplace(text);
    } else if (launch_ && !advice_of(text).empty()) {
      advice_.emplace(section_, text);
    } else if (launch_ && columns_ && columns_->has_metrics() && columns_->is_row(text)) {
      metric(text);
    }
  }

  /// Reports before 2023 say how many SMs there are in an advice alone: "..., which is less than the GPU's 80".
  void take_units(std::string_view advice) {
    constexpr std::string_view words = "less than the GPU's ";
    const std::size_t at = advice.find(words);
    if (at == advice.npos) return;
    const std::string_view rest = advice.substr(at + words.size());
    launch_->set(NcuQuantity::sms, rest.substr(0, rest.find(' ')), {});
  }

  void metric(std::string_view text) {
    const std::string_view name = columns_->cell(text, 0);
    const std::string_view unit = columns_->cell(text, 1);
    const std::string_view value = columns_->cell(text, columns_->last());
    if (name == "Metric Name") return;
    launches_.see(value);
    const auto quantity = ncu_quantity(name, unit);
    if (!quantity) return launches_.ignore_metric(name);
    launch_->set(*quantity, value, unit);
    if (*quantity != NcuQuantity::duration || !columns_->summarise()) return;
    launch_->set(NcuQuantity::shortest, columns_->cell(text, 2), unit);
    launch_->set(NcuQuantity::longest, columns_->cell(text, 3), unit);
  }

  void end_advice() {
    if (advice_ && launch_) {
      const NcuAdvice& advice = advice_->whole();
      take_units(advice.text);
      launches_.see(advice.gain);
      launch_->advice.push_back(advice);
    }
    advice_.reset();
  }

  void end_launch() {
    end_advice();
    if (launch_) launches_.add(*launch_);
    launch_.reset();
  }

  CsvReader lines_;
  FactSink& sink_;
  NcuLaunches launches_;
  std::optional<NcuLaunch> launch_;
  std::optional<Columns> columns_;
  std::string section_;
  std::string signature_;                        ///< the line before, where it may be one
  std::set<std::string, std::less<>> sections_;  ///< of the launch
  std::optional<Advice> advice_;                 ///< of the launch, as far as it was read
};

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view totals[] = {"kernel_stats.name",  "kernel_stats.class", "kernel_stats.device",
                                       "kernel_stats.calls", "kernel_stats.total", "kernel_stats.mean",
                                       "kernel_stats.min",   "kernel_stats.max"};

constexpr auto provides = [] {
  std::array<std::string_view, std::size(ncu_facts) + std::size(totals)> all{};
  std::copy(std::begin(totals), std::end(totals), std::copy(std::begin(ncu_facts), std::end(ncu_facts), all.begin()));
  return all;
}();

}  // namespace

extern const Adapter ncu_text;
const Adapter ncu_text{
    .id = "ncu-text",
    .title = "Nsight Compute's text report: duration, utilization, occupancy and shape of each profiled kernel",
    .example = "  gemm(float *) (80, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0",
    .record = "ncu --set detailed ./app > report.txt (CSV has more digits: ncu --csv --page raw)",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
