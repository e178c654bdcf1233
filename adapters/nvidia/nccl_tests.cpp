// SPDX-License-Identifier: Apache-2.0
// Tables that nccl-tests and rccl-tests print: one line per message size, with the mean time of an operation in us and
// its algorithm and bus bandwidth in decimal GB/s, out of place and in place. Spec: doc/PERFORMANCE.md of nccl-tests.
//
//     #                                                   out-of-place                  in-place
//     #       size   count   type   redop   root   time   algbw   busbw   #wrong   time   algbw   busbw   #wrong
//         1048576  262144  float     sum     -1  74.78   14.02   24.54        0   76.17   13.77   24.09       0
//
// Columns and words around the table differ between versions; lines of NCCL itself may stand between the rows, and with
// NCCL_DEBUG=INFO within them: a row is printed in three pieces, around its two measurements. People keep pieces of
// such logs: the operation and the number of ranks are then solved from the two bandwidths.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/names/comm_names.hpp"
#include "adapters/nvidia/nccl/bandwidths.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"
#include "base/ascii.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::int64_t us = 1000;
// "# Collective test starting: all_reduce_perf" since 2.14, and "concluded" below the table.
constexpr std::string_view test_begins = "Collective test starting: ";
constexpr std::string_view test_ends = "Collective test concluded: ";
// Below the table.
constexpr std::string_view wrong_values = "Out of bounds values", average = "Avg bus bandwidth";
constexpr double bytes_per_gb = 1e9;

/// A line without the tag of Hydra and Intel MPI (mpirun -l), which stands in front of each piece that was written:
/// "[0]  1048576  262144  float  sum  -1[0]  1626.5 ...".
std::string without_piece_tags(std::string_view line) {
  const std::size_t close = line.find("] ");
  const bool tagged = line.starts_with('[') && close != line.npos && to_integer(Token{line.substr(1, close - 1)});
  if (!tagged) return std::string(line);
  const std::string_view tag = line.substr(0, close + 1);
  std::string out;
  while (!line.empty()) {
    const std::size_t next = std::min(line.find(tag), line.size());
    const std::string_view behind = line.substr(std::min(next + tag.size(), line.size()));
    const bool of_nccl = behind.starts_with(" NCCL ");  // "node:377:401 [0] NCCL INFO ...": the device
    out.append(line.substr(0, next)).append(of_nccl ? tag : next < line.size() ? " " : "");
    line = behind;
  }
  return out;
}

/// A line without what a launcher puts before it to say which process wrote it: "[1,0]<stdout>:" of mpirun, "host 0: "
/// and "0: " of others.
std::string_view without_process_tag(std::string_view line) {
  line = trim(line);
  const std::size_t end = line.find(">:");
  if (line.starts_with('[') && end != std::string_view::npos) return trim(line.substr(end + 2));
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return line;
  const std::vector<std::string_view> before = words(line.substr(0, colon));
  const bool tag = !before.empty() && before.size() <= 2 && to_integer(Token{before.back()});
  return tag ? trim(line.substr(colon + 2)) : line;
}

/// Where a message of NCCL begins, "host:377:401 [0] NCCL INFO ..."; npos when the line has none. It may follow a cell
/// at once, "-1host:377:401 ...".
std::size_t nccl_message(std::string_view line) {
  constexpr std::string_view missing = "N/A";
  const std::size_t bracket = line.find("] NCCL ");
  const std::size_t device = bracket == line.npos ? bracket : line.rfind('[', bracket);
  if (device == line.npos) return line.npos;
  const std::string_view before = trim(line.substr(0, device));
  const std::size_t blank = before.find_last_of(" \t");
  const std::size_t begin = blank == before.npos ? 0 : blank + 1;
  const std::string_view process = before.substr(begin);
  if (std::count(process.begin(), process.end(), ':') < 2) return line.npos;
  if (begin == 0) return 0;
  std::size_t cell = process.starts_with('-') ? 1 : 0;
  while (cell < process.size() && is_digit(process[cell])) ++cell;
  return begin + (process.starts_with(missing) ? missing.size() : cell);
}

std::optional<std::string> operation_of(std::string_view test) {
  test = trim(test);
  return collective_name(test.substr(0, test.rfind("_perf")));
}

/// The operation that a command runs, "CUDA_VISIBLE_DEVICES=1,2 ./build/all_reduce_perf -b 1G -g 2", which stands above
/// its table where people keep both.
std::optional<std::string> operation_of_command(const std::vector<std::string_view>& line) {
  for (const std::string_view word : line)
    if (word.ends_with("_perf"))
      if (const std::string_view program = word.substr(word.rfind('/') + 1); operation_of(program))
        return operation_of(program);
  return std::nullopt;
}

std::string_view word_behind(std::string_view line, std::string_view mark) {
  const std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = trim(line.substr(at + mark.size()));
  return rest.substr(0, rest.find(' '));
}

/// A line without the "#" that begins all but the rows, and that documents lose.
std::string_view without_mark(std::string_view line) { return line.starts_with('#') ? line.substr(1) : line; }

/// The devices that the lines "#  Rank  0 Group  0 Pid    377 on host device  6 [0xd6] NVIDIA A100-SXM4-40GB" list.
struct RankList {
  std::int64_t count = 0;
  bool complete = true;  ///< from rank 0 on, without gaps
  std::string model;     ///< empty where they differ, stand in several nodes (bound by their network), or are shared
  bool shared = false;   ///< two ranks use the same device
  std::string host;
  std::int64_t device = 0;
  std::set<std::string> places;  ///< "node 0000:1b:00]" of each device

  void add(std::string_view line, std::int64_t rank) {
    const std::size_t bracket = line.find(']');
    const std::string_view name =
        bracket == std::string_view::npos ? std::string_view{} : trim(line.substr(bracket + 1));
    const std::string_view node = word_behind(line, " on ");
    const std::string_view address = word_behind(line, "[");
    if (address.find(':') != std::string_view::npos)  // with its domain: without it several are "[0x00]"
      shared = !places.insert(std::string(node) + ' ' + std::string(address)).second || shared;
    complete = complete && rank == count;
    if (count++ > 0) {
      if (model != name || host != node || shared) model.clear();
      return;
    }
    model = name;
    host = node;
    device = to_integer(Token{word_behind(line, " device ")}).value_or(0);
  }
  std::optional<std::int64_t> size() const { return complete && count > 0 ? std::optional(count) : std::nullopt; }
};

/// Where the columns of a table stand. A measurement has four: time, algbw, busbw and the errors found.
struct Columns {
  std::size_t count = 0;
  std::optional<std::size_t> size, type, redop, root;
  std::vector<std::size_t> times;  ///< out of place, in place

  /// Whether a row has so many cells: all, or those of the first measurement where a test makes no second one.
  bool holds(std::size_t cells) const { return cells == count || (times.size() > 1 && cells == times[1]); }

  static std::optional<Columns> parse(std::string_view line) {
    const std::vector<std::string_view> names = words(without_mark(line));
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
      else line(without_process_tag(without_piece_tags(trim(lines_.record()))));
    if (Status status = lines_.status(); !status) return status;
    if (in_table_ && !cut) sink_.note(torn_ ? note_id::input_cut : note_id::no_summary);
    end_test();
    RunInfo run;
    run.producer = "nccl-tests";
    sink_.run(std::move(run));
    batch_.declare(table("comms"));
    sink_.submit(0, std::move(batch_));
    return ok_status();
  }

 private:
  void line(std::string_view text) {
    torn_ = false;
    if (const std::size_t message = nccl_message(text); message != text.npos)
      return piece_of_row(trim(text.substr(0, message)));
    const std::string joined = std::exchange(pieces_, {}) + std::string(text);
    if (text.starts_with('#')) return comment(text);
    const std::vector<std::string_view> cells = words(text);
    if (is_row(cells)) return row(cells);
    if (const auto whole = words(joined); is_row(whole)) return row(whole);
    if (Columns::parse(text) || text.find(wrong_values) != std::string_view::npos ||
        text.find(average) != std::string_view::npos)
      return comment(text);
    if (auto op = operation_of_command(cells)) {
      if (in_table_) next_op_ = std::move(op);  // it may be a word of another program: the table goes on
      else begin_test(std::move(op));
    }
    torn_ = columns_ && !cells.empty() && to_integer(Token{cells.front()});
    sink_.note(note_id::no_log_row);
  }

  bool is_row(const std::vector<std::string_view>& cells) const {
    return columns_ && columns_->holds(cells.size()) && to_integer(Token{cells[*columns_->size]});
  }

  /// What stood before a message of NCCL, which tears a row.
  void piece_of_row(std::string_view piece) {
    constexpr std::size_t longest = 1024;  // of a row, which has less than half of it (judgement)
    sink_.note(note_id::no_log_row);
    if (columns_ && !piece.empty() && pieces_.size() + piece.size() < longest) (pieces_ += piece) += ' ';
    torn_ = !pieces_.empty();
  }

  void begin_test(std::optional<std::string> op) {
    if (!test_.rows.empty()) end_test();
    test_.op = std::move(op);
  }

  void comment(std::string_view text) {
    if (auto columns = Columns::parse(text)) {
      if (!test_.rows.empty()) end_test();
      if (!test_.op) test_.op = std::move(next_op_);
      next_op_.reset();
      columns_ = std::move(columns);
      in_table_ = true;
      return;
    }
    const std::vector<std::string_view> about = words(without_mark(text));
    if (const std::size_t at = text.find(test_begins); at != std::string_view::npos) {
      end_test();
      test_.op = operation_of(text.substr(at + test_begins.size()));
    }
    if (const std::size_t at = text.find(test_ends); at != std::string_view::npos) {
      if (!test_.op) test_.op = operation_of(text.substr(at + test_ends.size()));
      in_table_ = false;
    }
    if (!about.empty() && about[0] == "nThread") begin_list();
    if (about.size() > 1 && about[0] == "Rank")
      if (const auto rank = to_integer(Token{about[1]})) {
        if (!test_.rows.empty()) begin_list();
        test_.ranks.add(text, *rank);
      }
    if (text.find(average) != std::string_view::npos) in_table_ = false;
    if (text.find(wrong_values) == std::string_view::npos) return;
    in_table_ = false;
    if (text.find("FAILED") != std::string_view::npos) sink_.note(note_id::wrong_results, trim(without_mark(text)));
  }

  /// What stands before a table is of its own test.
  void begin_list() {
    if (!test_.rows.empty()) end_test();
    test_.ranks = RankList();
  }

  /// What the rows of a test have in common is known when all of its lines were seen.
  void end_test() {
    std::optional<std::int64_t> ranks = test_.ranks.size();
    std::optional<std::string> op = test_.op;
    if (!op && test_.reduces && test_.rooted) op = "reduce";
    if (!op && test_.reduces && !test_.rooted)
      if (const std::string_view solved = test_.factor.reduction(ranks); !solved.empty()) op = solved;
    if (!ranks && op) ranks = test_.factor.ranks(*op);
    if (!ranks && test_.factor.single_rank()) ranks = 1;
    std::optional<Row> device;
    if (test_.ranks.shared) sink_.note(note_id::shared_device, test_.ranks.host);
    if (test_.ranks.count > 0) {
      device = batch_.device(test_.ranks.device);
      if (!test_.ranks.model.empty()) batch_.set(*device, column("devices.name"), test_.ranks.model);
      batch_.set(*device, column("devices.kind"), "GPU");
    }
    for (const Row comm : test_.rows) {
      if (op) batch_.set(comm, column("comms.op"), *op);
      if (ranks) batch_.set(comm, column("comms.group_size"), *ranks);
      if (device) batch_.set(comm, column("comms.device"), *device);
    }
    test_ = Test();
    columns_.reset();
  }

  void row(const std::vector<std::string_view>& cells) {
    sink_.count_events(1);
    const auto bytes = to_integer(Token{cells[*columns_->size]});
    // An all-gather looks like an all-to-all: without a word on the operation, only those that reduce can be told.
    test_.reduces = columns_->redop && cells[*columns_->redop] != "none";
    test_.rooted = columns_->root && to_integer(Token{cells[*columns_->root]}).value_or(-1) >= 0;
    for (const std::size_t at : columns_->times) {
      if (at + 2 >= cells.size()) break;
      if (is_missing_word(cells[at])) continue;  // all-to-all and send-receive cannot be done in place
      const auto time = to_ns(Token{cells[at]}, us);
      if (!time || *time < 0) {
        sink_.note(note_id::malformed_value, "time");
        continue;
      }
      const Row comm = batch_.add(table("comms"));
      test_.rows.push_back(comm);
      batch_.set(comm, column("comms.dur"), *time);
      if (*bytes >= 0) batch_.set(comm, column("comms.bytes"), *bytes);
      if (columns_->type) batch_.set(comm, column("comms.dtype"), cells[*columns_->type]);
      const auto algorithm = to_real(Token{cells[at + 1]});
      const auto bus = to_real(Token{cells[at + 2]});
      if (algorithm && bus) test_.factor.add(*algorithm, *bus);
      if (bus && *bus > 0) batch_.set(comm, column("comms.bus_bw"), *bus * bytes_per_gb);
    }
  }

  struct Test {
    std::optional<std::string> op;  ///< as stated
    bool reduces = false, rooted = false;
    RankList ranks;
    nccl::BandwidthFactor factor;
    std::vector<Row> rows;
  };

  CsvReader lines_;  ///< without a separator: lines
  FactSink& sink_;
  Batch batch_;
  std::optional<Columns> columns_;
  std::string pieces_;                  ///< of a row that messages of NCCL tear
  bool torn_ = false;                   ///< the last line is the beginning of a row
  bool in_table_ = false;               ///< the summary that ends each table has not come yet
  std::optional<std::string> next_op_;  ///< of a command that stands behind rows
  Test test_;                           ///< the current one
};

/// Whether one of the lines around the first word "algbw" is a header.
int sniff(const Head& head) {
  if (head.json != 0) return 0;
  const std::size_t word = head.bytes.find("algbw");
  if (word == std::string_view::npos) return 0;
  const std::size_t begin = head.bytes.rfind('\n', word);
  const std::string_view line = head.bytes.substr(begin == std::string_view::npos ? 0 : begin + 1);
  return Columns::parse(without_process_tag(without_piece_tags(line.substr(0, line.find('\n'))))) ? 85 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"comms.op",     "comms.bytes",      "comms.dur",
                                         "comms.dtype",  "comms.group_size", "comms.bus_bw",
                                         "comms.device", "devices.name",     "devices.kind"};

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
