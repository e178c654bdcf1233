// SPDX-License-Identifier: Apache-2.0
// What devices did: kernels, copies, fills, whole graphs.
#include <string>
#include <unordered_map>

#include <kdiag/note_ids.hpp>

#include "adapters/names/comm_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/nvidia/nsys/copy_kinds.hpp"
#include "adapters/nvidia/nsys/tables.hpp"
#include "adapters/rows/kernel_rows.hpp"

namespace kdiag::adapters::nsys {
namespace {

constexpr std::string_view kernel_table = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr std::string_view copy_table = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr std::string_view memset_table = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr std::string_view graph_table = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";

/// The columns that all device work has, at the first places of each query.
enum Common : int { start, end, device_id, stream_id, correlation_id, global_pid, own };

struct WorkColumns {
  TableId table;
  ColumnId start, dur, device, stream, correlation;
};

class Reader {
 public:
  Reader(Session& session, bool timed) : session_(session), batch_(session.batch), timed_(timed) {}

  std::uint64_t kernels() {
    enum Place : int { demangled = own, short_name, regs, static_memory, dynamic_memory, grid };
    Query rows = session_.database.select(
        kernel_table, {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "demangledName",
                       "shortName", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory", "gridX", "gridY",
                       "gridZ", "blockX", "blockY", "blockZ"});
    constexpr WorkColumns columns{table("kernels"),         column("kernels.start"),  column("kernels.dur"),
                                  column("kernels.device"), column("kernels.stream"), column("kernels.correlation")};
    std::uint64_t count = 0;
    for (; rows.next() && session_.begin_row(); ++count) {
      const Row row = work(rows, columns, kernel_table);
      const KernelName& name = name_of(rows.integer(demangled), rows.integer(short_name));
      if (!name.text.empty()) {
        batch_.set(row, column("kernels.name"), name.text);
        batch_.set(row, column("kernels.class"), name.kind);
      }
      set_integer(row, column("kernels.regs"), rows.integer(regs));
      if (const auto fixed = rows.integer(static_memory), dynamic = rows.integer(dynamic_memory); fixed && dynamic)
        set_integer(row, column("kernels.smem"), *fixed + *dynamic);
      const auto size = [&rows](int place) { return rows.integer(place).value_or(0); };
      set_grid(batch_, row, {size(grid), size(grid + 1), size(grid + 2)});
      set_block(batch_, row, {size(grid + 3), size(grid + 4), size(grid + 5)});
      if (name.kind == "communication") add_collective(row, name);
    }
    return count;
  }

  std::uint64_t copies() {
    enum Place : int { bytes = own, kind, source, target };
    Query rows = session_.database.select(copy_table, {"start", "end", "deviceId", "streamId", "correlationId",
                                                       "globalPid", "bytes", "copyKind", "srcKind", "dstKind"});
    constexpr WorkColumns columns{table("copies"),         column("copies.start"),  column("copies.dur"),
                                  column("copies.device"), column("copies.stream"), column("copies.correlation")};
    CopyKinds kinds(session_.database);
    std::uint64_t count = 0;
    for (; rows.next() && session_.begin_row(); ++count) {
      const Row row = work(rows, columns, copy_table);
      set_integer(row, column("copies.bytes"), rows.integer(bytes));
      const CopyName copy = kinds(rows.integer(kind), rows.integer(source), rows.integer(target));
      if (!copy.kind.empty()) batch_.set(row, column("copies.kind"), copy.kind);
      if (!copy.src.empty()) batch_.set(row, column("copies.src"), copy.src);
      if (!copy.dst.empty()) batch_.set(row, column("copies.dst"), copy.dst);
    }
    return count;
  }

  std::uint64_t memsets() {
    Query rows = session_.database.select(
        memset_table, {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "bytes"});
    constexpr WorkColumns columns{table("memsets"),         column("memsets.start"),  column("memsets.dur"),
                                  column("memsets.device"), column("memsets.stream"), column("memsets.correlation")};
    std::uint64_t count = 0;
    for (; rows.next() && session_.begin_row(); ++count)
      set_integer(work(rows, columns, memset_table), column("memsets.bytes"), rows.integer(own));
    return count;
  }

  /// A graph as a whole is a range of its device.
  std::uint64_t graphs() {
    Query rows = session_.database.select(
        graph_table, {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphId"});
    std::uint64_t count = 0;
    for (; rows.next() && session_.begin_row(); ++count) {
      const auto times = session_.host_times(rows.integer(start), rows.integer(end), graph_table);
      if (!times) continue;
      const Row row = batch_.add(table("annotations"));
      const auto graph = rows.integer(own);
      batch_.set(row, column("annotations.name"), graph ? "CUDA graph " + std::to_string(*graph) : "CUDA graph");
      batch_.set(row, column("annotations.kind"), "device");
      batch_.set(row, column("annotations.start"), *times->start);
      batch_.set(row, column("annotations.dur"), *times->dur);
      set_place(rows, row, column("annotations.device"), column("annotations.stream"));
    }
    return count;
  }

 private:
  struct KernelName {
    std::string text;
    std::string_view kind;
    std::optional<std::string> op;
    std::string algorithm;
  };

  /// Sets what all device work states. No row is dropped: their number is the input's.
  Row work(const Query& rows, const WorkColumns& columns, std::string_view what) {
    const Row row = batch_.add(columns.table);
    const Times times = session_.times(rows.integer(start), rows.integer(end));
    if (!times.dur) session_.sink.note(note_id::time_unknown, what);
    if (times.start && timed_) batch_.set(row, columns.start, *times.start);
    if (times.dur) batch_.set(row, columns.dur, *times.dur);
    set_place(rows, row, columns.device, columns.stream);
    if (const auto id = session_.correlation(rows.integer(global_pid), rows.integer(correlation_id)))
      batch_.set(row, columns.correlation, *id);
    return row;
  }

  void set_place(const Query& rows, Row row, ColumnId device_column, ColumnId stream_column) {
    const auto number = rows.integer(device_id);
    if (!number || *number < 0) return;
    const Row device = session_.device(rows.integer(global_pid), *number);
    batch_.set(row, device_column, device);
    if (const auto queue = rows.integer(stream_id)) batch_.set(row, stream_column, batch_.stream(device, *queue));
  }

  void set_integer(Row row, ColumnId column, std::optional<std::int64_t> value) {
    if (value && *value >= 0) batch_.set(row, column, *value);
  }

  /// The demangled name carries template arguments and parameters; exports that lack it have the short one.
  const KernelName& name_of(std::optional<std::int64_t> demangled, std::optional<std::int64_t> short_name) {
    const std::int64_t id = demangled ? *demangled : short_name.value_or(-1);
    const auto [found, added] = names_.try_emplace(id);
    KernelName& name = found->second;
    if (!added) return name;
    name.text = session_.strings(id);
    name.kind = kernel_class(name.text);
    if (name.kind == "communication") {
      name.op = collective_name(std::string_view(name.text).substr(0, name.text.find('(')));
      name.algorithm = collective_algorithm(name.text);
    }
    return name;
  }

  void add_collective(Row kernel, const KernelName& name) {
    const Row comm = batch_.add(table("comms"));
    batch_.set(comm, column("comms.kernel"), kernel);
    if (name.op) batch_.set(comm, column("comms.op"), *name.op);
    if (!name.algorithm.empty()) batch_.set(comm, column("comms.algorithm"), name.algorithm);
  }

  Session& session_;
  Batch& batch_;
  bool timed_;
  std::unordered_map<std::int64_t, KernelName> names_;
};

}  // namespace

DeviceWork read_device_work(Session& session) {
  Reader reader(session, !session.database.has_rows(graph_table));
  DeviceWork work;
  work.kernels = reader.kernels();
  work.copies = reader.copies();
  work.memsets = reader.memsets();
  work.graphs = reader.graphs();
  return work;
}

}  // namespace kdiag::adapters::nsys
