// SPDX-License-Identifier: Apache-2.0
// SQLite databases of the analyses that Ascend's profilers make: analysis.db and communication_analyzer.db (of a rank),
// cluster_analysis.db (of all ranks, by mstt). StepTraceTime says how each step's time was spent (us),
// CommAnalyzerTime when each collective began (us since 1970, as a floating-point number: exact to a quarter of a us)
// and how long it took (ms). The other tables hold bandwidths of links. Spec: documents of CANN and of mstt.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/ascend/parts/accounts.hpp"
#include "adapters/ascend/parts/names.hpp"
#include "adapters/io/sqlite.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view step_tables[] = {"StepTraceTime", "ClusterStepTraceTime"};
constexpr std::string_view collective_tables[] = {"CommAnalyzerTime", "ClusterCommAnalyzerTime"};
constexpr double us = 1e3, ms = 1e6;

int sniff(const Head& head) {
  const auto is_there = [&head](std::string_view name) { return head.has_table(name); };
  const bool known = std::any_of(std::begin(step_tables), std::end(step_tables), is_there) ||
                     std::any_of(std::begin(collective_tables), std::end(collective_tables), is_there);
  return known && !head.has_table("STRING_IDS") ? 90 : 0;
}

/// A time in ns; the whole units apart from their fraction, since a double holds no more of an instant.
std::optional<std::int64_t> time_ns(std::optional<double> value, double unit) {
  constexpr double most = 3e18;
  if (!value || !(std::abs(*value) < most / unit)) return std::nullopt;
  const double whole = std::floor(*value);
  return static_cast<std::int64_t>(whole) * static_cast<std::int64_t>(unit) + std::llround((*value - whole) * unit);
}

class Reader {
 public:
  Reader(const Database& database, FactSink& sink) : database_(database), sink_(sink) {}

  void read() {
    for (const std::string_view name : step_tables) read_steps(name);
    for (const std::string_view name : collective_tables) read_collectives(name);
    if (rows_ > 0) sink_.submit(0, std::move(batch_));
  }

 private:
  void read_steps(std::string_view name) {
    if (!database_.has(name)) return;
    for (const TableId id : {table("steps"), table("phases")}) batch_.declare(id);
    enum Place : int { step, computing, communication, free, type, index, device };
    Query rows = database_.select(
        name, {"step", "computing", "communication_not_overlapped", "free", "type", "index", "deviceId"});
    while (rows.next() && count_row()) {
      const ascend::StepAccount account{rows.integer(step), time_ns(rows.real(computing), us),
                                        time_ns(rows.real(communication), us), time_ns(rows.real(free), us)};
      Row rank;
      if (const auto kind = rows.text(type)) {  // of all ranks
        const auto number = rows.integer(index);
        if (*kind == "rank" && number) rank = batch_.rank(*number);
        else sink_.note(note_id::unknown_kind, *kind);
        if (rank.index == absent_index) continue;
      }
      if (!account.is_complete()) {
        sink_.note(note_id::malformed_value, "step");
        continue;
      }
      const Row on = batch_.device(rows.integer(device).value_or(0), rank);
      ascend::describe_device(batch_, on);
      ascend::add_step_account(batch_, account, rank, on);
    }
  }

  void read_collectives(std::string_view name) {
    if (!database_.has(name)) return;
    batch_.declare(table("comms"));
    enum Place : int { call, group, start, elapse, elapsed, rank_id };
    Query rows = database_.select(
        name, {"hccl_op_name", "group_name", "start_timestamp", "elapse_time", "elapsed_time", "rank_id"});
    while (rows.next() && count_row()) {
      const std::string_view stated = rows.text(call).value_or("");
      if (stated == ascend::all_collectives) continue;
      auto dur = time_ns(rows.real(elapse), ms);
      if (!dur) dur = time_ns(rows.real(elapsed), ms);  // in cluster_analysis.db
      if (!dur || *dur < 0) {
        sink_.note(dur ? note_id::negative_duration : note_id::malformed_value, "elapse_time");
        continue;
      }
      const auto rank = rows.integer(rank_id);
      ascend::add_collective_account(
          batch_,
          {stated.substr(0, stated.find('@')), rows.text(group).value_or(""), time_ns(rows.real(start), us), *dur},
          rank ? batch_.rank(*rank) : Row{});
    }
  }

  bool count_row() {
    sink_.count_events(1);
    ++rows_;
    return !sink_.cancelled();
  }

  const Database& database_;
  FactSink& sink_;
  Batch batch_;
  std::uint64_t rows_ = 0;
};

Status read(Input& input, FactSink& sink) {
  const Result<Database> database = Database::open(input, sink);
  if (!database) return database.error();
  RunInfo run;
  run.producer = "Ascend profiler";
  run.clock = ClockDomain::unix_ns;
  sink.run(std::move(run));
  Reader(*database, sink).read();
  return ok_status();
}

constexpr std::string_view provides[] = {"steps.index", "steps.dur",   "steps.rank",   "phases",
                                         "comms.op",    "comms.group", "comms.seq",    "comms.start",
                                         "comms.dur",   "comms.rank",  "comms.device", "ranks.id"};

}  // namespace

extern const Adapter ascend_analysis_db;
const Adapter ascend_analysis_db{
    .id = "ascend-analysis-db",
    .title = "Analysis databases of Ascend's profilers: how steps were spent, collectives",
    .example = "analysis.db, communication_analyzer.db, cluster_analysis.db: tables StepTraceTime, CommAnalyzerTime",
    .record = "torch_npu.profiler.profile(...) on several ranks, with export_type=torch_npu.profiler.ExportType.Db",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
