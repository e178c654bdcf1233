// SPDX-License-Identifier: Apache-2.0
// Files of rpd_tracer (ROCm Profile Data, .rpd): an SQLite database of calls, of the work that they put on devices, and
// of clocks, in ns of the machine's clock since it was started.
//
// Schemas 2 and 3, which adds a domain and a category to calls, keeps the texts of markers in a table of their own and
// may hold counters. Which library the tracer used (roctracer, rocprofiler-sdk, CUPTI) decides what some columns mean;
// the tracer's records of its own work tell. Spec: the tool's schema and its page "rpd tables and stored data". rocpd
// databases of rocprofv3 begin their names alike but hold other tables. Parts: adapters/amd/rpd/.
#include <string>
#include <utility>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/amd/rpd/monitors.hpp"
#include "adapters/amd/rpd/tables.hpp"

namespace kdiag::adapters {
namespace rpd {

Session::Session(const Database& opened, FactSink& sink)
    : database(opened),
      events(sink),
      launches(opened),
      strings(opened, "rocpd_string", "id", "string"),
      messages(opened, opened.has("rocpd_ustring") ? "rocpd_ustring" : "rocpd_string", "id", "string"),
      source(Source::unknown) {}

}  // namespace rpd

namespace {

constexpr std::string_view work_table = "rocpd_op";
constexpr std::string_view call_table = "rocpd_api";

int sniff(const Head& head) { return head.has_table(work_table) && head.has_table(call_table) ? 90 : 0; }

std::int64_t schema_version(const Database& database) {
  Query rows = database.select("rocpd_metadata", {"tag", "value"});
  while (rows.next())
    if (rows.text(0) == "schema_version") return rows.integer(1).value_or(0);
  return 0;
}

/// States what the tracer records, so that tables without rows are empty instead of absent.
void declare_tables(rpd::Session& session) {
  session.events.batch.declare(table("api"));
  if (session.events.work_is_missing()) return session.events.sink.note(note_id::no_device_work);
  for (const TableId id : {table("kernels"), table("copies"), table("memsets"), table("comms")})
    session.events.batch.declare(id);
}

Status read(Input& input, FactSink& sink) {
  Result<Database> opened = Database::open(input, sink);
  if (!opened) return opened.error();
  const Database database = std::move(*opened);
  const std::int64_t schema = schema_version(database);
  RunInfo run;
  run.producer = "rpd_tracer";
  if (schema > 0) run.producer += ", schema " + std::to_string(schema);
  run.clock = ClockDomain::device;
  sink.run(std::move(run));
  rpd::Session session(database, sink);
  rpd::read_calls(session);
  rpd::read_work(session);
  rpd::read_monitors(database, session.events, session.devices, schema);
  declare_tables(session);
  session.events.finish();
  return ok_status();
}

constexpr std::string_view provides[] = {"devices", "streams", "threads", "steps",       "kernels", "copies",
                                         "memsets", "api",     "ops",     "annotations", "comms",   "samples:sm_clock"};

}  // namespace

extern const Adapter rpd_sqlite;
const Adapter rpd_sqlite{
    .id = "rpd-sqlite",
    .title = "ROCm Profile Data of rpd_tracer (.rpd): calls, kernels, copies, markers, clocks",
    .example = "trace.rpd: tables rocpd_api, rocpd_op, rocpd_api_ops, rocpd_kernelapi, rocpd_copyapi, rocpd_string",
    .record = "runTracer.sh -o trace.rpd ./app",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
