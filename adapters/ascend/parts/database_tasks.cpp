// SPDX-License-Identifier: Apache-2.0
// What devices did. TASK holds everything that a device's scheduler carried out; what a task was stands in other
// tables: COMPUTE_TASK_INFO describes kernels, COMMUNICATION_TASK_INFO the parts of collectives, MEMCPY_INFO copies.
// Tasks that none of them describes are waits and marks, the frames that collectives run in, and the scheduler's shares
// of kernels that use both kinds of cores: none is work of its own.
#include <string>

#include <kdiag/note_ids.hpp>

#include "adapters/ascend/parts/database.hpp"
#include "adapters/ascend/parts/names.hpp"
#include "adapters/ascend/parts/plane_waits.hpp"
#include "adapters/ascend/parts/tasks.hpp"
#include "adapters/names/comm_names.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/text/instants.hpp"

namespace kdiag::adapters::ascend {
namespace {

constexpr std::string_view task_table = "TASK";
constexpr std::string_view collective_table = "COMMUNICATION_OP";

struct WorkColumns {
  TableId table;
  ColumnId start, dur, device, stream, correlation, op;
};
constexpr WorkColumns kernels{table("kernels"),         column("kernels.start"),  column("kernels.dur"),
                              column("kernels.device"), column("kernels.stream"), column("kernels.correlation"),
                              column("kernels.op")};
constexpr WorkColumns copies{table("copies"),         column("copies.start"),  column("copies.dur"),
                             column("copies.device"), column("copies.stream"), column("copies.correlation"),
                             column("copies.op")};
constexpr WorkColumns memsets{table("memsets"),         column("memsets.start"),  column("memsets.dur"),
                              column("memsets.device"), column("memsets.stream"), column("memsets.correlation"),
                              column("memsets.op")};

class Reader {
 public:
  explicit Reader(Session& session) : session_(session), batch_(session.batch) {
    read_kernel_names();
    read_matrix_shares();
    read_copies();
    Query rows = session.database.select(collective_table, {"connectionId", "startNs", "endNs", "opId"});
    while (rows.next()) {
      if (const auto connection = rows.integer(0)) collective_devices_.try_emplace(*connection);
      if (const auto span = span_of(rows.integer(1), rows.integer(2), rows.integer(3), whole))
        waits_.add_collective(*span);
    }
    read_parts();
  }

  void read_tasks() {
    enum Place : int { start, end, device, connection, id, type, stream };
    Query rows = session_.database.select(
        task_table, {"startNs", "endNs", "deviceId", "connectionId", "globalTaskId", "taskType", "streamId"});
    while (rows.next() && session_.begin_row()) {
      const std::int64_t number = rows.integer(id).value_or(-1);
      add_part(number, rows.integer(start), rows.integer(end));
      const Id on = rows.integer(device), link = rows.integer(connection);
      const auto collective = collective_devices_.find(link.value_or(-1));
      if (collective != collective_devices_.end()) collective->second = on;
      const std::string_view stated = session_.strings(rows.integer(type));
      const WorkColumns* columns = kind_of(number, stated, collective != collective_devices_.end());
      if (columns == nullptr) continue;
      const Row row = add_work(*columns, rows.integer(start), rows.integer(end), on, link);
      if (const Id queue = rows.integer(stream); queue && on)
        batch_.set(row, columns->stream, batch_.stream(session_.device(*on), *queue));
      if (columns == &kernels) describe_kernel(row, number, stated);
      else if (columns == &copies) describe_copy(row, number);
    }
  }

  void read_collectives() {
    enum Place : int { name, start, end, connection, group, type, algorithm, count, device, id };
    Query rows = session_.database.select(collective_table, {"opName", "startNs", "endNs", "connectionId", "groupName",
                                                             "dataType", "algType", "count", "deviceId", "opId"});
    TextTable element_types(session_.database, "ENUM_HCCL_DATA_TYPE", "id", "name");
    waits_.settle();
    while (rows.next() && session_.begin_row()) {
      const Id link = rows.integer(connection);
      Id on = rows.integer(device);
      if (!on && link) on = collective_devices_[*link];
      const Row kernel = add_work(kernels, rows.integer(start), rows.integer(end), on, link);
      const std::string text(session_.strings(rows.integer(name)));
      if (!text.empty()) batch_.set(kernel, column("kernels.name"), text);
      batch_.set(kernel, column("kernels.class"), "communication");
      const Row comm = batch_.add(table("comms"));
      batch_.set(comm, column("comms.kernel"), kernel);
      if (const auto op = collective_name(text)) batch_.set(comm, column("comms.op"), *op);
      const CollectiveName parts = parse_collective(text);
      std::string_view members = session_.strings(rows.integer(group));
      if (members.empty()) members = parts.group;
      if (!members.empty()) batch_.set(comm, column("comms.group"), members);
      if (parts.sequence) batch_.set(comm, column("comms.seq"), *parts.sequence);
      if (const auto span = span_of(rows.integer(start), rows.integer(end), rows.integer(id), whole))
        if (const auto waited = waits_.in(*span)) set_wait(batch_, comm, *waited);
      set_message(batch_, comm, element_types(rows.integer(type)), rows.integer(count).value_or(-1));
      if (const std::string_view how = session_.strings(rows.integer(algorithm)); !how.empty())
        batch_.set(comm, column("comms.algorithm"), how);
    }
  }

 private:
  struct Copy {
    std::string kind;
    Id bytes;
  };

  /// A part of a collective, on one of its planes.
  struct Part {
    Id collective, type;
    std::int64_t plane, peer;
  };
  static constexpr std::int64_t whole = -1;  ///< the row of a collective, before those of its planes

  /// Nothing without times: what it waited is not known then.
  static std::optional<Span> span_of(Id start, Id end, Id collective, std::int64_t row) {
    start = in_range(start);
    if (!start || !in_range(end) || *end < *start || !collective) return std::nullopt;
    return Span{.start = *start, .dur = *end - *start, .row = {*collective, row}};
  }

  void read_parts() {
    Query rows =
        session_.database.select("COMMUNICATION_TASK_INFO", {"globalTaskId", "opId", "taskType", "planeId", "dstRank"});
    while (rows.next())
      if (const Id id = rows.integer(0); id && rows.integer(3).value_or(-1) >= 0)
        parts_.try_emplace(
            *id, Part{rows.integer(1), rows.integer(2), *rows.integer(3), peer_of(rows.integer(4).value_or(-1))});
    session_.sink.keeps(1, static_cast<std::int64_t>(parts_.size() * sizeof(*parts_.begin())));
  }

  void add_part(std::int64_t task, Id start, Id end) {
    const auto part = parts_.find(task);
    if (part == parts_.end()) return;
    if (const auto span = span_of(start, end, part->second.collective, part->second.plane))
      waits_.add_part(*span, session_.strings(part->second.type), part->second.peer);
  }

  void read_kernel_names() {
    Query rows = session_.database.select("COMPUTE_TASK_INFO", {"globalTaskId", "name"});
    while (rows.next())
      if (const Id id = rows.integer(0)) names_.try_emplace(*id, rows.integer(1));
  }

  /// Share of the core's cycles in which its matrix unit worked: the counter of newer and of older chips.
  void read_matrix_shares() {
    Query rows = session_.database.select("TASK_PMU_INFO", {"globalTaskId", "name", "value"});
    while (rows.next()) {
      const std::string_view counter = session_.strings(rows.integer(1));
      const auto share = rows.real(2);
      const Id id = rows.integer(0);
      if (id && share && *share >= 0 && *share <= 1 && (counter == "aic_mac_ratio" || counter == "mac_ratio"))
        matrix_shares_.try_emplace(*id, *share);
    }
  }

  void read_copies() {
    TextTable kinds(session_.database, "ENUM_MEMCPY_OPERATION", "id", "name");
    Query rows = session_.database.select("MEMCPY_INFO", {"globalTaskId", "size", "memcpyOperation"});
    while (rows.next())
      if (const Id id = rows.integer(0))
        copies_.try_emplace(*id, Copy{std::string(kinds(rows.integer(2))), rows.integer(1)});
  }

  /// Where a task goes; nowhere when it is no work. Where no kernel is described at all their tasks go by their types,
  /// except those in which collectives run.
  const WorkColumns* kind_of(std::int64_t id, std::string_view type, bool collective) const {
    if (names_.contains(id)) return &kernels;
    if (copies_.contains(id)) return &copies;
    switch (task_kind(type, type)) {
      case TaskKind::copy: return &copies;
      case TaskKind::memset: return &memsets;
      case TaskKind::kernel: return names_.empty() && !collective ? &kernels : nullptr;
      case TaskKind::control: break;
    }
    return nullptr;
  }

  /// No row is dropped: their number is the input's.
  Row add_work(const WorkColumns& columns, Id start, Id end, Id device, Id connection) {
    const Row row = batch_.add(columns.table);
    start = in_range(start);
    const bool lasted = start && in_range(end) && *end >= *start;
    if (start) batch_.set(row, columns.start, *start);
    if (lasted) batch_.set(row, columns.dur, *end - *start);
    else session_.sink.note(note_id::time_unknown, info(columns.table).name);
    if (device) batch_.set(row, columns.device, session_.device(*device));
    if (!connection || *connection < 0 || *connection == no_connection) return row;
    batch_.set(row, columns.correlation, *connection);
    // The launching thread works off a queue: the operator ran on another one.
    if (const auto op = session_.issuers.find(*connection); op != session_.issuers.end())
      batch_.set(row, columns.op, op->second);
    return row;
  }

  void describe_kernel(Row row, std::int64_t id, std::string_view type) {
    const auto described = names_.find(id);
    const std::string_view name = described == names_.end() ? type : session_.strings(described->second);
    if (!name.empty()) {
      batch_.set(row, column("kernels.name"), name);
      batch_.set(row, column("kernels.class"), classes_(name));
    }
    if (const auto share = matrix_shares_.find(id); share != matrix_shares_.end())
      batch_.set(row, column("kernels.tensor_util"), share->second);
  }

  void describe_copy(Row row, std::int64_t id) {
    const auto found = copies_.find(id);
    if (found == copies_.end()) return;
    const CopyName copy = parse_copy_name(found->second.kind);
    if (!copy.kind.empty()) batch_.set(row, column("copies.kind"), copy.kind);
    if (!copy.src.empty()) batch_.set(row, column("copies.src"), copy.src);
    if (!copy.dst.empty()) batch_.set(row, column("copies.dst"), copy.dst);
    if (found->second.bytes && *found->second.bytes >= 0) batch_.set(row, column("copies.bytes"), *found->second.bytes);
  }

  Session& session_;
  Batch& batch_;
  KernelClasses classes_;
  std::unordered_map<std::int64_t, Id> names_;               ///< texts of kernels, by task
  std::unordered_map<std::int64_t, double> matrix_shares_;   ///< by task
  std::unordered_map<std::int64_t, Copy> copies_;            ///< by task
  std::unordered_map<std::int64_t, Id> collective_devices_;  ///< by connection
  std::unordered_map<std::int64_t, Part> parts_;             ///< of collectives, by task
  PlaneWaits waits_;
};

}  // namespace

void read_tasks(Session& session) {
  if (!session.database.has(task_table) && !session.database.has(collective_table)) return;
  for (const TableId id : {table("kernels"), table("comms")}) session.batch.declare(id);
  if (session.database.has(task_table))
    for (const TableId id : {table("copies"), table("memsets")}) session.batch.declare(id);
  Reader reader(session);
  reader.read_tasks();
  reader.read_collectives();
}

}  // namespace kdiag::adapters::ascend
