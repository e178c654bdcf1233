// SPDX-License-Identifier: Apache-2.0
// The report and its facts as a Perfetto trace.
#include <kdiag/timeline.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/interrupt.hpp"
#include "report/perfetto/finding_tracks.hpp"
#include "report/perfetto/packets.hpp"
#include "report/run_rows.hpp"
#include "report/timeline_lanes.hpp"

namespace kdiag {
namespace {

using namespace report;

/// A table of rows that have a place on a timeline.
struct Rows {
  TableId table;
  ColumnId start, dur, name, place;  ///< place: the stream, thread or device of a row
  std::string_view category;         ///< our reader knows them again (docs/formats/perfetto.md)
};
constexpr Rows kernel_rows{table("kernels"),       column("kernels.start"),  column("kernels.dur"),
                           column("kernels.name"), column("kernels.stream"), "kdiag.kernel"};
constexpr Rows copy_rows{table("copies"),       column("copies.start"),  column("copies.dur"),
                         column("copies.kind"), column("copies.stream"), "kdiag.copy"};
constexpr Rows memset_rows{table("memsets"),         column("memsets.start"), column("memsets.dur"), {},
                           column("memsets.stream"), "kdiag.memset"};
constexpr Rows op_rows{table("ops"),       column("ops.start"),  column("ops.dur"),
                       column("ops.name"), column("ops.thread"), "kdiag.op"};
constexpr Rows call_rows{table("api"),       column("api.start"),  column("api.dur"),
                         column("api.name"), column("api.thread"), "kdiag.call"};
constexpr Rows range_rows{table("annotations"),       column("annotations.start"),  column("annotations.dur"),
                          column("annotations.name"), column("annotations.thread"), "kdiag.range"};

/// One row of a lane: of which table.
struct Shown {
  const Rows* rows;
  std::size_t row;
};

/// "HtoD" of "h2d": as CUPTI writes it.
std::string direction(std::string_view kind) {
  if (kind.size() != 3 || kind[1] != '2') return kind == "um" ? "Managed" : "";
  return std::string{upper(kind[0]), 't', 'o', upper(kind[2])};
}

std::string copy_name(const RunRows& rows, std::size_t row) {
  std::string name = "Memcpy " + direction(rows.text(column("copies.kind"), row));
  std::string from(rows.text(column("copies.src"), row)), to(rows.text(column("copies.dst"), row));
  if (from.empty() || to.empty()) return name;
  for (std::string* side : {&from, &to}) side->front() = upper(side->front());
  return name + " (" + from + " -> " + to + ")";
}

class RunTimeline {
 public:
  /// `view` is that of run number `run`.
  RunTimeline(const Facts& facts, const RunView& view, std::size_t run, PacketWriter& writer, CancelFlag cancel,
              std::uint64_t first_text)
      : rows_(facts, run),
        view_(view),
        writer_(writer),
        cancel_(cancel),
        first_text_(first_text),
        prefix_(view.alike > 1 ? "run " + view.run->id + " " : "") {}

  std::size_t write() {
    find_launches();
    const std::uint64_t own = writer_.process(prefix_ + "kdiag");
    write_findings(own, view_, rows_.judged_window(), first_instant(), writer_);
    write_steps(own);
    write_idle(own);
    write_devices();
    write_threads();
    return events_;
  }

 private:
  bool placed(const Rows& rows, std::size_t row) const {
    return rows_.integer(rows.start, row) != absent_integer && rows_.integer(rows.dur, row) != absent_integer;
  }

  TimelineSlice slice(const Rows& rows, std::size_t row, std::size_t index) const {
    const std::int64_t start = rows_.integer(rows.start, row);
    return {start, start + std::max<std::int64_t>(0, rows_.integer(rows.dur, row)), index};
  }

  std::int64_t first_instant() const {
    std::optional<std::int64_t> first;
    for (const Rows* rows : {&kernel_rows, &copy_rows, &op_rows, &call_rows, &range_rows})
      for (std::size_t row = 0; row < rows_.count(rows->table); ++row)
        if (placed(*rows, row)) first = std::min(first.value_or(INT64_MAX), rows_.integer(rows->start, row));
    return first.value_or(0);
  }

  void find_launches() {
    for (const ColumnId launch : {column("kernels.launch"), column("copies.launch"), column("memsets.launch")})
      for (std::size_t row = 0; row < rows_.count(table_of(launch)); ++row)
        if (const std::uint32_t call = rows_.index(launch, row); call != absent_index) launches_.insert(call);
  }

  static TableId table_of(ColumnId launch) {
    if (launch == column("kernels.launch")) return table("kernels");
    return launch == column("copies.launch") ? table("copies") : table("memsets");
  }

  std::string rank_words(std::uint32_t rank) const {
    if (rank == absent_index) return prefix_;
    return prefix_ + "rank " + std::to_string(rows_.integer(column("ranks.id"), rank)) + " ";
  }

  std::string device_name(std::uint32_t device) const {
    if (device == absent_index) return prefix_ + "GPU";
    const std::string_view kind = rows_.text(column("devices.kind"), device);
    const std::int64_t id = rows_.integer(column("devices.id"), device);
    return rank_words(rows_.index(column("devices.rank"), device)) + std::string(kind.empty() ? "GPU" : kind) + " " +
           (id == absent_integer ? "" : std::to_string(id));
  }

  std::string stream_name(std::uint32_t stream) const {
    if (stream == absent_index) return "stream";
    const std::int64_t id = rows_.integer(column("streams.id"), stream);
    return id == absent_integer ? "stream " + std::string(rows_.text(column("streams.name"), stream))
                                : "stream " + std::to_string(id);
  }

  std::string thread_name(std::uint32_t thread) const {
    if (thread == absent_index) return "host";
    const std::string name(rows_.text(column("threads.name"), thread));
    const std::string id = std::to_string(rows_.integer(column("threads.id"), thread));
    return name.empty() ? "thread " + id : name.find(id) == std::string::npos ? name + " " + id : name;
  }

  PacketName name_of(const Shown& shown, std::string& made) const {
    const Rows& rows = *shown.rows;
    if (&rows == &copy_rows) {
      made = copy_name(rows_, shown.row);
      return {0, made};
    }
    if (&rows == &memset_rows) return {0, "Memset (Device)"};
    const std::uint32_t id = rows_.index(rows.name, shown.row);
    if (id == absent_index) return {0, "without a name"};
    return {first_text_ + id, rows_.text(rows.name, shown.row)};
  }

  PacketArguments arguments_of(const Shown& shown) const {
    PacketArguments out;
    const auto add = [&](std::string_view name, ColumnId column_of_value) {
      if (const std::int64_t value = rows_.integer(column_of_value, shown.row); value != absent_integer)
        out.numbers.emplace_back(name, value);
    };
    const auto flow = [&](ColumnId launch) {
      if (const std::uint32_t call = rows_.index(launch, shown.row); call != absent_index)
        out.flows_in.push_back(first_text_ + call);
    };
    if (shown.rows == &kernel_rows) {
      add("correlation", column("kernels.correlation"));
      flow(column("kernels.launch"));
    } else if (shown.rows == &copy_rows) {
      add("bytes", column("copies.bytes"));
      add("correlation", column("copies.correlation"));
      flow(column("copies.launch"));
    } else if (shown.rows == &memset_rows) {
      add("bytes", column("memsets.bytes"));
      add("correlation", column("memsets.correlation"));
      flow(column("memsets.launch"));
    } else if (shown.rows == &call_rows) {
      add("correlation", column("api.correlation"));
      if (launches_.contains(static_cast<std::uint32_t>(shown.row))) out.flows_out.push_back(first_text_ + shown.row);
    }
    return out;
  }

  /// Writes the rows of one place as lanes below a track.
  void write_place(std::uint64_t parent, const std::string& name, std::int64_t rank, const std::vector<Shown>& shown,
                   Nesting nesting) {
    stop_if(cancel_);
    std::vector<TimelineSlice> slices;
    for (std::size_t i = 0; i < shown.size(); ++i) slices.push_back(slice(*shown[i].rows, shown[i].row, i));
    std::uint64_t track = 0;
    std::string made;
    arrange_lanes(
        std::move(slices), nesting, [&] { track = writer_.track(parent, name, rank); },
        [&](const TimelineSlice& one) {
          const Shown& what = shown[one.index];
          writer_.begin(track, one.start, what.rows->category, name_of(what, made), arguments_of(what));
          ++events_;
        },
        [&](const TimelineSlice& one) { writer_.end(track, one.end); });
  }

  void write_devices() {
    std::map<std::uint32_t, std::map<std::uint32_t, std::vector<Shown>>> by_device;
    const std::pair<const Rows*, ColumnId> tables[] = {{&kernel_rows, column("kernels.device")},
                                                       {&copy_rows, column("copies.device")},
                                                       {&memset_rows, column("memsets.device")}};
    for (const auto& [rows, device] : tables)
      for (std::size_t row = 0; row < rows_.count(rows->table); ++row)
        if (placed(*rows, row))
          by_device[rows_.index(device, row)][rows_.index(rows->place, row)].push_back({rows, row});
    for (const auto& [device, streams] : by_device) {
      const std::uint64_t process = writer_.process(device_name(device));
      std::int64_t rank = 0;
      for (const auto& [stream, shown] : streams)
        write_place(process, stream_name(stream), rank++, shown, Nesting::none);
    }
  }

  void write_threads() {
    std::map<std::pair<std::uint32_t, std::int64_t>, std::map<std::uint32_t, std::vector<Shown>>> by_process;
    for (const Rows* rows : {&op_rows, &call_rows, &range_rows})
      for (std::size_t row = 0; row < rows_.count(rows->table); ++row) {
        const std::uint32_t thread = rows_.index(rows->place, row);
        const bool of_device = rows == &range_rows && rows_.index(column("annotations.device"), row) != absent_index;
        if (!placed(*rows, row) || of_device) continue;
        const std::uint32_t rank = thread == absent_index ? absent_index : rows_.index(column("threads.rank"), thread);
        const std::int64_t process =
            thread == absent_index ? absent_integer : rows_.integer(column("threads.process"), thread);
        by_process[{rank, process}][thread].push_back({rows, row});
      }
    for (const auto& [who, threads] : by_process) {
      const std::string number = who.second == absent_integer ? "" : " " + std::to_string(who.second);
      const std::uint64_t process = writer_.process(rank_words(who.first) + "host process" + number);
      std::int64_t rank = 0;
      for (const auto& [thread, shown] : threads)
        write_place(process, thread_name(thread), rank++, shown, Nesting::calls);
    }
  }

  /// Slices of ours, by what they are of.
  using Lanes = std::map<std::uint32_t, std::vector<std::pair<TimelineSlice, std::string>>>;

  void write_lanes(std::uint64_t parent, const Lanes& lanes, const std::function<std::string(std::uint32_t)>& name) {
    std::int64_t rank = 1000;  // below the findings
    for (const auto& lane : lanes) {
      const std::uint32_t of = lane.first;
      const auto& shown = lane.second;
      std::vector<TimelineSlice> slices;
      for (std::size_t i = 0; i < shown.size(); ++i) slices.push_back({shown[i].first.start, shown[i].first.end, i});
      std::uint64_t track = 0;
      arrange_lanes(
          std::move(slices), Nesting::none, [&] { track = writer_.track(parent, name(of), rank++); },
          [&](const TimelineSlice& one) {
            writer_.begin(track, one.start, kdiag_lane, {0, shown[one.index].second});
          },
          [&](const TimelineSlice& one) { writer_.end(track, one.end); });
    }
  }

  void write_steps(std::uint64_t parent) {
    constexpr Rows steps{table("steps"), column("steps.start"), column("steps.dur"), {}, {}, {}};
    Lanes lanes;
    for (std::size_t row = 0; row < rows_.count(steps.table); ++row) {
      if (!placed(steps, row)) continue;
      const std::string_view kind = rows_.text(column("steps.kind"), row);
      const std::int64_t number = rows_.integer(column("steps.index"), row);
      lanes[rows_.index(column("steps.rank"), row)].emplace_back(
          slice(steps, row, row), "step" + (number == absent_integer ? "" : " " + std::to_string(number)) +
                                      (kind.empty() || kind == "steady" ? "" : " (" + std::string(kind) + ")"));
    }
    write_lanes(parent, lanes, [this](std::uint32_t rank) { return rank_words(rank) + "steps"; });
  }

  void write_idle(std::uint64_t parent) {
    constexpr Rows idle{table("idle"), column("idle.start"), column("idle.dur"), {}, {}, {}};
    Lanes lanes;
    for (std::size_t row = 0; row < rows_.count(idle.table); ++row) {
      if (!placed(idle, row)) continue;
      std::string_view why = rows_.text(column("idle.blame"), row);
      if (why.empty()) why = rows_.text(column("idle.cause"), row);
      lanes[rows_.index(column("idle.device"), row)].emplace_back(
          slice(idle, row, row), "idle: " + std::string(why.empty() ? "not known" : why));
    }
    write_lanes(parent, lanes, [this](std::uint32_t device) { return "idle of " + device_name(device); });
  }

  const RunRows rows_;
  const RunView& view_;
  PacketWriter& writer_;
  CancelFlag cancel_;
  const std::uint64_t first_text_;  ///< numbers of names and arrows of this run begin here
  const std::string prefix_;
  std::unordered_set<std::uint32_t> launches_;
  std::size_t events_ = 0;
};

}  // namespace

std::size_t write_perfetto(const Facts& facts, const Report& report,
                           const std::function<bool(std::string_view)>& output, const std::atomic<bool>* cancel) {
  std::size_t events = 0;
  try {
    PacketWriter writer(output);
    std::uint64_t numbers = 1;
    const std::vector<RunView> views = views_of(report, cancel);  // those of the facts come first
    for (std::size_t run = 0; run < std::min(run_count(facts), views.size()); ++run) {
      events += RunTimeline(facts, views[run], run, writer, cancel, numbers).write();
      const RunRows rows(facts, run);
      numbers += text_count(facts, run) + rows.count(table("api"));
    }
    writer.finish();
  } catch (const Interrupted&) {
  }
  return events;
}

}  // namespace kdiag
