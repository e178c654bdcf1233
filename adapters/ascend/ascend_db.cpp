// SPDX-License-Identifier: Apache-2.0
// SQLite databases of Ascend's profilers: ascend_pytorch_profiler_<rank>.db (torch_npu),
// ascend_mindspore_profiler_<rank>.db and msprof_<time>.db (CANN's own), schema 1.0 and later. Times are ns since 1970,
// some as text. Tables are created for what was recorded only, and columns come and go between versions, so that each
// is read where it exists. Texts are kept once, in STRING_IDS. The schema is described in the profilers' documents.
// Parts: adapters/ascend/parts/database*.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <kdiag/adapter.hpp>

#include "adapters/ascend/parts/database.hpp"
#include "adapters/ascend/parts/parallel_groups.hpp"
#include "adapters/io/sqlite.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view records[] = {"TASK",        "COMPUTE_TASK_INFO", "COMMUNICATION_OP", "CANN_API",
                                        "PYTORCH_API", "STEP_TIME",         "AICORE_FREQ",      "MSTX_EVENTS"};

int sniff(const Head& head) {
  const auto is_there = [&head](std::string_view name) { return head.has_table(name); };
  return head.has_table("STRING_IDS") && std::any_of(std::begin(records), std::end(records), is_there) ? 90 : 0;
}

/// The rank of the database, when it holds one. A program without ranks has -1.
std::optional<std::int64_t> only_rank(const Database& database) {
  Query rows = database.select("RANK_DEVICE_MAP", {"rankId"});
  const auto rank = rows.next() ? rows.integer(0) : std::nullopt;
  return rank && *rank >= 0 && !rows.next() ? rank : std::nullopt;
}

/// How the job is parallel, since 2025.
ascend::ParallelPlace place_of(const Database& database) {
  Query rows = database.select("META_DATA", {"name", "value"});
  while (rows.next())
    if (rows.text(0) == "parallel_group_info")
      if (const auto groups = parse_json(rows.text(1).value_or(""))) return ascend::parallel_place(*groups);
  return {};
}

RunInfo run_info(const Database& database, const ascend::ParallelPlace& place) {
  RunInfo run;
  run.producer = "Ascend profiler";
  run.clock = ClockDomain::unix_ns;
  run.rank = only_rank(database);
  if (!run.rank) run.rank = place.rank;
  run.world_size = place.world_size;
  Query hosts = database.select("HOST_INFO", {"hostName"});
  if (hosts.next()) run.host = hosts.text(0).value_or("");
  return run;
}

Status read(Input& input, FactSink& sink) {
  Result<Database> opened = Database::open(input, sink);
  if (!opened) return opened.error();
  const Database database = std::move(*opened);
  ascend::Session session(database, sink);
  const ascend::ParallelPlace place = place_of(database);
  sink.run(run_info(database, place));
  ascend::read_host_ranges(session);
  ascend::read_calls(session);
  ascend::read_tasks(session);
  ascend::read_counters(session);
  ascend::set_stage(session.batch, place);
  session.submit();
  return ok_status();
}

constexpr std::string_view provides[] = {"devices",    "streams",     "threads",          "steps",
                                         "kernels",    "copies",      "memsets",          "api",
                                         "ops",        "frames",      "annotations",      "comms",
                                         "ranks.id",   "ranks.stage", "samples:sm_clock", "samples:memory_used",
                                         "allocations"};

}  // namespace

extern const Adapter ascend_db;
const Adapter ascend_db{
    .id = "ascend-db",
    .title = "SQLite databases of Ascend's profilers: kernels, collectives, calls, operators, clocks, memory",
    .example = "ascend_pytorch_profiler_0.db: tables STRING_IDS, TASK, COMPUTE_TASK_INFO, CANN_API, PYTORCH_API",
    .record =
        "torch_npu.profiler.profile(on_trace_ready=..., experimental_config=torch_npu.profiler._ExperimentalConfig("
        "export_type=torch_npu.profiler.ExportType.Db))\n"
        "msprof --export=on --type=db --output=PROF_...",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
