// SPDX-License-Identifier: Apache-2.0
#include "adapters/generic/chrome/places.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/names/work_names.hpp"
#include "adapters/rows/numbered.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters::chrome {
namespace {

/// Ids of processes or threads as numbers: their own where they have one, numbers behind the largest of those else.
class Identities {
 public:
  void see(const std::string& text) { ids_.try_emplace(text); }
  void settle() {
    constexpr std::int64_t limit = std::int64_t{1} << 62;  // larger ones are names, too
    std::int64_t largest = 0;
    for (auto& [text, id] : ids_) {
      const auto number = parse_number<std::int64_t>(text);
      if (!number || *number > limit || *number < -limit) continue;
      id = *number;
      largest = std::max(largest, *number);
    }
    for (auto& [text, id] : ids_)
      if (!id) id = ++largest;
  }
  std::int64_t operator[](const std::string& text) const { return *ids_.at(text); }

 private:
  std::map<std::string, std::optional<std::int64_t>> ids_;
};

bool is_number(std::string_view text) { return text.find_first_not_of("-0123456789") == std::string_view::npos; }

using RankOrNone = std::optional<std::int64_t>;

/// Rows that nobody named and that show nothing but kernels and copies are queues, and those of copies alone are rows
/// of copies: a tool that lists what it got from CUPTI or roctracer names no rows.
void find_unnamed_work(const Trace& trace, std::vector<Place>& places) {
  enum class Work : std::uint8_t { unknown, none, transfer, kernel };
  std::vector<Work> works(trace.names.size());
  const auto work_of = [&](const Mark& mark) {
    if (mark.name == Mark::no_name || mark.phase != Phase::complete) return Work::none;
    Work& work = works[mark.name];
    const std::string& name = trace.names[mark.name];
    if (work == Work::unknown)
      work = names_kernel(name) ? Work::kernel : names_transfer(name) ? Work::transfer : Work::none;
    return work;
  };
  std::set<std::string_view> processes;
  std::vector<std::size_t> transfers;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Place& place = places[i];
    if (place.named || place.asynchronous || trace.marks[i].empty()) continue;
    Work row = Work::transfer;
    for (const Mark& mark : trace.marks[i]) {
      const Work work = work_of(mark);
      if (work != Work::transfer) row = work;
      if (work == Work::none) break;
    }
    if (row == Work::transfer) transfers.push_back(i);
    if (row != Work::kernel) continue;
    place.meaning.kind = RowKind::queue;
    processes.insert(trace.tracks[i].process);
  }
  for (const std::size_t i : transfers)
    if (processes.contains(trace.tracks[i].process)) places[i].meaning.kind = RowKind::queue;
}

/// Rows named after copies alone show those of the devices, if the trace has any.
void find_copies(std::vector<Place>& places) {
  const bool devices =
      std::any_of(places.begin(), places.end(), [](const Place& place) { return place.meaning.kind != RowKind::host; });
  if (!devices) return;
  for (Place& place : places)
    if (place.meaning.kind == RowKind::host && place.meaning.copies) place.meaning.kind = RowKind::device;
}

/// Devices that no name numbers: the only one that works, if its number is known, else one for each process as they
/// come.
void number_devices(const Trace& trace, std::vector<Place>& places) {
  std::map<RankOrNone, std::set<std::int64_t>> stated;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i].meaning.kind != RowKind::host && places[i].meaning.device && !trace.marks[i].empty())
      stated[places[i].rank].insert(*places[i].meaning.device);
  std::map<std::pair<RankOrNone, std::string>, std::int64_t> numbers;
  std::map<RankOrNone, std::int64_t> next;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Place& place = places[i];
    if (place.meaning.kind == RowKind::host) continue;
    if (place.meaning.device) {
      place.device = *place.meaning.device;
    } else if (const auto& known = stated[place.rank]; known.size() == 1) {
      place.device = *known.begin();
    } else {
      const auto [found, added] = numbers.try_emplace({place.rank, trace.tracks[i].process});
      if (added) found->second = next[place.rank]++;
      place.device = found->second;
    }
  }
}

/// Where a device has rows of queues, its other rows show the same work again, summed up or grouped.
void choose_work_rows(std::vector<Place>& places) {
  std::set<std::pair<RankOrNone, std::int64_t>> queued;
  for (const Place& place : places)
    if (place.meaning.kind == RowKind::queue) queued.emplace(place.rank, place.device);
  for (Place& place : places)
    if (place.meaning.kind == RowKind::device && queued.contains({place.rank, place.device}))
      place.meaning.kind = RowKind::device_range;
}

}  // namespace

Trace merge(std::vector<std::unique_ptr<Events>> chunks) {
  Trace trace;
  Numbered names;
  Numbered track_keys;
  for (std::unique_ptr<Events>& chunk : chunks) {
    std::vector<std::uint32_t> name_of;
    for (const std::string& name : chunk->names.texts()) name_of.push_back(names(name));
    std::vector<std::uint32_t> track_of;
    for (Track& track : chunk->tracks) {
      track_of.push_back(track_keys(track.process + '\0' + track.thread + '\0' + track.id));
      if (track_of.back() == trace.tracks.size()) trace.tracks.push_back(std::move(track));
    }
    trace.marks.resize(trace.tracks.size());
    for (Mark mark : chunk->marks) {
      mark.track = track_of[mark.track];
      if (mark.name != Mark::no_name) mark.name = name_of[mark.name];
      if (trace.begin == absent_integer || mark.time < trace.begin) trace.begin = mark.time;
      trace.end = std::max(trace.end, mark.time + mark.dur);
      trace.marks[mark.track].push_back(mark);
    }
    for (Sample sample : chunk->samples) {
      sample.series = name_of[sample.series];
      sample.track = track_of[sample.track];
      trace.samples.push_back(sample);
    }
    trace.row_names.processes.merge(chunk->row_names.processes);
    trace.row_names.labels.merge(chunk->row_names.labels);
    trace.row_names.threads.merge(chunk->row_names.threads);
    chunk.reset();
  }
  trace.names = names.texts();
  return trace;
}

std::vector<Place> find_places(const Trace& trace, FactSink& sink) {
  Identities processes;
  Identities threads;
  for (const Track& track : trace.tracks) {
    processes.see(track.process);
    threads.see(track.thread);
  }
  processes.settle();
  threads.settle();
  RankNumbers ranks;
  std::vector<Place> places(trace.tracks.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Track& track = trace.tracks[i];
    Place& place = places[i];
    place.asynchronous = !track.id.empty();
    if (place.asynchronous) continue;
    place.process = processes[track.process];
    place.thread = threads[track.thread];
    std::string_view process = find_text(trace.row_names.processes, track.process);
    if (process.empty() && !is_number(track.process)) process = track.process;
    place.thread_name = find_text(trace.row_names.threads, std::pair(track.process, track.thread));
    if (place.thread_name.empty() && track.thread != track.process && !is_number(track.thread))
      place.thread_name = track.thread;
    const std::string_view label = find_text(trace.row_names.labels, track.process);
    place.executor = process.starts_with("/job:");
    place.named = !process.empty() || !label.empty() || !place.thread_name.empty();
    place.meaning = row_meaning(process, label, place.thread_name);
    place.queue = place.meaning.queue.value_or(place.thread);
    ranks.see(place.meaning.rank);
  }
  for (Place& place : places) {
    place.rank = ranks.number(place.meaning.rank);
    if (const auto stage = place.meaning.rank.find("pp"); stage != place.meaning.rank.end())
      place.stage = stage->second;
  }
  if (ranks.composed()) sink.note(note_id::numbered_ranks);
  find_unnamed_work(trace, places);
  find_copies(places);
  number_devices(trace, places);
  choose_work_rows(places);
  return places;
}

}  // namespace kdiag::adapters::chrome
