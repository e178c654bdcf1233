// SPDX-License-Identifier: Apache-2.0
// Calls of the CUDA runtime and driver, and what they allocated.
#include <string>
#include <unordered_map>

#include <kdiag/note_ids.hpp>

#include "adapters/names/api_names.hpp"
#include "adapters/nvidia/nsys/tables.hpp"

namespace kdiag::adapters::nsys {
namespace {

constexpr std::string_view call_table = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr std::string_view allocation_table = "CUDA_GPU_MEMORY_USAGE_EVENTS";

// ENUM_NSYS_EVENT_CLASS. The table also holds the cost of call stacks (67) and of creating the nodes of graphs (77),
// which lie within calls of these two.
constexpr std::int64_t runtime_class = 0;
constexpr std::int64_t driver_class = 1;

struct CallName {
  std::string base;
  bool launch = false, blocking = false;
};

class CallNames {
 public:
  explicit CallNames(TextTable& strings) : strings_(strings) {}
  const CallName& operator()(std::int64_t id) {
    const auto [found, added] = known_.try_emplace(id);
    if (!added) return found->second;
    const std::string_view base = base_call_name(strings_(id));
    found->second = {std::string(base), is_launch_call(base), is_blocking_call(base)};
    return found->second;
  }

 private:
  TextTable& strings_;
  std::unordered_map<std::int64_t, CallName> known_;
};

}  // namespace

Calls read_calls(Session& session) {
  enum Place : int { start, end, event_class, global_tid, correlation, name_id };
  Query rows =
      session.database.select(call_table, {"start", "end", "eventClass", "globalTid", "correlationId", "nameId"});
  CallNames names(session.strings);
  Calls calls;
  while (rows.next() && session.begin_row()) {
    const std::int64_t kind = rows.integer(event_class).value_or(runtime_class);
    if (kind != runtime_class && kind != driver_class) {
      session.sink.note(note_id::unknown_kind, "event class " + std::to_string(kind) + " among the CUDA calls");
      continue;
    }
    const auto times = session.host_times(rows.integer(start), rows.integer(end), call_table);
    if (!times) continue;
    calls.any = true;
    const CallName& name = names(rows.integer(name_id).value_or(-1));
    calls.launches = calls.launches || name.launch;
    Batch& batch = session.batch;
    const Row row = batch.add(table("api"));
    batch.set(row, column("api.start"), *times->start);
    batch.set(row, column("api.dur"), *times->dur);
    if (!name.base.empty()) {
      batch.set(row, column("api.name"), name.base);
      batch.set(row, column("api.is_launch"), name.launch);
      batch.set(row, column("api.is_sync"), name.blocking);
    }
    const auto thread = rows.integer(global_tid);
    if (thread) batch.set(row, column("api.thread"), session.thread(*thread));
    if (const auto id = session.correlation(thread, rows.integer(correlation)))
      batch.set(row, column("api.correlation"), *id);
  }
  return calls;
}

void read_allocations(Session& session) {
  enum Place : int { start, global_pid, device_id, address, bytes, operation, kind };
  Query rows = session.database.select(
      allocation_table, {"start", "globalPid", "deviceId", "address", "bytes", "memoryOperationType", "memKind"});
  constexpr std::int64_t release = 1;  // ENUM_CUDA_DEV_MEM_EVENT_OPER
  constexpr std::int64_t pinned = 1;   // ENUM_CUDA_MEM_KIND: memory of the host
  while (rows.next() && session.begin_row()) {
    const auto time = session.times(rows.integer(start), std::nullopt).start;
    const auto size = rows.integer(bytes);
    if (!time || !size || *size < 0) {
      session.sink.note(note_id::malformed_value, allocation_table);
      continue;
    }
    Batch& batch = session.batch;
    const Row row = batch.add(table("allocations"));
    batch.set(row, column("allocations.time"), *time);
    batch.set(row, column("allocations.bytes"), rows.integer(operation) == release ? -*size : *size);
    if (const auto at = rows.integer(address)) batch.set(row, column("allocations.address"), *at);
    const auto device = rows.integer(device_id);
    if (device && *device >= 0 && rows.integer(kind) != pinned)
      batch.set(row, column("allocations.device"), session.device(rows.integer(global_pid), *device));
  }
}

}  // namespace kdiag::adapters::nsys
