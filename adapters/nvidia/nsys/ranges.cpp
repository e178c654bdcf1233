// SPDX-License-Identifier: Apache-2.0
// Named ranges of the host: NVTX with the operators and steps among them, calls of cuDNN and cuBLAS, the profiler's own
// cost.
#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/names/range_names.hpp"
#include "adapters/names/torch_ops.hpp"
#include "adapters/nvidia/nsys/tables.hpp"
#include "adapters/rows/step_ranges.hpp"

namespace kdiag::adapters::nsys {
namespace {

constexpr std::string_view range_table = "NVTX_EVENTS";
constexpr std::string_view overhead_table = "PROFILER_OVERHEAD";
constexpr std::string_view library_tables[] = {"CUDNN_EVENTS", "CUBLAS_EVENTS"};

// ENUM_NSYS_EVENT_TYPE: what rows of NVTX_EVENTS are. Others are marks, names and categories.
constexpr std::int64_t domain_created = 75;
constexpr std::int64_t range_types[] = {59, 60, 70, 71};  // push/pop and start/end, recorded and imported

bool is_range(std::int64_t type) {
  return std::find(std::begin(range_types), std::end(range_types), type) != std::end(range_types);
}

Row add_range(Session& session, std::string_view name, std::string_view kind, std::int64_t start) {
  const Row row = session.batch.add(table("annotations"));
  if (!name.empty()) session.batch.set(row, column("annotations.name"), name);
  session.batch.set(row, column("annotations.kind"), kind);
  session.batch.set(row, column("annotations.start"), start);
  return row;
}

/// Length of the capture: ranges that the program never closed end there.
std::optional<std::int64_t> capture_length(const Session& session) {
  Query rows = session.database.select("ANALYSIS_DETAILS", {"duration"});
  return rows.next() ? rows.integer(0) : std::nullopt;
}

class NvtxReader {
 public:
  explicit NvtxReader(Session& session) : session_(session), capture_end_(capture_length(session)) {}

  void read() {
    enum Place : int { start, end, type, text, text_id, global_tid, domain };
    Query rows =
        session_.database.select(range_table, {"start", "end", "eventType", "text", "textId", "globalTid", "domainId"});
    while (rows.next() && session_.begin_row()) {
      std::string_view name = rows.text(text).value_or("");
      if (name.empty()) name = session_.strings(rows.integer(text_id));
      const std::int64_t thread = rows.integer(global_tid).value_or(0);
      const Domain domain_key{global_process(thread), rows.integer(domain).value_or(0)};
      const std::int64_t kind = rows.integer(type).value_or(0);
      if (kind == domain_created) domains_.try_emplace(domain_key, name);
      if (is_range(kind)) range(name, domain_key, thread, rows.integer(start), rows.integer(end));
    }
    steps_.add_steps(session_.batch);
  }

 private:
  using Domain = std::pair<std::int64_t, std::int64_t>;  ///< process and number

  void range(std::string_view text, const Domain& domain, std::int64_t thread, Session::Id start, Session::Id end) {
    const Times times = session_.times(start, end);
    if (!times.start || (end && !times.dur))
      return session_.sink.note(start && end && *end < *start ? note_id::negative_duration : note_id::malformed_value,
                                range_table);
    const bool closed = times.dur && end != capture_end_;
    if (const auto op = parse_torch_op(text); op && closed) {
      const Row row = add_op(session_.batch, *op, *times.start, *times.dur);
      if (thread != 0) session_.batch.set(row, column("ops.thread"), session_.thread(thread));
      return;
    }
    const std::string name = full_name(text, domain);
    const Row row = add_range(session_, name, range_kind(name), *times.start);
    if (closed) session_.batch.set(row, column("annotations.dur"), *times.dur);
    else session_.sink.note(note_id::range_without_end);
    if (thread != 0) session_.batch.set(row, column("annotations.thread"), session_.thread(thread));
    steps_.add(text, thread, *times.start, closed ? end : std::nullopt);
  }

  /// As `nsys stats` prints it: "NCCL:ncclAllReduce"; ranges of no domain by their text alone.
  std::string full_name(std::string_view text, const Domain& domain) const {
    const auto found = domains_.find(domain);
    if (found == domains_.end() || found->second.empty()) return std::string(text);
    return found->second + ':' + std::string(text);
  }

  Session& session_;
  Session::Id capture_end_;
  std::map<Domain, std::string> domains_;
  StepRanges steps_;
};

void read_libraries(Session& session) {
  enum Place : int { start, end, global_tid, name_id };
  for (std::string_view library : library_tables) {
    Query rows = session.database.select(library, {"start", "end", "globalTid", "nameId"});
    while (rows.next() && session.begin_row()) {
      const auto times = session.host_times(rows.integer(start), rows.integer(end), library);
      if (!times) continue;
      const Row row = add_range(session, session.strings(rows.integer(name_id)), "user", *times->start);
      session.batch.set(row, column("annotations.dur"), *times->dur);
      if (const auto thread = rows.integer(global_tid))
        session.batch.set(row, column("annotations.thread"), session.thread(*thread));
    }
  }
}

void read_overhead(Session& session) {
  enum Place : int { start, end, name_id };
  Query rows = session.database.select(overhead_table, {"start", "end", "nameId"});
  while (rows.next() && session.begin_row()) {
    const auto times = session.host_times(rows.integer(start), rows.integer(end), overhead_table);
    if (!times) continue;
    const Row row = add_range(session, session.strings(rows.integer(name_id)), "overhead", *times->start);
    session.batch.set(row, column("annotations.dur"), *times->dur);
  }
}

}  // namespace

void read_ranges(Session& session) {
  NvtxReader(session).read();
  read_libraries(session);
  read_overhead(session);
}

}  // namespace kdiag::adapters::nsys
