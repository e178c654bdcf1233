// SPDX-License-Identifier: Apache-2.0
// Clocks, memory in use, and what the framework's allocator gave out.
#include <kdiag/note_ids.hpp>

#include "adapters/ascend/parts/database.hpp"
#include "adapters/text/instants.hpp"

namespace kdiag::adapters::ascend {
namespace {

/// Counters that no fact stands for.
constexpr std::string_view other_counters[] = {"HBM",
                                               "DDR",
                                               "LLC",
                                               "PCIE",
                                               "HCCS",
                                               "NIC",
                                               "ROCE",
                                               "QOS",
                                               "NPU_MODULE_MEM",
                                               "ACC_PMU",
                                               "SOC_BANDWIDTH_LEVEL",
                                               "SAMPLE_PMU_TIMELINE"};

void add_sample(Session& session, std::string_view series, std::string_view unit, Id device, std::int64_t time,
                double value) {
  const Row row = session.batch.add(table("samples"));
  session.batch.set(row, column("samples.series"), series);
  session.batch.set(row, column("samples.time"), time);
  session.batch.set(row, column("samples.value"), value);
  session.batch.set(row, column("samples.unit"), unit);
  if (device) session.batch.set(row, column("samples.device"), session.device(*device));
}

void read_clocks(Session& session) {
  constexpr double megahertz = 1e6;
  Query rows = session.database.select("AICORE_FREQ", {"deviceId", "timestampNs", "freq"});
  while (rows.next() && session.begin_row()) {
    const Id time = in_range(rows.integer(1));
    const auto clock = rows.real(2);
    if (time && clock && *clock > 0) add_sample(session, "sm_clock", "Hz", rows.integer(0), *time, *clock * megahertz);
    else session.sink.note(note_id::malformed_value, "AICORE_FREQ");
  }
}

/// Memory in use of the whole device, whichever kind it has; rows of the kind `app` are of the program alone.
void read_memory(Session& session) {
  Query rows = session.database.select("NPU_MEM", {"deviceId", "timestampNs", "type", "ddr", "hbm"});
  while (rows.next() && session.begin_row()) {
    if (session.strings(rows.integer(2)) != "device") continue;
    const Id time = in_range(rows.integer(1));
    const auto ddr = rows.real(3), hbm = rows.real(4);
    if (time && (ddr || hbm))
      add_sample(session, "memory_used", "B", rows.integer(0), *time, ddr.value_or(0) + hbm.value_or(0));
    else session.sink.note(note_id::malformed_value, "NPU_MEM");
  }
}

class AllocationReader {
 public:
  explicit AllocationReader(Session& session) : session_(session) {}

  void read() {
    enum Place : int { size, device, given, given_allocated, given_reserved, freed, freed_allocated, freed_reserved };
    Query rows = session_.database.select(
        "OP_MEMORY", {"size", "deviceId", "allocationTime", "allocationTotalAllocated", "allocationTotalReserved",
                      "releaseTime", "releaseTotalAllocated", "releaseTotalReserved"});
    while (rows.next() && session_.begin_row()) {
      const Id bytes = rows.integer(size);
      if (!bytes || *bytes < 0) {
        session_.sink.note(note_id::malformed_value, "OP_MEMORY");
        continue;
      }
      add(rows.integer(given), *bytes, rows.integer(device), rows.integer(given_allocated),
          rows.integer(given_reserved));
      add(rows.integer(freed), -*bytes, rows.integer(device), rows.integer(freed_allocated),
          rows.integer(freed_reserved));
    }
  }

 private:
  /// What lived longer than the recording has no time of release, what is older than it none of allocation.
  void add(Id time, std::int64_t bytes, Id device, Id allocated, Id reserved) {
    if (!in_range(time)) return;
    Batch& batch = session_.batch;
    const Row row = batch.add(table("allocations"));
    batch.set(row, column("allocations.time"), *time);
    batch.set(row, column("allocations.bytes"), bytes);
    if (allocated) batch.set(row, column("allocations.allocated"), *allocated);
    if (reserved) batch.set(row, column("allocations.reserved"), *reserved);
    if (device) batch.set(row, column("allocations.device"), session_.device(*device));
  }

  Session& session_;
};

}  // namespace

void read_counters(Session& session) {
  read_clocks(session);
  read_memory(session);
  AllocationReader(session).read();
  for (const std::string_view counter : other_counters)
    if (session.database.has_rows(counter)) session.sink.note(note_id::unknown_counter, counter);
}

}  // namespace kdiag::adapters::ascend
