// SPDX-License-Identifier: Apache-2.0
// What the host did: operators of the framework, ranges of the program, calls of CANN.
#include <set>
#include <string>
#include <vector>

#include "adapters/ascend/parts/database.hpp"
#include "adapters/ascend/parts/names.hpp"
#include "adapters/names/range_names.hpp"
#include "adapters/rows/call_rows.hpp"
#include "adapters/rows/python_frames.hpp"

namespace kdiag::adapters::ascend {
namespace {

constexpr std::string_view op_table = "PYTORCH_API";
constexpr std::string_view call_table = "CANN_API";
constexpr std::string_view mark_table = "MSTX_EVENTS";
constexpr std::string_view collection_table = "GC_RECORD";

/// Kinds of host rows by their number. ENUM_API_TYPE says the same; these are the numbers of all versions so far.
enum Kind : std::int64_t {
  runtime_call = 5000,
  hccl_call = 5500,
  node_call = 10000,
  model_call = 15000,
  acl_call = 20000,
  framework_op = 50001,
  queue_range = 50002,
  python_call = 50003,
  mark_range = 50004,
};

void add_range(Session& session, std::string_view name, const Times& times, Id thread) {
  const Row row = session.batch.add(table("annotations"));
  if (!name.empty()) session.batch.set(row, column("annotations.name"), name);
  session.batch.set(row, column("annotations.kind"), range_kind(name));
  session.batch.set(row, column("annotations.start"), times.start);
  session.batch.set(row, column("annotations.dur"), times.dur);
  if (thread) session.batch.set(row, column("annotations.thread"), session.thread(*thread));
}

/// Call stacks by their number, as texts of frames.
class CallChains {
 public:
  explicit CallChains(Session& session) : session_(session) {
    Query rows = session.database.select("PYTORCH_CALLCHAINS", {"id", "stack", "stackDepth"});
    while (rows.next())
      if (const auto id = rows.integer(0), text = rows.integer(1); id && text)
        chains_[*id].emplace(rows.integer(2).value_or(0), *text);
  }

  /// The innermost frame of a stack; a row without index when there is none.
  Row frame(std::int64_t id) {
    const auto [known, added] = frames_.try_emplace(id);
    const auto chain = chains_.find(id);
    if (!added || chain == chains_.end()) return known->second;
    std::string stack;
    for (const auto& [depth, text] : chain->second) {
      if (!stack.empty()) stack += ';';
      stack += session_.strings(text);
    }
    return known->second = stack_frame(session_.batch, stack);
  }

 private:
  Session& session_;
  std::unordered_map<std::int64_t, std::map<std::int64_t, std::int64_t>> chains_;  ///< depth -> text, innermost first
  std::unordered_map<std::int64_t, Row> frames_;
};

class OpReader {
 public:
  explicit OpReader(Session& session)
      : session_(session), batch_(session.batch), chains_(session), has_steps_(session.database.has_rows("STEP_TIME")) {
    Query rows = session.database.select("CONNECTION_IDS", {"id", "connectionId"});
    while (rows.next())
      if (const auto id = rows.integer(0), connection = rows.integer(1); id && connection)
        connections_[*id].push_back(*connection);
  }

  void read() {
    enum Place : int { start, end, global_tid, connection, name, sequence, forward_thread, shapes, chain, type };
    Query rows =
        session_.database.select(op_table, {"startNs", "endNs", "globalTid", "connectionId", "name", "sequenceNumber",
                                            "fwdThreadId", "inputShapes", "callchainId", "type"});
    while (rows.next() && session_.begin_row()) {
      const std::int64_t kind = rows.integer(type).value_or(framework_op);
      if (kind == python_call) continue;  // operators state their call stack themselves
      const auto times = session_.times(rows.integer(start), rows.integer(end), op_table);
      if (!times) continue;
      const std::string text(session_.strings(rows.integer(name)));
      if (kind == framework_op && !is_step(text)) {
        const Row op = add_op(text, *times, rows.integer(global_tid));
        issue(op, rows.integer(connection));
        set_autograd(op, rows.integer(sequence), rows.integer(forward_thread));
        set_shapes(op, session_.strings(rows.integer(shapes)));
        if (const auto id = rows.integer(chain)) set_frame(op, *id);
        if (range_kind(text) == "user") continue;  // data loading is a range, too
      }
      if (!is_step(text)) add_range(session_, text, *times, rows.integer(global_tid));
      else if (!has_steps_) add_step(batch_, parse_step_name(text)->number, times->start, times->dur);
    }
  }

 private:
  Row add_op(std::string_view name, const Times& times, Id thread) {
    const Row op = batch_.add(table("ops"));
    if (!name.empty()) batch_.set(op, column("ops.name"), name);
    batch_.set(op, column("ops.start"), times.start);
    batch_.set(op, column("ops.dur"), times.dur);
    if (thread) batch_.set(op, column("ops.thread"), session_.thread(*thread));
    return op;
  }

  /// Remembers what an operator issued; the first that states a connection counts.
  void issue(Row op, Id list) {
    if (!list) return;
    if (const auto found = connections_.find(*list); found != connections_.end())
      for (const std::int64_t connection : found->second) session_.issuers.try_emplace(connection, op);
  }

  void set_autograd(Row op, Id sequence, Id forward_thread) {
    if (!sequence || *sequence < 0) return;
    batch_.set(op, column("ops.sequence"), *sequence);
    batch_.set(op, column("ops.forward_thread"), forward_thread.value_or(0));
  }

  /// Shapes without any number are those of operators without tensors.
  void set_shapes(Row op, std::string_view shapes) {
    if (shapes.find_first_of("0123456789") != std::string_view::npos) batch_.set(op, column("ops.shapes"), shapes);
  }

  void set_frame(Row op, std::int64_t chain) {
    if (const Row frame = chains_.frame(chain); frame.index != absent_index) batch_.set(op, column("ops.frame"), frame);
  }

  Session& session_;
  Batch& batch_;
  CallChains chains_;
  bool has_steps_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> connections_;  ///< CONNECTION_IDS
};

void read_steps(Session& session) {
  Query rows = session.database.select("STEP_TIME", {"id", "startNs", "endNs"});
  while (rows.next() && session.begin_row()) {
    const auto times = session.times(rows.integer(1), rows.integer(2), "STEP_TIME");
    if (const auto id = rows.integer(0); id && times) add_step(session.batch, *id, times->start, times->dur);
  }
}

/// Ranges that the program marked. Marks without an extent are left out.
void read_marks(Session& session) {
  constexpr std::int64_t push_pop = 1, start_end = 2;  // ENUM_MSTX_EVENT_TYPE
  enum Place : int { start, end, type, message, global_tid };
  Query rows = session.database.select(mark_table, {"startNs", "endNs", "eventType", "message", "globalTid"});
  while (rows.next() && session.begin_row()) {
    const std::int64_t kind = rows.integer(type).value_or(push_pop);
    if (kind != push_pop && kind != start_end) continue;
    const auto times = session.times(rows.integer(start), rows.integer(end), mark_table);
    if (times) add_range(session, session.strings(rows.integer(message)), *times, rows.integer(global_tid));
  }
}

void read_collections(Session& session) {
  Query rows = session.database.select(collection_table, {"startNs", "endNs", "globalTid"});
  while (rows.next() && session.begin_row())
    if (const auto times = session.times(rows.integer(0), rows.integer(1), collection_table))
      add_range(session, "Python GC", *times, rows.integer(2));
}

/// As timelines spell it: "AscendCL@aclrtMemcpy", "Node@launch".
std::string layered_name(std::int64_t kind, std::string_view name) {
  switch (kind) {
    case acl_call: return "AscendCL@" + std::string(name);
    case node_call: return "Node@" + std::string(name);
    case model_call: return "Model@" + std::string(name);
    case runtime_call: return "Runtime@" + std::string(name);
    case hccl_call: return "Hccl@" + std::string(name);
    default: return std::string(name);
  }
}

}  // namespace

void read_host_ranges(Session& session) {
  if (session.database.has(op_table)) session.batch.declare(table("ops"));
  read_steps(session);
  OpReader(session).read();
  read_marks(session);
  read_collections(session);
}

void read_calls(Session& session) {
  if (!session.database.has(call_table)) return;
  Batch& batch = session.batch;
  batch.declare(table("api"));
  enum Place : int { start, end, type, global_tid, connection, name };
  Query rows = session.database.select(call_table, {"startNs", "endNs", "type", "globalTid", "connectionId", "name"});
  while (rows.next() && session.begin_row()) {
    const auto times = session.times(rows.integer(start), rows.integer(end), call_table);
    if (!times) continue;
    const std::string layered = layered_name(rows.integer(type).value_or(0), session.strings(rows.integer(name)));
    const std::string_view base = call_name(layered);
    const Row call = add_call(batch, base, times->start, times->dur, launches(base));
    if (const auto thread = rows.integer(global_tid)) batch.set(call, column("api.thread"), session.thread(*thread));
    if (const auto id = rows.integer(connection); id && *id >= 0 && *id != no_connection)
      batch.set(call, column("api.correlation"), *id);
  }
}

}  // namespace kdiag::adapters::ascend
