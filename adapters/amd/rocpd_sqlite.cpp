// SPDX-License-Identifier: Apache-2.0
// rocpd databases (SQLite): what rocprofv3 of ROCm 7 writes unless told otherwise, and rocprof-sys on request. Times
// are ns of the machine's clock since it was started.
//
// A recording's tables end in an id of its own (`rocpd_string_0123...`); `rocpd merge` puts several recordings into one
// database. The tables without an ending are views, which are not read. Schema 3 is that of ROCm 7; schema 4 moves
// instants and places to tables of their own. Spec: schema and documentation of rocprofiler-sdk. Files of rpd_tracer
// have tables of other names. Parts: adapters/amd/rocpd/.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/amd/rocpd/part.hpp"

namespace kdiag::adapters {
namespace {

using rocpd::Part;

using Parts = std::vector<Part*>;

/// Whether every recording states a rank, and each another one: then they are one job's.
bool are_ranks(const Parts& parts) {
  std::set<std::int64_t> ranks;
  for (const Part* part : parts)
    if (part->process().rank) ranks.insert(part->process().rank->rank);
  return ranks.size() == parts.size();
}

/// Recordings that are one run: the ranks of a job, else those of one host, which share its devices.
std::vector<Parts> runs_of(const Parts& parts) {
  if (!parts.empty() && are_ranks(parts)) return {parts};
  std::vector<Parts> runs;
  std::map<std::string, std::size_t> run_of_host;
  for (Part* part : parts) {
    const auto [found, added] = run_of_host.try_emplace(part->process().host, runs.size());
    if (added) runs.emplace_back();
    runs[found->second].push_back(part);
  }
  return runs;
}

void read_run(const Parts& parts, FactSink& sink) {
  const rocpd::Process& first = parts.front()->process();
  const bool ranks = are_ranks(parts);
  RunInfo run;
  run.producer = "rocpd";
  run.clock = ClockDomain::device;
  run.host = first.host;
  if (ranks) run.world_size = first.rank->size;
  if (ranks && parts.size() == 1) run.rank = first.rank->rank;
  sink.run(std::move(run));
  amd::Events events(sink);
  for (Part* part : parts) {
    if (ranks && parts.size() > 1) events.rank = part->process().rank->rank;
    part->read(events);
  }
  amd::declare_recorded(events, first.settings);
  events.finish();
}

int sniff(const Head& head) { return rocpd::is_rocpd(head.tables) ? 90 : 0; }

Status read(Input& input, FactSink& sink) {
  Result<Database> opened = Database::open(input, sink);
  if (!opened) return opened.error();
  const Database database = std::move(*opened);
  std::vector<Part> all;
  const std::vector<std::string> endings = rocpd::endings(database.tables());
  all.reserve(endings.size());
  for (const std::string& ending : endings)
    all.emplace_back(database, sink, ending, static_cast<std::int64_t>(all.size()));
  Parts parts;
  for (Part& part : all) parts.push_back(&part);
  for (const Parts& run : runs_of(parts)) read_run(run, sink);
  return ok_status();
}

constexpr std::string_view provides[] = {"devices", "streams", "threads", "steps",       "kernels",
                                         "copies",  "api",     "ops",     "annotations", "comms"};

}  // namespace

extern const Adapter rocpd_sqlite;
const Adapter rocpd_sqlite{
    .id = "rocpd-sqlite",
    .title = "rocpd databases of rocprofv3 and rocprof-sys: kernels, copies, calls, markers",
    .example = "123_results.db: tables rocpd_kernel_dispatch_..., rocpd_region_..., rocpd_info_agent_...",
    .record =
        "rocprofv3 --kernel-trace --memory-copy-trace --hip-runtime-trace --marker-trace --output-format rocpd "
        "-d out -- ./app",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
