// SPDX-License-Identifier: Apache-2.0
// What print(prof.key_averages().table()) prints, of torch.profiler and torch.autograd.profiler, anywhere in the output
// of a program:
//
//   -----------  ------------  ------------  ------------  ------------  ------------
//          Name    Self CPU %      Self CPU     CPU total     Self CUDA    # of Calls
//   -----------  ------------  ------------  ------------  ------------  ------------
//      aten::mm        94.47%      65.799ms      66.492ms     829.920us             1
//   -----------  ------------  ------------  ------------  ------------  ------------
//   Self CPU time total: 69.651ms
//   Self CUDA time total: 871.360us
//
// Pages make other layouts of it (averages/layout.hpp). Times are sums of a recording, with three decimals of the unit
// that their size asks for. Rows are operators, calls of the runtime, and what ran on the device; where a table has but
// its first rows (row_limit), the totals below it say more than their sum. Tables with equal totals are of one
// recording in another order. Spec: torch/autograd/profiler_util.py, and torch/autograd/profiler.py before 2021.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/pytorch/averages/layout.hpp"
#include "adapters/pytorch/averages/recording.hpp"
#include "adapters/pytorch/averages/table.hpp"
#include "adapters/rows/piped_row.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

using averages::Header;
using averages::Layout;
using averages::Recording;
using averages::Table;
using averages::Totals;

/// The totals below a table end with their unit; that a row is whole is known of the next line alone.
bool proves_end(std::string_view record, std::string_view) { return averages::parse_footer(record).has_value(); }

bool is_part_of_rule(std::string_view text) {
  text = trim(text);
  return text.starts_with("--") && text.find_first_not_of("- ") == text.npos;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : lines_(input, sink, {.separator = '\0', .quotes = false, .proves_end = proves_end}), sink_(lines_.sink()) {}

  Status read() {
    while (lines_.next()) {
      line(lines_.record());
      before_ = lines_.record();
    }
    finish_table();
    if (runs_ == 0 && !recording_) recording_.emplace(sink_);  // a table without rows
    finish_recording(runs_ > 0);
    return lines_.status();
  }

 private:
  void line(std::string_view text) {
    const bool below_rule = std::exchange(below_rule_, layout_.rule(text));
    if (below_rule_) {
      lines_.note_cut(true);  // something stands below each
      if (auto header = layout_.header(before_)) start_table(std::move(*header));
      else if (!table_.rows.empty()) header_.reset();  // the rule below the last row
      return;
    }
    const bool piped = trim(text).starts_with('|');
    if (below_rule || piped)  // a table whose second line of dashes is missing, or has bars
      if (auto header = layout_.header(text)) return start_table(std::move(*header));
    if (piped ? piped_footer(text) : footer(text)) return header_.reset();
    if (piped && is_piped_rule(text)) return void(lines_.note_cut(true));
    if (header_ && layout_.piped() && !piped) header_.reset();
    if (header_) row(text);
    else if ((below_rule || piped || is_part_of_rule(text)) && lines_.note_cut(true)) return;  // a table, or totals
    else text_behind(text);
  }

  /// Something else stands where totals would: people leave them out, and the table did not end the input.
  void text_behind(std::string_view text) {
    const bool asked = !table_.rows.empty() && !table_.complete() && !trim(text).empty();
    left_out_ = left_out_ || (asked && !lines_.note_cut());
  }

  bool footer(std::string_view text) {
    const auto footer = averages::parse_footer(text);
    if (!footer) return false;
    if (!lines_.note_cut()) (footer->device ? table_.device_total : table_.host_total) = footer->total;
    return true;
  }

  /// Totals as a page's table has them: `| Self CPU time total:<br>Self CUDA time total: | 922us<br>962us |`.
  bool piped_footer(std::string_view text) {
    constexpr std::string_view end = "<br>";
    const auto cells = piped_cells(text, text.size());
    bool any = false;
    for (std::string_view labels = cells[0], values = cells.size() > 1 ? cells[1] : ""; !labels.empty();) {
      const std::size_t label = std::min(labels.find(end), labels.size()),
                        value = std::min(values.find(end), values.size());
      const std::string line =
          std::string(trim(labels.substr(0, label))) + ' ' + std::string(trim(values.substr(0, value)));
      any = footer(line) || any;
      labels.remove_prefix(std::min(label + end.size(), labels.size()));
      values.remove_prefix(std::min(value + end.size(), values.size()));
    }
    return any;
  }

  void start_table(Header header) {
    lines_.note_cut(true);
    left_out_ = true;  // another table stands where they would
    finish_table();
    table_.device = header.device();
    header_ = std::move(header);
  }

  void row(std::string_view text) {
    const auto cells = layout_.cells(text);
    const bool complete = cells.size() == header_->columns();
    if (lines_.note_cut(!complete)) return;
    if (!complete) {
      text_behind(text);
      return sink_.note(note_id::no_log_row);
    }
    const std::string_view name = header_->name(cells);
    if (name.empty()) return;  // more of the stack of the row above
    if (std::count_if(cells.begin(), cells.end(), [](std::string_view cell) { return !cell.empty(); }) == 1) {
      text_behind(text);  // "..." for rows that somebody left out, the end of a block of code
      return name == "..." ? void() : sink_.note(note_id::no_log_row);
    }
    sink_.count_events(1);
    const Totals totals = header_->totals(cells);
    if (!totals.calls || *totals.calls < 0 || (!totals.host_self && !totals.device_self))
      return sink_.note(note_id::malformed_value, "totals");
    const averages::Shares shares = header_->shares(cells);
    table_.host_shares.add(totals.host_self.value_or(-1), shares.host);
    table_.device_shares.add(totals.device_self.value_or(-1), shares.device);
    table_.rows.push_back({layout_.piped() ? without_escapes(name) : std::string(name), totals});
    sink_.keeps(1, static_cast<std::int64_t>(sizeof(Table::Row) + name.size()));
  }

  void finish_table() {
    const bool left_out = std::exchange(left_out_, false);
    if (table_.rows.empty()) {
      table_ = {};
      return;
    }
    const bool cut = !table_.complete() && !left_out;
    // Of a cut table behind others nobody knows whether it is one of them again: it stays without.
    if (left_out || (!recording_ && runs_ == 0)) table_.derive_totals();
    if (cut || !table_.complete()) sink_.note(note_id::input_cut, "totals below the table");
    if (recording_ && !table_.same_recording(recording_->last())) finish_recording(true);
    if (!recording_) recording_.emplace(sink_);
    recording_->add(std::exchange(table_, {}));
  }

  void finish_recording(bool several) {
    if (!recording_) return;
    recording_->submit(several ? "table " + std::to_string(runs_ + 1) : "");
    recording_.reset();
    ++runs_;
  }

  CsvReader lines_;  ///< without a separator: lines
  FactSink& sink_;
  Layout layout_;
  std::string before_;       ///< the line above
  bool below_rule_ = false;  ///< whether that is a line of dashes
  std::optional<Header> header_;
  Table table_;
  bool left_out_ = false;  ///< the totals below it
  std::optional<Recording> recording_;
  int runs_ = 0;
};

/// Whether there is a header next to a line of dashes, which says where the columns are, or between bars.
int sniff(const Head& head) {
  if (head.json != 0 || head.bytes.find("Self CPU") == std::string_view::npos) return 0;
  Layout layout;
  std::string_view before;
  bool below_rule = false;
  for (std::string_view text = head.bytes; !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (trim(line).empty()) continue;
    const bool rule = layout.rule(line);
    if (rule && layout.header(before)) return 88;
    if ((below_rule || trim(line).starts_with('|')) && layout.header(line)) return 88;
    below_rule = rule;
    before = line;
  }
  return 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"op_stats",     "kernel_stats",   "copy_stats",     "api_stats",
                                         "devices.kind", "devices.vendor", "runs.host_time", "runs.device_time"};

}  // namespace

extern const Adapter key_averages;
const Adapter key_averages{
    .id = "torch-key-averages",
    .title = "Tables that torch.profiler prints: totals of operators, kernels, copies and calls by name",
    .example = "Name    Self CPU %      Self CPU   CPU total %     CPU total  ...  Self CUDA  ...  # of Calls",
    .record =
        "print(prof.key_averages().table(row_limit=-1))\n"
        "(prof.export_chrome_trace(\"trace.json\") keeps more)",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
