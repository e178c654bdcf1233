// SPDX-License-Identifier: Apache-2.0
// Tables that nccl-tests and rccl-tests print: one line per message size, with the mean time of an operation in us and
// its algorithm and bus bandwidth in decimal GB/s, out of place and in place. Spec: doc/PERFORMANCE.md of nccl-tests.
//
//     #                                                   out-of-place                  in-place
//     #       size   count   type   redop   root   time   algbw   busbw   #wrong   time   algbw   busbw   #wrong
//         1048576  262144  float     sum     -1  74.78   14.02   24.54        0   76.17   13.77   24.09       0
//
// Columns and words around the table differ between versions; lines of NCCL itself may stand between the rows.
#include <algorithm>
#include <cmath>
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
#include "adapters/json/json.hpp"
#include "adapters/names/comm_names.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::int64_t us = 1000;
constexpr std::string_view test_line = "Collective test starting: ";  // since 2.14: "... all_reduce_perf"

/// A line without what mpirun puts before it to say which process wrote it: "[1,0]<stdout>:".
std::string_view without_process_tag(std::string_view line) {
  line = trim(line);
  const std::size_t end = line.find(">:");
  return line.starts_with('[') && end != std::string_view::npos ? trim(line.substr(end + 2)) : line;
}

/// Where the columns of a table stand. A measurement has four: time, algbw, busbw and the errors found.
struct Columns {
  std::size_t count = 0;
  std::optional<std::size_t> size, type, redop, root;
  std::vector<std::size_t> times;  ///< out of place, in place

  static std::optional<Columns> parse(std::string_view line) {
    if (!line.starts_with('#')) return std::nullopt;
    const std::vector<std::string_view> names = words(line.substr(1));
    Columns columns;
    columns.count = names.size();
    for (std::size_t place = 0; place < names.size(); ++place) {
      if (names[place] == "size") columns.size = place;
      if (names[place] == "type") columns.type = place;
      if (names[place] == "redop") columns.redop = place;
      if (names[place] == "root") columns.root = place;
      if (names[place] == "time" && place + 2 < names.size() && names[place + 1] == "algbw" &&
          names[place + 2] == "busbw")
        columns.times.push_back(place);
    }
    return columns.size && !columns.times.empty() ? std::optional(columns) : std::nullopt;
  }
};

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : lines_(input, sink, {.separator = '\0', .quotes = false, .proves_end = never_ends}), sink_(lines_.sink()) {}

  Status read() {
    bool cut = false;
    while (lines_.next())
      if (lines_.note_cut()) cut = true;
      else line(without_process_tag(lines_.record()));
    if (Status status = lines_.status(); !status) return status;
    if (in_table_ && !cut) sink_.note(note_id::input_cut);  // between two lines
    RunInfo run;
    run.producer = "nccl-tests";
    sink_.run(std::move(run));
    batch_.declare(table("comms"));
    sink_.submit(0, std::move(batch_));
    return ok_status();
  }

 private:
  void line(std::string_view text) {
    if (text.starts_with('#')) return comment(text);
    const std::vector<std::string_view> cells = words(text);
    if (columns_ && cells.size() == columns_->count && to_integer(Token{cells[*columns_->size]})) return row(cells);
    sink_.note(note_id::no_log_row);
  }

  void comment(std::string_view text) {
    if (auto columns = Columns::parse(text)) {
      columns_ = std::move(columns);
      in_table_ = true;
      return;
    }
    if (const std::size_t at = text.find(test_line); at != std::string_view::npos) {
      const std::string_view test = trim(text.substr(at + test_line.size()));
      next_op_ = collective_name(test.substr(0, test.rfind("_perf")));
    }
    const std::vector<std::string_view> about = words(text.substr(1));
    if (!about.empty() && about[0] == "nThread") begin_test();
    if (about.size() > 1 && about[0] == "Rank") ++ranks_;
    if (text.find("Out of bounds values") == std::string_view::npos) return;
    in_table_ = false;
    if (text.find("FAILED") != std::string_view::npos)
      sink_.note(note_id::profiler_reported_errors, trim(text.substr(1)));
  }

  /// What stands before a table is of its own test.
  void begin_test() {
    columns_.reset();
    op_ = std::exchange(next_op_, std::nullopt);
    unnamed_.clear();
    ranks_ = 0;
  }

  /// Names the operation of a row; the rows of a test have the same.
  void name(Row comm, std::optional<std::string> op) {
    unnamed_.push_back(comm);
    if (!op) return;
    op_ = std::move(op);
    for (const Row row : unnamed_) batch_.set(row, column("comms.op"), *op_);
    unnamed_.clear();
  }

  void row(const std::vector<std::string_view>& cells) {
    sink_.count_events(1);
    const auto bytes = to_integer(Token{cells[*columns_->size]});
    for (const std::size_t at : columns_->times) {
      if (is_missing_word(cells[at])) continue;  // all-to-all and send-receive cannot be done in place
      const auto time = to_ns(Token{cells[at]}, us);
      if (!time || *time < 0) {
        sink_.note(note_id::malformed_value, "time");
        continue;
      }
      const Row comm = batch_.add(table("comms"));
      batch_.set(comm, column("comms.dur"), *time);
      if (*bytes >= 0) batch_.set(comm, column("comms.bytes"), *bytes);
      if (ranks_ > 0) batch_.set(comm, column("comms.group_size"), ranks_);
      if (columns_->type) batch_.set(comm, column("comms.dtype"), cells[*columns_->type]);
      const auto algorithm = to_real(Token{cells[at + 1]});
      const auto bus = to_real(Token{cells[at + 2]});
      name(comm, op_of(cells, algorithm, bus));
    }
  }

  /// The operation: as stated, else by what tells operations apart: whether they reduce, whether they have a root, and
  /// the factor between algorithm and bus bandwidth. What stays open is absent: an all-gather looks like an all-to-all.
  std::optional<std::string> op_of(const std::vector<std::string_view>& cells, std::optional<double> algorithm,
                                   std::optional<double> bus) const {
    if (op_) return op_;
    if (!columns_->redop) return std::nullopt;
    const bool reduces = cells[*columns_->redop] != "none";
    const bool rooted = columns_->root && to_integer(Token{cells[*columns_->root]}).value_or(-1) >= 0;
    if (rooted) return reduces ? std::optional<std::string>("reduce") : std::nullopt;
    if (!reduces || ranks_ < 2) return std::nullopt;
    // Bandwidths have two decimals: from 1 GB/s on their quotient tells 2 (n-1)/n from (n-1)/n.
    if (!algorithm || !bus || *algorithm < 1) return std::nullopt;
    const double share = static_cast<double>(ranks_ - 1) / static_cast<double>(ranks_);
    const double factor = *bus / *algorithm;
    return std::abs(factor - 2 * share) < std::abs(factor - share) ? "all_reduce" : "reduce_scatter";
  }

  CsvReader lines_;  ///< without a separator: lines
  FactSink& sink_;
  Batch batch_;
  std::optional<Columns> columns_;
  bool in_table_ = false;                    ///< the summary that ends each table has not come yet
  std::optional<std::string> op_, next_op_;  ///< of the test, of the one that is announced
  std::vector<Row> unnamed_;                 ///< rows of the test, as long as nothing says what it does
  std::int64_t ranks_ = 0;
};

/// Whether one of the lines around the first word "algbw" is a header.
int sniff(const Head& head) {
  if (head.json != 0) return 0;
  const std::size_t word = head.bytes.find("algbw");
  if (word == std::string_view::npos) return 0;
  const std::size_t begin = head.bytes.rfind('\n', word);
  const std::string_view line = head.bytes.substr(begin == std::string_view::npos ? 0 : begin + 1);
  return Columns::parse(without_process_tag(line.substr(0, line.find('\n')))) ? 85 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"comms.op", "comms.bytes", "comms.dur", "comms.dtype", "comms.group_size"};

}  // namespace

extern const Adapter nccl_tests;
const Adapter nccl_tests{
    .id = "nccl-tests",
    .title = "Tables of nccl-tests and rccl-tests: collectives by message size, with time and bus bandwidth",
    .example = "#       size         count      type   redop    root     time   algbw   busbw #wrong",
    .record = "all_reduce_perf -b 8 -e 8G -f 2 -g 8 > nccl.log",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
