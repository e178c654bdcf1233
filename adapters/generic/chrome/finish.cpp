// SPDX-License-Identifier: Apache-2.0
#include "adapters/generic/chrome/finish.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/generic/chrome/ranges.hpp"
#include "adapters/names/api_names.hpp"
#include "adapters/names/comm_names.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/names/range_names.hpp"
#include "adapters/names/row_names.hpp"
#include "adapters/rows/call_rows.hpp"
#include "adapters/rows/enclosing.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters::chrome {
namespace {

constexpr std::size_t rows_per_batch = 65536;

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

/// All chunks as one: tracks and names have the same number everywhere.
struct Trace {
  std::vector<std::string> names;
  std::vector<Track> tracks;
  std::vector<std::vector<Mark>> marks;  ///< by track, in order of the file
  std::vector<Sample> samples;
  RowNames row_names;
  std::int64_t begin = absent_integer, end = absent_integer;  ///< of all ranges
};

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

/// What a row is, with all that names did not state filled in.
struct Place {
  RowMeaning meaning;
  std::int64_t process = 0, thread = 0;
  std::optional<std::int64_t> rank, stage;
  std::int64_t device = 0, queue = 0;
  std::string_view thread_name;
  bool asynchronous = false;
};

bool is_number(std::string_view text) { return text.find_first_not_of("-0123456789") == std::string_view::npos; }

template <class Key>
std::string_view find_text(const std::map<Key, std::string>& texts, const Key& key) {
  const auto found = texts.find(key);
  return found == texts.end() ? std::string_view{} : std::string_view(found->second);
}

using RankOrNone = std::optional<std::int64_t>;

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
    place.meaning = row_meaning(process, find_text(trace.row_names.labels, track.process), place.thread_name);
    place.queue = place.meaning.queue.value_or(place.thread);
    ranks.see(place.meaning.rank);
  }
  for (Place& place : places) {
    place.rank = ranks.number(place.meaning.rank);
    if (const auto stage = place.meaning.rank.find("pp"); stage != place.meaning.rank.end())
      place.stage = stage->second;
  }
  if (ranks.composed()) sink.note(note_id::numbered_ranks);
  find_copies(places);
  number_devices(trace, places);
  choose_work_rows(places);
  return places;
}

/// Writes rows into batches of bounded size.
class Writer {
 public:
  Writer(const Trace& trace, const std::vector<Place>& places, FactSink& sink)
      : trace_(trace), places_(places), sink_(sink) {
    forget();
  }

  void annotation(const Range& range) {
    const Place& place = places_[range.track];
    const bool device = place.meaning.kind != RowKind::host;
    const Row row = batch_.add(table("annotations"));
    if (range.name != Mark::no_name) batch_.set(row, column("annotations.name"), name(range.name));
    batch_.set(row, column("annotations.kind"), kind_of(range, place));
    batch_.set(row, column("annotations.start"), range.start);
    batch_.set(row, column("annotations.dur"), range.dur);
    if (device) {
      batch_.set(row, column("annotations.device"), device_of(place));
      if (place.meaning.kind == RowKind::queue) batch_.set(row, column("annotations.stream"), stream_of(range.track));
    } else if (!place.asynchronous) {
      batch_.set(row, column("annotations.thread"), thread(range.track));
    }
    submit_when_full();
  }

  /// Work of a device: a copy or a fill when its name says so, else a kernel.
  void work(const Range& range) {
    const std::string_view text = range.name == Mark::no_name ? std::string_view{} : trace_.names[range.name];
    const CopyName copy = names_copy(text) ? parse_copy_name(text) : CopyName{};
    if (!copy.kind.empty()) {
      const Row row = timed(range, table("copies"), column("copies.start"), column("copies.dur"),
                            column("copies.device"), column("copies.stream"));
      batch_.set(row, column("copies.kind"), copy.kind);
      if (!copy.src.empty()) batch_.set(row, column("copies.src"), copy.src);
      if (!copy.dst.empty()) batch_.set(row, column("copies.dst"), copy.dst);
    } else if (class_of(range.name) == "memset") {
      timed(range, table("memsets"), column("memsets.start"), column("memsets.dur"), column("memsets.device"),
            column("memsets.stream"));
    } else {
      const Row row = timed(range, table("kernels"), column("kernels.start"), column("kernels.dur"),
                            column("kernels.device"), column("kernels.stream"));
      if (range.name != Mark::no_name) {
        batch_.set(row, column("kernels.name"), name(range.name));
        batch_.set(row, column("kernels.class"), class_of(range.name));
        if (class_of(range.name) == "communication") collective(row, text.substr(0, text.find('(')));
      }
    }
    submit_when_full();
  }

  /// A call of the runtime or driver: a range on a thread's row with the name of one.
  bool is_call(const Range& range) const {
    const Place& place = places_[range.track];
    return place.meaning.kind == RowKind::host && !place.asynchronous && range.name != Mark::no_name &&
           is_runtime_call(base_call_name(trace_.names[range.name]));
  }

  void call(const Range& range) {
    const Row row = add_call(batch_, base_call_name(trace_.names[range.name]), range.start, range.dur);
    batch_.set(row, column("api.thread"), thread(range.track));
    submit_when_full();
  }

  void sample(const Sample& sample) {
    const Place& place = places_[sample.track];
    const Row row = batch_.add(table("samples"));
    batch_.set(row, column("samples.series"), name(sample.series));
    batch_.set(row, column("samples.time"), sample.time);
    batch_.set(row, column("samples.value"), sample.value);
    if (place.meaning.kind != RowKind::host) batch_.set(row, column("samples.device"), device_of(place));
    submit_when_full();
  }

  void finish() {
    batch_.declare(table("annotations"));
    sink_.submit(sequence_++, std::move(batch_));
  }

 private:
  void collective(Row kernel, std::string_view name) {
    const Row row = batch_.add(table("comms"));
    batch_.set(row, column("comms.kernel"), kernel);
    if (const auto op = collective_name(name)) batch_.set(row, column("comms.op"), *op);
    if (const std::string algorithm = collective_algorithm(name); !algorithm.empty())
      batch_.set(row, column("comms.algorithm"), algorithm);
  }

  std::string_view kind_of(const Range& range, const Place& place) const {
    if (place.meaning.kind != RowKind::host) return "device";
    if (place.meaning.communication) return "communication";
    return range.name == Mark::no_name ? "user" : range_kind(trace_.names[range.name]);
  }

  Row timed(const Range& range, TableId table, ColumnId start, ColumnId dur, ColumnId device, ColumnId stream) {
    const Place& place = places_[range.track];
    const Row row = batch_.add(table);
    batch_.set(row, start, range.start);
    batch_.set(row, dur, range.dur);
    batch_.set(row, device, device_of(place));
    batch_.set(row, stream, stream_of(range.track));
    return row;
  }

  Row rank(const Place& place) {
    if (!place.rank) return {};
    const Row row = batch_.rank(*place.rank);
    if (place.stage) batch_.set(row, column("ranks.stage"), *place.stage);
    return row;
  }
  Row device_of(const Place& place) { return batch_.device(place.device, rank(place)); }

  Row thread(std::uint32_t track) {
    Row& row = rows_[track];
    if (row.index != absent_index) return row;
    const Place& place = places_[track];
    row = batch_.thread(place.process, place.thread, rank(place));
    if (!place.thread_name.empty()) batch_.set(row, column("threads.name"), place.thread_name);
    return row;
  }

  Row stream_of(std::uint32_t track) {
    Row& row = rows_[track];
    if (row.index != absent_index) return row;
    const Place& place = places_[track];
    row = batch_.stream(device_of(place), place.queue);
    if (!place.thread_name.empty()) batch_.set(row, column("streams.name"), place.thread_name);
    return row;
  }

  Text name(std::uint32_t index) {
    const auto [known, added] = names_.try_emplace(index);
    if (added) known->second = batch_.text(trace_.names[index]);
    return known->second;
  }

  std::string_view class_of(std::uint32_t index) {
    if (index == Mark::no_name) return {};
    const auto [known, added] = classes_.try_emplace(index);
    if (added) known->second = kernel_class(trace_.names[index]);
    return known->second;
  }

  void submit_when_full() {
    if (++rows_in_batch_ < rows_per_batch) return;
    sink_.submit(sequence_++, std::exchange(batch_, Batch()));
    forget();
  }

  void forget() {
    rows_.assign(trace_.tracks.size(), Row{});
    names_.clear();
    rows_in_batch_ = 0;
  }

  const Trace& trace_;
  const std::vector<Place>& places_;
  FactSink& sink_;
  Batch batch_;
  std::vector<Row> rows_;                                        ///< of the batch, by track
  std::unordered_map<std::uint32_t, Text> names_;                ///< of the batch
  std::unordered_map<std::uint32_t, std::string_view> classes_;  ///< of all
  std::size_t rows_in_batch_ = 0;
  std::uint64_t sequence_ = 0;
};

void note_pairs(const PairTally& tally, FactSink& sink) {
  if (tally.unended != 0) sink.note(note_id::closed_range, {}, tally.unended);
  if (tally.unbegun != 0) sink.note(note_id::end_without_begin, {}, tally.unbegun);
}

void note_guesses(const Trace& trace, const std::vector<Place>& places, FactSink& sink) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const RowKind kind = places[i].meaning.kind;
    if (trace.marks[i].empty() || (kind != RowKind::queue && kind != RowKind::device)) continue;
    const std::string_view process = find_text(trace.row_names.processes, trace.tracks[i].process);
    std::string row(process.empty() ? std::string_view(trace.tracks[i].process) : process);
    if (!places[i].thread_name.empty()) row += ", " + std::string(places[i].thread_name);
    sink.note(note_id::guessed_device_row, row);
  }
}

RunInfo run_info(const Trace& trace) {
  // Before 1973 is no date but an origin that the input does not state.
  constexpr std::int64_t earliest_date = 100'000'000'000'000'000;
  RunInfo info;
  info.clock = trace.begin >= earliest_date ? ClockDomain::unix_ns : ClockDomain::device;
  return info;
}

}  // namespace

void finish(std::vector<std::unique_ptr<Events>> chunks, FactSink& sink) {
  Trace trace = merge(std::move(chunks));
  const std::vector<Place> places = find_places(trace, sink);
  sink.run(run_info(trace));
  note_guesses(trace, places, sink);
  Writer writer(trace, places, sink);
  PairTally tally;
  for (std::size_t i = 0; i < places.size() && !sink.cancelled(); ++i) {
    const std::vector<Range> ranges = pair_ranges(std::exchange(trace.marks[i], {}), trace.end, tally);
    const RowKind kind = places[i].meaning.kind;
    const std::vector<bool> groups = kind == RowKind::queue ? enclosing(ranges) : std::vector<bool>(ranges.size());
    for (std::size_t at = 0; at < ranges.size(); ++at) {
      const bool works = (kind == RowKind::queue || kind == RowKind::device) && !groups[at];
      if (works) writer.work(ranges[at]);
      else if (writer.is_call(ranges[at])) writer.call(ranges[at]);
      else writer.annotation(ranges[at]);
    }
  }
  for (const Sample& sample : trace.samples) writer.sample(sample);
  note_pairs(tally, sink);
  writer.finish();
}

}  // namespace kdiag::adapters::chrome
