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
// Times are sums of a recording, with three decimals of the unit that their size asks for. Rows are operators, calls of
// the runtime, and what ran on the device; where a table has but its first rows (row_limit), the totals below it say
// more than their sum. Tables with equal totals are of one recording in another order. Spec:
// torch/autograd/profiler_util.py, and torch/autograd/profiler.py before 2021.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/io/csv.hpp"
#include "adapters/io/units.hpp"
#include "adapters/pytorch/averages/recording.hpp"
#include "adapters/pytorch/averages/table.hpp"
#include "adapters/rows/ruled_table.hpp"

namespace kdiag::adapters {
namespace {

using averages::Header;
using averages::Recording;
using averages::Table;
using averages::Totals;

/// The totals below a table end with their unit; that a row is whole is known of the next line alone.
bool proves_end(std::string_view record, std::string_view) { return averages::parse_footer(record).has_value(); }

bool is_part_of_rule(std::string_view text) {
  return text.starts_with("--") && text.find_first_not_of("- ") == text.npos;
}

/// The header above a line of dashes. Its texts may be longer than their columns ("CUDA time avg"), and are not aligned
/// with them then.
std::optional<Header> header_above(const RuledTable& ruler, std::string_view line) {
  const std::vector<std::string_view> headings = phrases(line);
  return headings.size() == ruler.columns() ? Header::parse(headings) : std::nullopt;
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
    const bool below_rule = std::exchange(below_rule_, ruler_.rule(text));
    if (below_rule_) {
      lines_.note_cut(true);  // something stands below each
      if (auto header = header_above(ruler_, before_)) start_table(std::move(*header));
      else header_.reset();  // the rule below the last row
      return;
    }
    if (const auto footer = averages::parse_footer(text)) {
      if (!lines_.note_cut()) (footer->device ? table_.device_total : table_.host_total) = footer->total;
      header_.reset();
      return;
    }
    if (header_) row(text);
    else if (below_rule || is_part_of_rule(text)) lines_.note_cut(true);  // of another table, or totals
  }

  void start_table(Header header) {
    lines_.note_cut(true);
    finish_table();
    table_.device = header.device();
    header_ = std::move(header);
  }

  void row(std::string_view text) {
    const auto cells = ruler_.cells(text);
    const bool complete = cells.size() == header_->columns();
    if (lines_.note_cut(!complete)) return;
    if (!complete) return sink_.note(note_id::no_log_row);
    const std::string_view name = header_->name(cells);
    if (name.empty()) return;  // more of the stack of the row above
    sink_.count_events(1);
    const Totals totals = header_->totals(cells);
    if (!totals.calls || *totals.calls < 0 || (!totals.host_self && !totals.device_self))
      return sink_.note(note_id::malformed_value, "totals");
    table_.rows.push_back({std::string(name), totals});
    sink_.keeps(1, static_cast<std::int64_t>(sizeof(Table::Row) + name.size()));
  }

  void finish_table() {
    if (table_.rows.empty()) {
      table_ = {};
      return;
    }
    if (!table_.complete()) sink_.note(note_id::input_cut, "totals below the table");
    if (recording_ && !table_.same_recording(last_)) finish_recording(true);
    if (!recording_) recording_.emplace(sink_);
    recording_->add(table_);
    last_ = std::exchange(table_, {});
    last_.rows.clear();
  }

  void finish_recording(bool several) {
    if (!recording_) return;
    recording_->submit(several ? "table " + std::to_string(runs_ + 1) : "");
    recording_.reset();
    ++runs_;
  }

  CsvReader lines_;  ///< without a separator: lines
  FactSink& sink_;
  RuledTable ruler_;
  std::string before_;       ///< the line above
  bool below_rule_ = false;  ///< whether that is a line of dashes
  std::optional<Header> header_;
  Table table_, last_;
  std::optional<Recording> recording_;
  int runs_ = 0;
};

/// Whether there is a header with a line of dashes below it, which say where the columns are.
int sniff(const Head& head) {
  if (head.json != 0 || head.bytes.find("Self CPU") == std::string_view::npos) return 0;
  RuledTable ruler;
  std::string_view before;
  for (std::string_view text = head.bytes; !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (ruler.rule(line) && header_above(ruler, before)) return 88;
    before = line;
    text.remove_prefix(std::min(end + 1, text.size()));
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
