// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/names/copy_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/names/range_names.hpp"
#include "adapters/pytorch/autograd/events.hpp"
#include "adapters/rows/enclosing.hpp"

namespace kdiag::adapters::autograd {
namespace {

constexpr std::size_t rows_per_batch = 65536;

/// All chunks as one: rows and names have the same number everywhere.
struct Trace {
  std::vector<std::string> names;
  std::vector<Track> tracks;
  std::vector<std::vector<Range>> ranges;  ///< by track
  std::vector<Flow> flows;
};

Trace merge(std::vector<std::unique_ptr<Events>> chunks) {
  Trace trace;
  Numbered names;
  Numbered rows;
  Numbered nodes;
  for (std::unique_ptr<Events>& chunk : chunks) {
    std::vector<std::uint32_t> name_of;
    for (const std::string& name : chunk->names.texts()) name_of.push_back(names(name));
    std::vector<std::uint32_t> track_of_row;
    for (const std::string& row : chunk->rows.texts()) {
      track_of_row.push_back(rows(row));
      if (track_of_row.back() == trace.tracks.size()) trace.tracks.push_back(track_of(row, nodes));
    }
    const auto renumbered = [&](Point at) {
      at.track = track_of_row[at.track];
      at.name = name_of[at.name];
      return at;
    };
    trace.ranges.resize(trace.tracks.size());
    for (Range range : chunk->ranges) {
      range.at = renumbered(range.at);
      trace.ranges[range.at.track].push_back(range);
    }
    for (Flow flow : chunk->flows) {
      flow.at = renumbered(flow.at);
      trace.flows.push_back(flow);
    }
    chunk.reset();
  }
  trace.names = names.texts();
  return trace;
}

/// Which operator put a range on a device: an id that both have, 0 for none.
class Links {
 public:
  explicit Links(const std::vector<Flow>& flows) {
    std::map<std::int64_t, Point> from;
    for (const Flow& flow : flows)
      if (!flow.work) {
        from.try_emplace(flow.id, flow.at);
        of_ops_.try_emplace(flow.at, flow.id + 1);  // 0 is no id
      }
    for (const Flow& flow : flows)
      if (flow.work)
        if (const auto op = from.find(flow.id); op != from.end()) of_work_.try_emplace(flow.at, op->second);
  }

  std::int64_t of_op(const Point& op) const {
    const auto found = of_ops_.find(op);
    return found == of_ops_.end() ? 0 : found->second;
  }
  /// Where the operator of a device's range begins; nullptr where it is not known.
  const Point* op_of(const Point& work) const {
    const auto found = of_work_.find(work);
    return found == of_work_.end() ? nullptr : &found->second;
  }
  bool empty() const { return of_ops_.empty(); }

 private:
  std::map<Point, std::int64_t> of_ops_;
  std::map<Point, Point> of_work_;
};

class Writer {
 public:
  Writer(const Trace& trace, FactSink& sink) : trace_(trace), links_(trace.flows), sink_(sink) {}

  void op(const Range& range) {
    const std::string& name = trace_.names[range.at.name];
    const Track& track = trace_.tracks[range.at.track];
    const Row thread = batch_.thread(track.process, track.id);
    const std::string_view kind = range_kind(name);
    if (kind != "user") annotation(range, kind, column("annotations.thread"), thread);
    const Row row = batch_.add(table("ops"));
    batch_.set(row, column("ops.name"), name);
    batch_.set(row, column("ops.start"), range.start);
    batch_.set(row, column("ops.dur"), range.dur);
    batch_.set(row, column("ops.thread"), thread);
    if (const std::int64_t id = links_.of_op(range.at); id != 0) batch_.set(row, column("ops.external"), id);
    submit_when_full();
  }

  void device_range(const Range& range) {
    annotation(range, "device", column("annotations.device"), batch_.device(trace_.tracks[range.at.track].id));
    submit_when_full();
  }

  void work(const Range& range) {
    const std::string& name = trace_.names[range.at.name];
    const CopyName copy = names_copy(name) ? parse_copy_name(name) : CopyName{};
    if (!copy.kind.empty()) {
      const Row row = timed(range, table("copies"), column("copies.start"), column("copies.dur"),
                            column("copies.device"), column("copies.external"));
      batch_.set(row, column("copies.kind"), copy.kind);
      if (!copy.src.empty()) batch_.set(row, column("copies.src"), copy.src);
      if (!copy.dst.empty()) batch_.set(row, column("copies.dst"), copy.dst);
    } else {
      const Row row = timed(range, table("kernels"), column("kernels.start"), column("kernels.dur"),
                            column("kernels.device"), column("kernels.external"));
      batch_.set(row, column("kernels.name"), name);
      batch_.set(row, column("kernels.class"), classes_(name));
    }
    submit_when_full();
  }

  /// Whether a range lasts from an event in front of its operator to one behind it: it has the operator's name then,
  /// and holds what the operators inside did. Later versions have the names of kernels, which may run side by side.
  bool is_measured_around(const Range& range) const {
    const Point* op = links_.op_of(range.at);
    return op == nullptr || op->name == range.at.name;
  }

  bool has_launches() const { return !links_.empty(); }
  void finish() { sink_.submit(sequence_++, std::move(batch_)); }

 private:
  void annotation(const Range& range, std::string_view kind, ColumnId place, Row at) {
    const Row row = batch_.add(table("annotations"));
    batch_.set(row, column("annotations.name"), trace_.names[range.at.name]);
    batch_.set(row, column("annotations.kind"), kind);
    batch_.set(row, column("annotations.start"), range.start);
    batch_.set(row, column("annotations.dur"), range.dur);
    batch_.set(row, place, at);
  }

  Row timed(const Range& range, TableId table, ColumnId start, ColumnId dur, ColumnId device, ColumnId external) {
    const Row row = batch_.add(table);
    batch_.set(row, start, range.start);
    batch_.set(row, dur, range.dur);
    batch_.set(row, device, batch_.device(trace_.tracks[range.at.track].id));
    if (const Point* op = links_.op_of(range.at))
      if (const std::int64_t id = links_.of_op(*op); id != 0) batch_.set(row, external, id);
    return row;
  }

  void submit_when_full() {
    if (++rows_in_batch_ < rows_per_batch) return;
    sink_.submit(sequence_++, std::exchange(batch_, Batch()));
    rows_in_batch_ = 0;
  }

  const Trace& trace_;
  Links links_;
  FactSink& sink_;
  KernelClasses classes_;
  Batch batch_;
  std::size_t rows_in_batch_ = 0;
  std::uint64_t sequence_ = 0;
};

/// Its ranges, by start, longest first.
std::vector<Range> sorted(std::vector<Range> ranges) {
  std::stable_sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return std::tuple(a.start, -a.dur) < std::tuple(b.start, -b.dur);
  });
  return ranges;
}

}  // namespace

void finish(std::vector<std::unique_ptr<Events>> chunks, FactSink& sink) {
  Trace trace = merge(std::move(chunks));
  RunInfo run;
  run.producer = "torch.autograd.profiler";
  run.clock = ClockDomain::device;
  sink.run(std::move(run));
  Writer writer(trace, sink);
  bool device = false;
  for (std::size_t i = 0; i < trace.tracks.size() && !sink.cancelled(); ++i) {
    const std::vector<Range> ranges = sorted(std::exchange(trace.ranges[i], {}));
    if (!trace.tracks[i].device) {
      for (const Range& range : ranges) writer.op(range);
      continue;
    }
    const std::vector<bool> groups = enclosing(ranges);
    bool around = false;
    for (std::size_t at = 0; at < ranges.size(); ++at) {
      const bool measured = writer.is_measured_around(ranges[at]);
      around = around || measured;
      if (groups[at] && measured) writer.device_range(ranges[at]);
      else writer.work(ranges[at]);
    }
    device = device || !ranges.empty();
    if (around)
      sink.note(note_id::guessed_device_row, "device " + std::to_string(trace.tracks[i].id) +
                                                 ": times from before an operator's first kernel until after its last");
  }
  if (!device && writer.has_launches()) sink.note(note_id::no_device_work);
  writer.finish();
}

}  // namespace kdiag::adapters::autograd
