// SPDX-License-Identifier: Apache-2.0
// Calls of the operating system that the profiler traced: OSRT_API, of --trace=osrt.
#include "adapters/nvidia/nsys/tables.hpp"

namespace kdiag::adapters::nsys {
namespace {

constexpr std::string_view os_call_table = "OSRT_API";

/// Shorter calls hold no device up for long; programs make millions of them. As of Python functions. Judgement.
constexpr std::int64_t shortest = 50'000;  // ns

}  // namespace

void read_os_calls(Session& session) {
  enum Place : int { start, end, global_tid, name_id };
  Query rows = session.database.select(os_call_table, {"start", "end", "globalTid", "nameId"});
  bool any = false;
  while (rows.next() && session.begin_row()) {
    // What had not returned when the recording ended has no end.
    const auto times = session.host_times(rows.integer(start), rows.integer(end), os_call_table);
    if (!times) continue;
    any = true;
    if (*times->dur < shortest) continue;
    Batch& batch = session.batch;
    const Row row = batch.add(table("os_calls"));
    batch.set(row, column("os_calls.start"), *times->start);
    batch.set(row, column("os_calls.dur"), *times->dur);
    if (const std::string_view name = session.strings(rows.integer(name_id).value_or(-1)); !name.empty())
      batch.set(row, column("os_calls.name"), name);
    if (const auto thread = rows.integer(global_tid))
      batch.set(row, column("os_calls.thread"), session.thread(*thread));
  }
  if (any) session.batch.declare(table("os_calls"));
}

}  // namespace kdiag::adapters::nsys
