// SPDX-License-Identifier: Apache-2.0
// SQLite exports of Nsight Systems (`nsys export -t sqlite`, `nsys profile --export=sqlite`), schemas 2.9 to 3.24.
//
// Times are ns since the capture began, whose instant stands in TARGET_INFO_SESSION_START_TIME. Tables are created for
// what was recorded only, unless the export was told otherwise (`--lazy=false`: all of them, mostly empty); columns
// come and go between versions, so that each is read where it exists. Texts are kept once, in StringIds. The schema is
// in the profiler's documentation, chapter "SQLite Schema Reference", and its tables carry comments. Parts:
// adapters/nvidia/nsys/.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/io/sqlite.hpp"
#include "adapters/nvidia/nsys/capture.hpp"
#include "adapters/nvidia/nsys/session.hpp"
#include "adapters/nvidia/nsys/tables.hpp"
#include "adapters/text/instants.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view marks[] = {"CUPTI_ACTIVITY_KIND_", "NVTX_EVENTS", "EXPORT_META_DATA", "META_DATA_EXPORT",
                                      "TARGET_INFO_"};

int sniff(const Head& head) {
  const auto is_mark = [](const std::string& name) {
    return std::any_of(std::begin(marks), std::end(marks),
                       [&name](std::string_view mark) { return name.starts_with(mark); });
  };
  return head.has_table("StringIds") && std::any_of(head.tables.begin(), head.tables.end(), is_mark) ? 90 : 0;
}

/// A value of the export's properties; they moved to another table in 2023.
std::string property(const Database& database, std::string_view name) {
  for (std::string_view holder : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {
    Query rows = database.select(holder, {"name", "value"});
    while (rows.next())
      if (rows.text(0) == name) return std::string(rows.text(1).value_or(""));
  }
  return {};
}

std::string host_name(const Database& database) {
  Query rows = database.select("TARGET_INFO_SYSTEM_ENV", {"name", "value"});
  while (rows.next())
    if (rows.text(0) == "Hostname") return std::string(rows.text(1).value_or(""));
  return {};
}

/// Instant at which the capture began, in ns since 1970.
std::optional<std::int64_t> capture_start(const Database& database) {
  Query rows = database.select("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"});
  const auto start = in_range(rows.next() ? rows.integer(0) : std::nullopt);
  return start && *start > 0 ? start : std::nullopt;
}

RunInfo run_info(const Database& database, const nsys::Session& session) {
  RunInfo run;
  run.producer = "Nsight Systems";
  if (const std::string version = property(database, "EXPORT_PRODUCT_VERSION"); !version.empty())
    run.producer += ' ' + version;
  run.clock = session.origin() ? ClockDomain::unix_ns : ClockDomain::device;
  run.rank = session.only_rank();
  run.host = host_name(database);
  return run;
}

/// States what was recorded, so that tables without rows are empty instead of absent. Where CUDA was traced but nothing
/// ran on a device although calls launch work, the device's side is not known. Where it was traced, the profiler says
/// of no trouble and there was no call, nothing ran.
void declare_tables(nsys::Session& session, const nsys::DeviceWork& work, const nsys::Calls& calls, bool trouble) {
  const bool traced = nsys::traced_cuda(session.database);
  const bool no_call = traced && !calls.any && !trouble;
  if (calls.any || no_call) session.batch.declare(table("api"));
  if (work.graphs > 0) session.sink.note(note_id::graphs_as_whole, {}, work.graphs);
  const bool any = work.kernels + work.copies + work.memsets > 0;
  const bool unseen = !any && work.graphs == 0 && calls.launches;
  if (unseen) session.sink.note(traced ? note_id::driver_gave_no_records : note_id::no_device_work);
  if (!any && no_call) session.sink.note(note_id::no_cuda_call);
  if (work.graphs > 0 || (!any && (!calls.any || calls.launches) && !no_call)) return;
  for (const TableId id : {table("kernels"), table("copies"), table("memsets"), table("comms")})
    session.batch.declare(id);
}

Status read(Input& input, FactSink& sink) {
  Result<Database> opened = Database::open(input, sink);
  if (!opened) return opened.error();
  const Database database = std::move(*opened);
  nsys::Session session(database, sink, capture_start(database));
  sink.run(run_info(database, session));
  const nsys::DeviceWork work = nsys::read_device_work(session);
  const nsys::Calls calls = nsys::read_calls(session);
  nsys::read_os_calls(session);
  nsys::read_cpu_samples(session);
  nsys::read_allocations(session);
  nsys::read_ranges(session);
  nsys::read_gpu_metrics(session);
  nsys::add_window(session);
  declare_tables(session, work, calls, nsys::note_messages(session));
  session.describe_places();
  session.submit();
  return ok_status();
}

constexpr std::string_view provides[] = {"devices",           "streams",
                                         "threads",           "steps",
                                         "kernels",           "copies",
                                         "memsets",           "api",
                                         "annotations",       "comms",
                                         "os_calls",          "cpu_samples",
                                         "allocations",       "samples:sm_clock",
                                         "samples:sm_active", "samples:tensor_active"};

}  // namespace

extern const Adapter nsys_sqlite;
const Adapter nsys_sqlite{
    .id = "nsys-sqlite",
    .title = "SQLite exports of Nsight Systems: CUDA work and calls, NVTX ranges, OS calls, GPU metrics",
    .example = "report1.sqlite: tables StringIds, CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_RUNTIME, NVTX_EVENTS",
    .record =
        "nsys profile --trace=cuda,nvtx,osrt --cuda-graph-trace=node --gpu-metrics-devices=all -o report ./app\n"
        "nsys export -t sqlite report.nsys-rep",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
