// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/perfetto/finish.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/note_ids.hpp>

#include "adapters/google/perfetto/places.hpp"
#include "adapters/google/perfetto/rows.hpp"
#include "adapters/google/perfetto/slices.hpp"
#include "adapters/rows/device_samples.hpp"
#include "adapters/rows/enclosing.hpp"

namespace kdiag::adapters::perfetto {
namespace {

RunInfo run_info(const Trace& trace) {
  // Before 1973 is no date but an origin that the input does not state.
  constexpr std::int64_t earliest_date = 100'000'000'000'000'000;
  RunInfo info;
  info.producer = trace.producer;
  bool dated = trace.to_unix.has_value();
  for (const Track& track : trace.tracks)
    for (const Mark& mark : track.marks) dated = dated || mark.time >= earliest_date;
  for (const Stage& stage : trace.stages) dated = dated || stage.start >= earliest_date;
  info.clock = dated ? ClockDomain::unix_ns : ClockDomain::device;
  return info;
}

std::int64_t end_of(const Trace& trace) {
  std::int64_t end = absent_integer;
  for (const Track& track : trace.tracks)
    for (const Mark& mark : track.marks) end = std::max(end, mark.time + mark.dur);
  return end;
}

void add_slices(Trace& trace, const std::vector<Place>& places, Rows& rows, FactSink& sink) {
  const std::int64_t end = end_of(trace);
  PairTally tally;
  for (std::uint32_t track = 0; track < trace.tracks.size() && !sink.cancelled(); ++track) {
    const std::vector<Slice> slices = pair_slices(std::exchange(trace.tracks[track].marks, {}), end, tally);
    const std::vector<bool> groups =
        places[track].meaning.kind == RowKind::queue ? enclosing(slices) : std::vector<bool>(slices.size());
    for (std::size_t i = 0; i < slices.size(); ++i) rows.add(slices[i], track, groups[i]);
  }
  if (tally.unended != 0) sink.note(note_id::closed_range, {}, tally.unended);
  if (tally.unbegun != 0) sink.note(note_id::end_without_begin, {}, tally.unbegun);
}

/// Stages of one queue may stand in each other: a pass in a command buffer.
void add_stages(std::vector<Stage> all, Rows& rows, FactSink& sink) {
  std::map<std::pair<std::int64_t, std::uint64_t>, std::vector<Stage>> queues;
  for (const Stage& stage : all) queues[{stage.gpu, stage.queue}].push_back(stage);
  all = {};
  for (auto& [queue, stages] : queues) {
    if (sink.cancelled()) return;
    std::stable_sort(stages.begin(), stages.end(), [](const Stage& a, const Stage& b) {
      return a.start != b.start ? a.start < b.start : a.dur > b.dur;
    });
    const std::vector<bool> groups = enclosing(stages);
    for (std::size_t i = 0; i < stages.size(); ++i) rows.add(stages[i], groups[i]);
  }
}

/// What the trace records is empty where it has no rows; what it does not record is unknown.
void declare_tables(const Trace& trace, Rows& rows) {
  const auto has = [&trace](Kind kind) {
    for (const Track& track : trace.tracks)
      for (const Mark& mark : track.marks)
        if (mark.kind == kind) return true;
    return false;
  };
  if (has(Kind::kernel) || has(Kind::own_kernel) || has(Kind::own_copy) || !trace.stages.empty())
    for (const TableId id : {table("kernels"), table("copies"), table("memsets"), table("comms")}) rows.declare(id);
  if (has(Kind::call)) rows.declare(table("api"));
  if (has(Kind::op)) rows.declare(table("ops"));
  rows.declare(table("annotations"));
}

void note_guesses(const std::vector<Place>& places, const Rows& rows, FactSink& sink) {
  for (std::uint32_t track = 0; track < places.size(); ++track) {
    if (!rows.guessed(track)) continue;
    std::string name(places[track].around);
    if (!name.empty() && !places[track].name.empty()) name += ", ";
    sink.note(note_id::guessed_device_row, name + std::string(places[track].name));
  }
}

void submit_samples(const Trace& trace, std::uint64_t sequence, FactSink& sink) {
  if (trace.gpu_samples.empty()) return;
  DeviceSamples samples("");
  for (const GpuSample& sample : trace.gpu_samples)
    if (!add_telemetry(samples, *sample.about, sample.gpu, sample.time, sample.value, sample.unit))
      sink.note(note_id::malformed_value, sample.about->name);
  if (trace.to_unix) samples.shift_times(*trace.to_unix);
  sink.submit(sequence, samples.take());
}

}  // namespace

void finish(Trace trace, FactSink& sink) {
  const std::vector<Place> places = find_places(trace);
  sink.run(run_info(trace));
  Rows rows(trace, places, sink);
  declare_tables(trace, rows);
  rows.add_gpus();
  add_slices(trace, places, rows, sink);
  add_stages(std::exchange(trace.stages, {}), rows, sink);
  for (const Sample& sample : trace.samples) rows.add(sample);
  note_guesses(places, rows, sink);
  submit_samples(trace, rows.finish(), sink);
}

}  // namespace kdiag::adapters::perfetto
