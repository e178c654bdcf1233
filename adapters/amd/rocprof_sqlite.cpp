// SPDX-License-Identifier: Apache-2.0
// `results.db` of rocprof (v1) with a trace: the records behind its results.json as SQLite tables, in ns of the
// machine's clock. HIP, HSA and KFD hold calls, OPS kernels, COPY copies, rocTX markers; the index of a kernel or copy
// is that of the HIP call behind it, whose arguments stand in its row as text: "( dst(0x7f..) sizeBytes(4096)
// kind(1))". Spec: the tool's own script that fills them. Counters, table A, are in results.csv, which rocprof-csv
// reads.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/amd/common/amd_events.hpp"
#include "adapters/io/sqlite.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters {
namespace {

using amd::Number;

constexpr std::string_view hip_table = "HIP";
constexpr std::string_view call_tables[] = {hip_table, "HSA", "KFD"};
constexpr std::string_view kernel_table = "OPS";
constexpr std::string_view copy_table = "COPY";
constexpr std::string_view marker_table = "rocTX";
constexpr std::string_view axes[] = {"x", "y", "z"};

/// What stands behind "name(" up to the next bracket: "4096" of "sizeBytes(4096)".
std::string_view argument(std::string_view arguments, std::string_view name) {
  for (std::size_t at = arguments.find(name); at != arguments.npos; at = arguments.find(name, at + 1)) {
    const std::size_t open = at + name.size();
    const bool whole = at == 0 || arguments[at - 1] == ' ' || arguments[at - 1] == '{' || arguments[at - 1] == '(';
    if (whole && open < arguments.size() && arguments[open] == '(')
      return arguments.substr(open + 1, arguments.find_first_of(")}", open + 1) - open - 1);
  }
  return {};
}

Number number(std::string_view text) { return parse_number<std::int64_t>(text); }

/// "numBlocks({z(1) y(2) x(3}) ...".
std::array<Number, 3> extent(std::string_view arguments, std::string_view name) {
  std::array<Number, 3> found;
  std::size_t at = arguments.find(std::string(name) + "({");
  if (at == arguments.npos) return found;
  at += name.size() + 1;
  const std::string_view text = arguments.substr(at, arguments.find("})", at) - at + 1);
  for (std::size_t i = 0; i < 3; ++i) found[i] = number(argument(text, axes[i]));
  return found;
}

/// What a call asked for.
struct Request {
  Number bytes, shared_memory;
  std::array<Number, 3> blocks, threads;
};

class Reader {
 public:
  Reader(const Database& database, FactSink& sink)
      : database_(database), events_(sink), has_hip_(database.has(hip_table)) {}

  void read() {
    for (std::string_view name : call_tables) read_calls(name);
    read_kernels();
    read_copies();
    read_markers();
    declare_tables();
    events_.finish();
  }

 private:
  void read_calls(std::string_view name) {
    enum Place : int { begin, end, pid, tid, function, arguments, index };
    Query rows = database_.select(name, {"BeginNs", "EndNs", "pid", "tid", "Name", "args", "Index"});
    while (rows.next() && events_.begin_record()) {
      const auto when = events_.times(rows.integer(begin), rows.integer(end), name);
      if (!when) continue;
      amd::Call call{rows.text(function).value_or(""), *when, thread(rows.integer(pid), rows.integer(tid)), {}};
      if (name == hip_table) {
        call.correlation = rows.integer(index);
        if (call.correlation) remember(*call.correlation, rows.text(arguments).value_or(""));
      }
      events_.add(call);
    }
  }

  void remember(std::int64_t call, std::string_view arguments) {
    Request request{number(argument(arguments, "sizeBytes")), number(argument(arguments, "sharedMemBytes")),
                    extent(arguments, "numBlocks"), extent(arguments, "dimBlocks")};
    if (request.bytes || request.blocks[0]) requests_.emplace(call, request);
  }

  void read_kernels() {
    enum Place : int { begin, end, device, queue, function, index };
    Query rows = database_.select(kernel_table, {"BeginNs", "EndNs", "dev-id", "queue-id", "Name", "Index"});
    while (rows.next() && events_.begin_record()) {
      const auto when = events_.times(rows.integer(begin), rows.integer(end), kernel_table);
      if (!when) continue;
      amd::Dispatch kernel{.name = rows.text(function).value_or(""),
                           .device = rows.integer(device),
                           .queue = rows.integer(queue),
                           .start = when->start,
                           .dur = when->dur,
                           .correlation = call_of(rows.integer(index))};
      if (amd::is_queue_packet(kernel.name)) {
        events_.sink.note(note_id::unknown_kind, kernel.name);
        continue;
      }
      if (const Request* request = request_of(kernel.correlation)) {
        kernel.blocks = request->blocks;
        kernel.threads = request->threads;
        kernel.shared_memory = request->shared_memory;
      }
      events_.add(kernel);
    }
  }

  void read_copies() {
    enum Place : int { begin, end, device, queue, direction, index };
    Query rows = database_.select(copy_table, {"BeginNs", "EndNs", "dev-id", "queue-id", "Name", "Index"});
    while (rows.next() && events_.begin_record()) {
      const auto when = events_.times(rows.integer(begin), rows.integer(end), copy_table);
      if (!when) continue;
      amd::Copy copy{.direction = rows.text(direction).value_or(""),
                     .device = rows.integer(device),
                     .queue = rows.integer(queue),
                     .when = *when,
                     .correlation = call_of(rows.integer(index))};
      if (copy.direction.starts_with("Fill")) {
        events_.add(amd::Fill{copy.device, copy.queue, *when, copy.correlation});
        continue;
      }
      if (const Request* request = request_of(copy.correlation)) copy.bytes = request->bytes;
      events_.add(copy);
    }
  }

  void read_markers() {
    enum Place : int { begin, end, pid, tid, message };
    Query rows = database_.select(marker_table, {"BeginNs", "EndNs", "pid", "tid", "Name"});
    while (rows.next() && events_.begin_record())
      if (const auto when = events_.times(rows.integer(begin), rows.integer(end), marker_table))
        events_.add(amd::Range{rows.text(message).value_or(""), *when, thread(rows.integer(pid), rows.integer(tid))});
  }

  /// A table is there for what was traced only.
  void declare_tables() {
    if (has_hip_) events_.batch.declare(table("api"));
    if (events_.work_is_missing()) return events_.sink.note(note_id::no_device_work);
    if (database_.has(kernel_table))
      for (const TableId id : {table("kernels"), table("comms")}) events_.batch.declare(id);
    if (database_.has(copy_table)) events_.batch.declare(table("copies"));
  }

  /// The HIP call that an index is of; without a trace of HIP it numbers something else.
  Number call_of(Number index) const { return has_hip_ ? index : std::nullopt; }

  static std::optional<amd::Thread> thread(Number process, Number id) {
    return process && id ? std::optional(amd::Thread{*process, *id}) : std::nullopt;
  }

  const Request* request_of(Number call) const {
    const auto found = requests_.find(call.value_or(-1));
    return found == requests_.end() ? nullptr : &found->second;
  }

  const Database& database_;
  amd::Events events_;
  bool has_hip_;
  std::unordered_map<std::int64_t, Request> requests_;  ///< by call
};

int sniff(const Head& head) {
  const bool work = head.has_table(kernel_table) || head.has_table(copy_table);
  const bool calls = std::any_of(std::begin(call_tables), std::end(call_tables),
                                 [&head](std::string_view name) { return head.has_table(name); });
  return work && (calls || head.has_table("KERN")) ? 85 : 0;
}

Status read(Input& input, FactSink& sink) {
  Result<Database> opened = Database::open(input, sink);
  if (!opened) return opened.error();
  const Database database = std::move(*opened);
  RunInfo run;
  run.producer = "rocprof";
  run.clock = ClockDomain::device;
  sink.run(std::move(run));
  Reader(database, sink).read();
  return ok_status();
}

constexpr std::string_view provides[] = {"devices", "streams", "threads", "steps", "kernels",    "copies",
                                         "memsets", "api",     "ops",     "comms", "annotations"};

}  // namespace

extern const Adapter rocprof_sqlite;
const Adapter rocprof_sqlite{
    .id = "rocprof-sqlite",
    .title = "results.db of rocprof v1: calls, kernels, copies, markers",
    .example = "results.db: tables HIP, OPS, COPY, KERN",
    .record = "rocprof --hip-trace --roctx-trace ./app",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
