// SPDX-License-Identifier: Apache-2.0
#include "adapters/generic/chrome/finish.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/generic/chrome/node_ops.hpp"
#include "adapters/generic/chrome/places.hpp"
#include "adapters/generic/chrome/ranges.hpp"
#include "adapters/names/api_names.hpp"
#include "adapters/names/comm_names.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/names/range_names.hpp"
#include "adapters/rows/call_rows.hpp"
#include "adapters/rows/enclosing.hpp"

namespace kdiag::adapters::chrome {
namespace {

constexpr std::size_t rows_per_batch = 65536;

/// Writes rows into batches of bounded size.
class Writer {
 public:
  Writer(const Trace& trace, const std::vector<Place>& places, FactSink& sink)
      : trace_(trace), places_(places), node_ops_(trace, places), sink_(sink) {
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
    worked_ = true;
    if (!copy.kind.empty()) {
      const Row row = timed(range, table("copies"), column("copies.start"), column("copies.dur"),
                            column("copies.device"), column("copies.stream"));
      set_op(row, column("copies.external"), range);
      batch_.set(row, column("copies.kind"), copy.kind);
      if (!copy.src.empty()) batch_.set(row, column("copies.src"), copy.src);
      if (!copy.dst.empty()) batch_.set(row, column("copies.dst"), copy.dst);
    } else if (class_of(range.name) == "memset") {
      timed(range, table("memsets"), column("memsets.start"), column("memsets.dur"), column("memsets.device"),
            column("memsets.stream"));
    } else {
      const Row row = timed(range, table("kernels"), column("kernels.start"), column("kernels.dur"),
                            column("kernels.device"), column("kernels.stream"));
      set_op(row, column("kernels.external"), range);
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
    const std::string_view base = base_call_name(trace_.names[range.name]);
    launched_ = launched_ || is_launch_call(base);
    const Row row = add_call(batch_, base, range.start, range.dur);
    batch_.set(row, column("api.thread"), thread(range.track));
    submit_when_full();
  }

  /// An operator of TensorFlow's executor.
  bool is_op(const Range& range) const { return places_[range.track].executor && range.node != Mark::no_name; }

  void op(const Range& range) {
    const Row row = batch_.add(table("ops"));
    if (range.name != Mark::no_name) batch_.set(row, column("ops.name"), name(range.name));
    batch_.set(row, column("ops.start"), range.start);
    batch_.set(row, column("ops.dur"), range.dur);
    batch_.set(row, column("ops.thread"), thread(range.track));
    batch_.set(row, column("ops.external"), node_ops_.at(range.node, range.start));
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
    if (launched_ && !worked_) sink_.note(note_id::no_device_work);
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

  void set_op(Row work, ColumnId external, const Range& range) {
    if (range.node == Mark::no_name) return;
    if (const std::int64_t op = node_ops_.before(range.node, range.start); op != 0) batch_.set(work, external, op);
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
  NodeOps node_ops_;
  FactSink& sink_;
  Batch batch_;
  std::vector<Row> rows_;                                        ///< of the batch, by track
  std::unordered_map<std::uint32_t, Text> names_;                ///< of the batch
  std::unordered_map<std::uint32_t, std::string_view> classes_;  ///< of all
  std::size_t rows_in_batch_ = 0;
  std::uint64_t sequence_ = 0;
  bool launched_ = false, worked_ = false;  ///< calls did, and a device
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

/// Whether a session of ONNX Runtime wrote it: it marks its start, and what it took for each node of the model.
bool is_onnx_runtime(const Trace& trace) {
  const auto any = [&](auto is) { return std::any_of(trace.names.begin(), trace.names.end(), is); };
  return any([](std::string_view name) { return name == "session_initialization" || name == "model_run"; }) &&
         any([](std::string_view name) { return name.ends_with("_kernel_time"); });
}

RunInfo run_info(const Trace& trace) {
  // Before 1973 is no date but an origin that the input does not state.
  constexpr std::int64_t earliest_date = 100'000'000'000'000'000;
  RunInfo info;
  if (is_onnx_runtime(trace)) info.producer = "ONNX Runtime";
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
      else if (writer.is_op(ranges[at])) writer.op(ranges[at]);
      else if (writer.is_call(ranges[at])) writer.call(ranges[at]);
      else writer.annotation(ranges[at]);
    }
  }
  for (const Sample& sample : trace.samples) writer.sample(sample);
  note_pairs(tally, sink);
  writer.finish();
}

}  // namespace kdiag::adapters::chrome
