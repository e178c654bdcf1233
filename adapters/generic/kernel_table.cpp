// SPDX-License-Identifier: Apache-2.0
// Kernel tables: one line per kernel in launch order, `name | latency ns  tensor  DRAM`, under a header line
// `Kernel Latency Tensor DRAM`. Made from Nsight Compute metrics: latencies are multiples of its 32 ns tick, the two
// utilizations are shares of the peak, and names are cut to 50 columns. Kernels are serialized and replayed with
// pinned clocks, so there are no start times, no streams and no gaps. A second table with rows is a second run.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t name_width = 50;  // longer names end in "..." there
constexpr std::size_t rows_per_batch = 65536;

constexpr std::string_view separators = " \t\r|";

enum class Cell : std::uint8_t { latency, tensor, dram, other };

Cell cell_of(std::string_view column) {
  if (column == "Latency") return Cell::latency;
  if (column == "Tensor") return Cell::tensor;
  return column == "DRAM" ? Cell::dram : Cell::other;
}

/// The value columns that a header line names, in order; nothing when the line is no header.
std::optional<std::vector<Cell>> header_cells(std::string_view line) {
  const std::vector<std::string_view> names = words(line, separators);
  if (names.size() < 2 || names[0] != "Kernel" || names[1] != "Latency") return std::nullopt;
  std::vector<Cell> cells;
  for (std::size_t i = 1; i < names.size(); ++i) cells.push_back(cell_of(names[i]));
  return cells;
}

/// Numbers are aligned on the right: a row as long as the one above it is not cut.
bool fills_its_line(std::string_view record, std::string_view before) {
  const std::size_t bar = record.rfind('|');
  return record.size() == before.size() && bar != record.npos && bar == before.rfind('|');
}

int sniff(const Head& head) {
  std::string_view rest = head.bytes;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    if (!trim(line).empty()) return header_cells(line) ? 95 : 0;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return 0;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : csv_(input, sink, {.separator = '|', .quotes = false, .proves_end = fills_its_line}), sink_(csv_.sink()) {}

  Status read() {
    while (csv_.next()) {
      if (auto cells = header_cells(csv_.record())) header(std::move(*cells));
      else row();
    }
    if (runs_ == 0 && header_waits_) start_run();
    submit();
    if (Status status = csv_.status(); !status || runs_ > 0 || sink_.cancelled()) return status;
    Diagnostic error;
    error.id = refusal_id::no_table_header;
    error.title = "the kernel table has no header line `Kernel Latency Tensor DRAM`";
    return error;
  }

 private:
  void header(std::vector<Cell> cells) {
    csv_.note_cut(true);
    cells_ = std::move(cells);
    header_waits_ = true;
    for (Cell cell : cells_)
      if (cell == Cell::other) sink_.note(note_id::unknown_table_column);
  }

  void start_run() {
    submit();
    header_waits_ = false;
    ++runs_;
    sequence_ = 0;
    RunInfo run;
    if (runs_ > 1) run.label = "table " + std::to_string(runs_);
    sink_.run(std::move(run));
    batch_.declare(table("kernels"));
    device_ = batch_.device(0);
    batch_.set(device_, column("devices.kind"), "GPU");
    batch_.set(device_, column("devices.clocks_pinned"), true);
  }

  void row() {
    sink_.count_events(1);
    const std::size_t bar = csv_.record().rfind('|');
    const std::string_view name = bar == std::string_view::npos ? "" : trim(csv_.record().substr(0, bar));
    const std::vector<std::string_view> values =
        name.empty() ? std::vector<std::string_view>{} : words(csv_.record().substr(bar), separators);
    if (csv_.note_cut(values.size() < cells_.size())) return;
    if (header_waits_) start_run();
    if (values.empty()) return sink_.note(note_id::malformed_value, "no name or no values");
    std::optional<std::int64_t> dur;
    std::array<std::optional<double>, 2> utilization;
    for (std::size_t i = 0; i < std::min(values.size(), cells_.size()); ++i) {
      if (cells_[i] == Cell::latency) dur = to_ns(Token{values[i]}, 1);
      else if (cells_[i] != Cell::other) utilization[cells_[i] == Cell::dram] = ratio(values[i]);
    }
    if (!dur) return sink_.note(note_id::malformed_value, "latency");
    if (*dur < 0) return sink_.note(note_id::negative_duration);
    add(name, *dur, utilization[0], utilization[1]);
  }

  /// A share of the peak, 0..1; anything else is absent, and noted unless it says so itself.
  std::optional<double> ratio(std::string_view text) {
    if (is_missing_word(text)) return std::nullopt;
    const auto number = parse_measured(text);
    if (number && number->unit.empty() && number->value >= 0 && number->value <= 1) return number->value;
    sink_.note(note_id::utilization_out_of_range);
    return std::nullopt;
  }

  void add(std::string_view name, std::int64_t dur, std::optional<double> tensor, std::optional<double> dram) {
    const Row row = batch_.add(table("kernels"));
    const Text text = batch_.text(name);
    const auto [known, added] = classes_.try_emplace(text.index);  // few names, many rows
    if (added) known->second = batch_.text(kernel_class(name));
    batch_.set(row, column("kernels.name"), text);
    batch_.set(row, column("kernels.class"), known->second);
    batch_.set(row, column("kernels.dur"), dur);
    batch_.set(row, column("kernels.device"), device_);
    if (tensor) batch_.set(row, column("kernels.tensor_util"), *tensor);
    if (dram) batch_.set(row, column("kernels.dram_util"), *dram);
    if (name.size() == name_width && name.ends_with("...")) sink_.note(note_id::cut_names);
    if (batch_.rows(table("kernels")) == rows_per_batch) submit();
  }

  void submit() {
    if (runs_ == 0) return;
    sink_.submit(sequence_++, std::exchange(batch_, Batch()));
    classes_.clear();
    device_ = batch_.device(0);
  }

  CsvReader csv_;
  FactSink& sink_;
  Batch batch_;
  Row device_;
  std::vector<Cell> cells_;
  std::unordered_map<std::uint32_t, Text> classes_;  ///< by the name's index in the batch
  std::uint64_t sequence_ = 0;
  int runs_ = 0;
  bool header_waits_ = false;  ///< for the first row of its table
};

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"kernels.name",         "kernels.class",       "kernels.dur",
                                         "kernels.device",       "kernels.tensor_util", "kernels.dram_util",
                                         "devices.clocks_pinned"};

}  // namespace

extern const Adapter kernel_table;
const Adapter kernel_table{
    .id = "kernel-table",
    .title = "Kernel tables in launch order: name, latency, tensor and DRAM utilization",
    .example = "Kernel                            Latency Tensor   DRAM",
    .record =
        "ncu --csv --page raw --metrics "
        "gpu__time_duration.sum,sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed,"
        "dram__throughput.avg.pct_of_peak_sustained_elapsed ./app, then one line per kernel: name | ns tensor dram",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
