// SPDX-License-Identifier: Apache-2.0
// What threads did: calls of the runtime, ranges of the program, the tracer's own cost.
#include <string>
#include <string_view>

#include "adapters/amd/rpd/tables.hpp"
#include "adapters/names/api_names.hpp"

namespace kdiag::adapters::rpd {
namespace {

constexpr std::string_view call_table = "rocpd_api";
constexpr std::string_view marker_name = "UserMarker";
constexpr std::string_view overhead_category = "overhead";

bool is_cuda_call(std::string_view name) { return name.starts_with("cuda") || name.starts_with("cuMem"); }

/// The tracer's records of its own work, which have a category since schema 3: "hcc_activity_callback",
/// "OpTable::writeRows".
bool is_overhead(std::string_view name, std::string_view category) {
  return category == overhead_category || name == "hcc_activity_callback" || name.find("Table::") != name.npos ||
         name.find("DataSource::") != name.npos;
}

/// Who recorded, which the tracer's records of its own work tell.
Source source_of(std::string_view name) {
  if (name == "hcc_activity_callback" || name.starts_with("RoctracerDataSource")) return Source::roctracer;
  if (name.starts_with("RocprofDataSource")) return Source::rocprofiler;
  return is_cuda_call(name) ? Source::cupti : Source::unknown;
}

}  // namespace

void read_calls(Session& session) {
  enum Place : int { id, pid, tid, start, end, name_id, args_id, category_id };
  Query rows =
      session.database.select(call_table, {"id", "pid", "tid", "start", "end", "apiName_id", "args_id", "category_id"});
  while (rows.next() && session.events.begin_record()) {
    const auto when = session.events.times(rows.integer(start), rows.integer(end), call_table);
    if (!when) continue;
    const std::string_view name = session.strings(rows.integer(name_id));
    if (const Source source = source_of(name); source != Source::unknown) session.source = source;
    std::optional<amd::Thread> thread;
    if (const auto process = rows.integer(pid), number = rows.integer(tid); process && number)
      thread = amd::Thread{*process, *number};
    if (is_overhead(name, session.strings(rows.integer(category_id)))) {
      session.events.add_overhead({name, *when, thread});
    } else if (amd::is_call_name(name) || is_cuda_call(name)) {
      const Number number = rows.integer(id);
      session.events.add(amd::Call{name, *when, thread, number});
      if (number && launches_by_work_items(name)) session.launches.add_in_work_items(*number);
    } else {
      const std::string_view said = name == marker_name ? session.messages(rows.integer(args_id)) : name;
      session.events.add(amd::Range{said, *when, thread});
    }
  }
  if (session.source == Source::cupti) session.events.vendor = "nvidia";
  session.launches.finish(session.source);
}

}  // namespace kdiag::adapters::rpd
