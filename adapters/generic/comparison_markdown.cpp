// SPDX-License-Identifier: Apache-2.0
// LatencyPrism's report of a normal and an abnormal run (Markdown with pipe tables): the lengths of the cycles, sorted
// and not in the order of time; what the tool itself found; and the table of functions, as in comparison_csv.cpp, with
// numbers rounded for people: thousands separators, 6 digits or 2 decimals, `nan` and `-` for no value. Metrics have no
// units; cycles say theirs in their header. Reports may follow one another. kdiag's own comparisons have the same
// tables between others, and are read, too.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/generic/latencyprism/compared_runs.hpp"
#include "adapters/generic/latencyprism/markdown_cell.hpp"
#include "adapters/json/json.hpp"
#include "adapters/rows/piped_row.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

// Of one process under two conditions, or of two processes.
constexpr std::string_view titles[] = {"# Strict Performance Comparison", "# Cross Performance Comparison"};
constexpr std::string_view own_title = "## kdiag ", own_title_end = ": comparison";
constexpr std::size_t longest_finding = 240;  // of a note; names of functions can have a thousand characters

bool ends_with_bar(std::string_view record, std::string_view) { return trim(record).ends_with('|'); }

/// The cells of a row that has blanks around its bars: bars in names of functions have none.
std::size_t cells_between_blanks(std::string_view line) {
  std::size_t cells = 1;
  for (std::size_t at = line.find(" | "); at != line.npos; at = line.find(" | ", at + 2)) ++cells;
  return cells;
}

/// The line below a header: `|:---|---:|`.
bool is_alignment(std::string_view line) { return line.find_first_not_of("|:- \t\r") == std::string_view::npos; }

bool is_title(std::string_view line) {
  return std::any_of(std::begin(titles), std::end(titles),
                     [line](std::string_view title) { return line.starts_with(title); });
}

bool is_own_title(std::string_view line) { return line.starts_with(own_title) && trim(line).ends_with(own_title_end); }

/// Without the marks of bold text and of code.
std::string plain(std::string_view text) {
  std::string out(trim(text.substr(std::min(text.find_first_not_of("- "), text.size()))));
  std::erase_if(out, [](char c) { return c == '*' || c == '`'; });
  return out;
}

/// A column of cycles: "normal Time (us)" is ("normal", 1000).
struct CycleColumn {
  std::size_t place = 0;
  std::string_view run;
  std::int64_t unit_ns = 1;
};

std::vector<CycleColumn> cycle_columns(const std::vector<std::string_view>& names) {
  std::vector<CycleColumn> columns;
  for (std::size_t place = 0; place < names.size(); ++place) {
    const std::size_t unit = names[place].find(" Time (");
    if (unit == std::string_view::npos || !names[place].ends_with(')')) continue;
    const std::string_view name = names[place].substr(unit + 7, names[place].size() - unit - 8);
    if (const auto ns = to_base_unit(1, name, Unit::time))
      columns.push_back({place, names[place].substr(0, unit), *to_whole(*ns)});
  }
  return columns;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : csv_(input, sink, {.separator = '|', .quotes = false, .proves_end = ends_with_bar}), sink_(csv_.sink()) {}

  Status read() {
    while (csv_.next()) {
      const std::string_view line = trim(csv_.record());
      if (std::exchange(last_line_, csv_.line()) + 1 != csv_.line()) table_ = Table::none;  // blank lines between
      if (line.starts_with('|')) {
        table_line(line);
        continue;
      }
      table_ = Table::none;
      if (is_title(line) || is_own_title(line)) {
        csv_.note_cut(true);  // its tables are to follow
        start_report(is_own_title(line));
      } else if (line.starts_with(own_title)) part_ = Part::findings;
      else if (part_ == Part::tool && !csv_.note_cut()) text_line(csv_.record());
    }
    submit();
    return csv_.status();
  }

 private:
  enum class Table : std::uint8_t { none, totals, cycles, functions, other };
  /// Of a report of the tool all; of one of kdiag the comparison, then what its rules found.
  enum class Part : std::uint8_t { tool, comparison, findings };

  ComparedRuns& runs() {
    if (!runs_) runs_.emplace(sink_);
    return *runs_;
  }

  void start_report(bool own) {
    submit();
    runs();
    part_ = own ? Part::comparison : Part::tool;
  }

  void submit() {
    if (runs_) runs_->submit(++reports_);
    runs_.reset();
  }

  /// Of what the tool found, each function and how its share changed. What stands below is indented.
  void text_line(std::string_view line) {
    if (line.starts_with("- **")) {
      finding_ = plain(line);
    } else if (!finding_.empty() && line.find("(β)") != std::string_view::npos) {
      if (finding_.size() > longest_finding) finding_.replace(longest_finding, std::string::npos, "...");
      sink_.note(note_id::tool_advice, std::exchange(finding_, "") + " " + plain(line));
    }
  }

  void table_line(std::string_view line) {
    if (part_ == Part::findings) return;
    if (table_ == Table::none) {
      if (!csv_.note_cut(true) && !is_alignment(line)) start_table(piped_cells(line, std::string_view::npos));
      return;
    }
    if (table_ == Table::totals || table_ == Table::other) {
      csv_.note_cut(csv_.fields().size() < columns_ + 2);  // and what stands outside the outer bars
      return;
    }
    const std::vector<std::string_view> cells = piped_cells(line, columns_);
    if (csv_.note_cut(cells_between_blanks(line) != columns_) || is_alignment(line)) return;
    sink_.count_events(1);
    if (cells.size() < columns_) return sink_.note(note_id::malformed_value, "number of columns");
    if (table_ == Table::functions) add_function(cells);
    else add_cycles(cells);
  }

  void start_table(const std::vector<std::string_view>& names) {
    columns_ = names.size();
    table_ = Table::other;
    if (auto header = ComparisonHeader::parse(names)) {
      table_ = Table::functions;
      runs().set_header(std::move(*header));
    } else if (auto cycles = cycle_columns(names); cycles.size() == 2) {
      table_ = Table::cycles;
      cycles_ = {{cycles[0].place, {}, cycles[0].unit_ns}, {cycles[1].place, {}, cycles[1].unit_ns}};
      for (std::size_t side : {0U, 1U}) runs().set_name(side, cycles[side].run);
    } else if (names[0] == "Metric") {
      table_ = Table::totals;  // numbers of cycles and their means: the table of cycles says the same
    } else if (part_ == Part::tool) {
      sink_.note(note_id::unknown_kind, names[0]);
    }
  }

  void add_function(const std::vector<std::string_view>& cells) {
    if (part_ == Part::tool) return runs().add_row(cells);
    std::vector<std::string> texts;
    for (const std::string_view cell : cells) texts.push_back(cell_text(cell));
    runs().add_row(std::vector<std::string_view>(texts.begin(), texts.end()));
  }

  void add_cycles(const std::vector<std::string_view>& cells) {
    for (std::size_t side : {0U, 1U}) {
      std::string text(cells[cycles_[side].place]);
      if (is_missing_word(text)) continue;  // the runs have different numbers of cycles
      std::erase(text, ',');
      const auto dur = to_ns(Token{text}, cycles_[side].unit_ns);
      if (!dur || *dur < 0) sink_.note(note_id::malformed_value, "cycle");
      else runs().add_cycle(side, *dur);
    }
  }

  CsvReader csv_;  // for its lines
  FactSink& sink_;
  std::optional<ComparedRuns> runs_;
  std::size_t reports_ = 0;
  std::uint64_t last_line_ = 0;
  Table table_ = Table::none;
  Part part_ = Part::tool;
  std::size_t columns_ = 0;
  std::vector<CycleColumn> cycles_;
  std::string finding_;
};

int sniff(const Head& head) {
  const std::size_t begin = head.bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return 0;
  std::string_view rest = head.bytes.substr(begin);
  if (is_title(rest) || is_own_title(rest.substr(0, rest.find('\n')))) return 95;
  if (!rest.starts_with('|')) return 0;  // the table of functions alone
  const std::string_view line = rest.substr(0, rest.find('\n'));
  return ComparisonHeader::parse(piped_cells(line, std::string_view::npos)) ? 90 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"comparisons",
                                         "steps.dur",
                                         "devices.id",
                                         "devices.sm_clock_avg",
                                         "devices.sm_clock_normal",
                                         "devices.mem_clock_avg",
                                         "runs.cycle_time_normal",
                                         "runs.cycle_time_abnormal"};

}  // namespace

extern const Adapter comparison_markdown;
const Adapter comparison_markdown{
    .id = "comparison-markdown",
    .title = "LatencyPrism's report of a normal and an abnormal run, or kdiag's (Markdown)",
    .example = "# Strict Performance Comparison: serving (PID: 4711)",
    .record = "LatencyPrism, *_strict_comparison.md and *_cross_comparison.md",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
