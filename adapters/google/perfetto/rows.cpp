// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/perfetto/rows.hpp"

#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/names/api_names.hpp"
#include "adapters/names/device_names.hpp"
#include "adapters/names/range_names.hpp"
#include "adapters/rows/call_rows.hpp"
#include "adapters/rows/kernel_rows.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters::perfetto {
namespace {

constexpr std::size_t rows_per_batch = 65536;

bool is_device(RowKind kind) { return kind == RowKind::device || kind == RowKind::queue; }

std::optional<std::int64_t> stated(std::int64_t value) {
  return value == absent_integer ? std::nullopt : std::optional(value);
}

/// The device that runs all kernels, if one does.
std::optional<std::int64_t> find_only_agent(const Trace& trace, const std::vector<Place>& places) {
  std::optional<std::int64_t> only;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::vector<Mark>& marks = trace.tracks[i].marks;
    if (marks.empty() || marks.front().kind != Kind::kernel) continue;
    const auto agent = parse_agent_track(places[i]).agent;
    if (!agent || (only && *only != *agent)) return std::nullopt;
    only = agent;
  }
  return only;
}

}  // namespace

Rows::Rows(const Trace& trace, const std::vector<Place>& places, FactSink& sink)
    : trace_(trace),
      places_(places),
      sink_(sink),
      only_agent_(find_only_agent(trace, places)),
      guessed_(places.size()) {}

void Rows::add(const Slice& slice, std::uint32_t track, bool groups) {
  switch (slice.kind) {
    case Kind::kernel: add_dispatch(slice, track); break;
    case Kind::copy: add_agent_copy(slice, track); break;
    case Kind::call: add_call(slice, track); break;
    case Kind::op: add_op(slice, track); break;
    case Kind::own_kernel:
    case Kind::own_copy:
    case Kind::own_memset: add_own_work(slice, track); break;
    case Kind::derived: break;
    case Kind::range:
      add_step(slice);
      add_annotation(slice, track);
      break;
    case Kind::unknown:
      if (is_device(places_[track].meaning.kind) && !groups) add_guessed_work(slice, track);
      else if (is_runtime_call(base_call_name(trace_.text(slice.name)))) add_call(slice, track);
      else add_annotation(slice, track);
      break;
  }
  submit_when_full();
}

void Rows::add_annotation(const Slice& slice, std::uint32_t track) {
  const Place& place = places_[track];
  const bool host = place.meaning.kind == RowKind::host;
  const Row row = batch_.add(table("annotations"));
  if (slice.name != none) batch_.set(row, column("annotations.name"), text(slice.name));
  batch_.set(row, column("annotations.kind"), host ? range_kind(trace_.text(slice.name)) : "device");
  batch_.set(row, column("annotations.start"), slice.start);
  batch_.set(row, column("annotations.dur"), slice.dur);
  if (host) batch_.set(row, column("annotations.thread"), thread(track, details(slice).thread));
  else batch_.set(row, column("annotations.device"), batch_.device(place.meaning.device.value_or(0)));
}

/// The PyTorch profiler's own steps.
void Rows::add_step(const Slice& slice) {
  const auto step = parse_step_name(trace_.text(slice.name));
  if (!step || step->family != "ProfilerStep#") return;
  const Row row = batch_.add(table("steps"));
  batch_.set(row, column("steps.index"), step->number);
  batch_.set(row, column("steps.start"), slice.start);
  batch_.set(row, column("steps.dur"), slice.dur);
}

void Rows::add_op(const Slice& slice, std::uint32_t track) {
  const Row row = batch_.add(table("ops"));
  if (slice.name != none) batch_.set(row, column("ops.name"), text(slice.name));
  batch_.set(row, column("ops.start"), slice.start);
  batch_.set(row, column("ops.dur"), slice.dur);
  batch_.set(row, column("ops.thread"), thread(track, details(slice).thread));
}

void Rows::add_call(const Slice& slice, std::uint32_t track) {
  if (slice.name == none) return sink_.note(note_id::malformed_value, "name");
  const auto [known, added] = calls_.try_emplace(slice.name);
  if (added) known->second = named_call(batch_, base_call_name(trace_.text(slice.name)));
  const Row row = adapters::add_call(batch_, known->second, slice.start, slice.dur);
  batch_.set(row, column("api.thread"), thread(track, details(slice).thread));
  if (const std::int64_t id = details(slice).correlation; id > 0) batch_.set(row, column("api.correlation"), id);
}

/// A kernel of AMD's profilers. Only the products of the dimensions are stated; they stand in x.
void Rows::add_dispatch(const Slice& slice, std::uint32_t track) {
  const Details& about = details(slice);
  const AgentTrack agent = parse_agent_track(places_[track]);
  const Row row = add_kernel({.start = slice.start,
                              .dur = slice.dur,
                              .device = about.device == absent_integer ? agent.agent : about.device,
                              .queue = agent.queue ? agent.queue : stated(about.queue),
                              .queue_name = trace_.tracks[track].name,
                              .correlation = about.correlation,
                              .amd = true},
                             trace_.text(slice.name));
  if (about.workgroup > 0 && about.grid > 0) {
    batch_.set(row, column("kernels.grid_x"), (about.grid - 1) / about.workgroup + 1);
    batch_.set(row, column("kernels.block_x"), about.workgroup);
  }
  if (about.shared_memory >= 0) batch_.set(row, column("kernels.smem"), about.shared_memory);
}

/// A copy of AMD's profilers. Hosts are agents too: only the direction says which side is a device. The ROCm Systems
/// Profiler numbers the agents of copies in another way than those of kernels: there only a single device is known.
void Rows::add_agent_copy(const Slice& slice, std::uint32_t track) {
  const Details& about = details(slice);
  const AgentTrack agent = parse_agent_track(places_[track]);
  CopyName copy = parse_copy_name(trace_.text(slice.name));
  const auto source = stated(about.source);
  const auto destination = about.destination == absent_integer ? agent.agent : about.destination;
  if (copy.kind == "d2d" && source && destination && *source != *destination) copy.kind = "p2p";
  Work work{
      .start = slice.start, .dur = slice.dur, .queue = agent.queue, .correlation = about.correlation, .amd = true};
  if (copy.src == "device" && source) work.device = source;
  else if (copy.dst == "device") work.device = destination;
  if (!work.device && (copy.src == "device" || copy.dst == "device")) work.device = only_agent_;
  const Row row = add_copy(work, copy);
  if (about.bytes >= 0) batch_.set(row, column("copies.bytes"), about.bytes);
}

void Rows::add_guessed_work(const Slice& slice, std::uint32_t track) {
  guessed_[track] = true;
  add_named_work(work_of_row(slice, track), trace_.text(slice.name));
}

/// Work as kdiag writes it: of which table it is stands in its category.
void Rows::add_own_work(const Slice& slice, std::uint32_t track) {
  const Work work = work_of_row(slice, track);
  const std::string_view name = trace_.text(slice.name);
  if (slice.kind == Kind::own_kernel) return void(add_kernel(work, name));
  if (slice.kind == Kind::own_memset) return void(add_memset(work));
  const Row row = add_copy(work, parse_copy_name(name));
  if (const std::int64_t bytes = details(slice).bytes; bytes >= 0) batch_.set(row, column("copies.bytes"), bytes);
}

/// The device and the queue are those that the row is named after.
Rows::Work Rows::work_of_row(const Slice& slice, std::uint32_t track) const {
  const RowMeaning& meaning = places_[track].meaning;
  return {.start = slice.start,
          .dur = slice.dur,
          .device = meaning.device.value_or(0),
          .queue = meaning.queue ? *meaning.queue : std::int64_t{track},
          .queue_name = trace_.tracks[track].name,
          .correlation = details(slice).correlation};
}

void Rows::add(const Stage& stage, bool groups) {
  Work work{.start = stage.start,
            .dur = stage.dur,
            .device = stage.gpu,
            .queue = static_cast<std::int64_t>(stage.queue),
            .queue_name = stage.queue_name,
            .correlation = stage.correlation};
  if (const auto call = trace_.submissions.find(stage.event); call != trace_.submissions.end())
    work.correlation = call->second;
  const std::uint32_t name = stage.name == none ? stage.stage_name : stage.name;
  if (stage.kernel) {
    add_launch(add_kernel(work, trace_.text(name)), stage);
  } else if (groups) {
    const Row row = batch_.add(table("annotations"));
    batch_.set(row, column("annotations.kind"), "device");
    if (name != none) batch_.set(row, column("annotations.name"), text(name));
    batch_.set(row, column("annotations.start"), stage.start);
    batch_.set(row, column("annotations.dur"), stage.dur);
    batch_.set(row, column("annotations.device"), device(work));
  } else {
    const Row row = add_named_work(work, trace_.text(name));
    if (row.table == table("copies") && stage.bytes >= 0) batch_.set(row, column("copies.bytes"), stage.bytes);
  }
  submit_when_full();
}

void Rows::add_launch(Row kernel, const Stage& stage) {
  if (stage.grid) set_grid(batch_, kernel, *stage.grid);
  if (stage.block) set_block(batch_, kernel, *stage.block);
  if (stage.registers >= 0) batch_.set(kernel, column("kernels.regs"), stage.registers);
  if (stage.shared_memory >= 0) batch_.set(kernel, column("kernels.smem"), stage.shared_memory);
}

Row Rows::add_named_work(const Work& work, std::string_view name) {
  if (names_copy(name))
    if (const CopyName copy = parse_copy_name(name); !copy.kind.empty()) return add_copy(work, copy);
  if (classes_(name) == "memset") return add_memset(work);
  return add_kernel(work, name);
}

Row Rows::add_memset(const Work& work) {
  static constexpr Columns memsets{table("memsets"),         column("memsets.start"),  column("memsets.dur"),
                                   column("memsets.device"), column("memsets.stream"), column("memsets.correlation")};
  return add_work(work, memsets);
}

Row Rows::add_kernel(const Work& work, std::string_view name) {
  static constexpr Columns kernels{table("kernels"),         column("kernels.start"),  column("kernels.dur"),
                                   column("kernels.device"), column("kernels.stream"), column("kernels.correlation")};
  const Row row = add_work(work, kernels);
  if (name.empty()) return row;
  const Row comm = name_kernel(batch_, row, name, classes_);
  if (comm.index != absent_index && work.device) batch_.set(comm, column("comms.device"), device(work));
  return row;
}

Row Rows::add_copy(const Work& work, const CopyName& copy) {
  static constexpr Columns copies{table("copies"),         column("copies.start"),  column("copies.dur"),
                                  column("copies.device"), column("copies.stream"), column("copies.correlation")};
  const Row row = add_work(work, copies);
  if (!copy.kind.empty()) batch_.set(row, column("copies.kind"), copy.kind);
  if (!copy.src.empty()) batch_.set(row, column("copies.src"), copy.src);
  if (!copy.dst.empty()) batch_.set(row, column("copies.dst"), copy.dst);
  return row;
}

Row Rows::add_work(const Work& work, const Columns& columns) {
  const Row row = batch_.add(columns.table);
  batch_.set(row, columns.start, work.start);
  batch_.set(row, columns.dur, work.dur);
  if (work.correlation > 0) batch_.set(row, columns.correlation, work.correlation);
  if (!work.device) return row;
  if (!last_queue_.is_of(work)) {
    last_queue_ = {work.device, work.queue, work.queue_name, work.amd, device(work), {}};
    if (work.queue) last_queue_.stream = batch_.stream(last_queue_.on, *work.queue);
    if (work.queue && work.queue_name != none)
      batch_.set(last_queue_.stream, column("streams.name"), text(work.queue_name));
  }
  batch_.set(row, columns.device, last_queue_.on);
  if (work.queue) batch_.set(row, columns.stream, last_queue_.stream);
  return row;
}

Row Rows::device(const Work& work) {
  const Row row = batch_.device(*work.device);
  if (!work.amd) return row;
  batch_.set(row, column("devices.vendor"), "amd");
  batch_.set(row, column("devices.kind"), "GPU");
  return row;
}

void Rows::add_gpus() {
  std::int64_t id = 0;
  for (const Gpu& gpu : trace_.gpus) {
    const Row row = batch_.device(id++);
    batch_.set(row, column("devices.kind"), "GPU");
    if (!gpu.name.empty()) batch_.set(row, column("devices.name"), gpu.name);
    if (const DeviceMaker maker = maker_of_model(gpu.name); !maker.vendor.empty())
      batch_.set(row, column("devices.vendor"), maker.vendor);
    if (!gpu.uuid.empty()) batch_.set(row, column("devices.uuid"), gpu.uuid);
  }
}

void Rows::add(const Sample& sample) {
  const Place& place = places_[sample.track];
  if (place.name.empty()) return sink_.note(note_id::unknown_counter, "without a name");
  const Row row = batch_.add(table("samples"));
  batch_.set(row, column("samples.series"), text(trace_.tracks[sample.track].name));
  batch_.set(row, column("samples.time"), sample.time);
  batch_.set(row, column("samples.value"), sample.value);
  if (trace_.tracks[sample.track].bytes) batch_.set(row, column("samples.unit"), base_unit(Unit::bytes));
  if (place.meaning.kind != RowKind::host)
    batch_.set(row, column("samples.device"), batch_.device(place.meaning.device.value_or(0)));
  submit_when_full();
}

/// `stated` by the event itself: rocprofv3 describes the threads of a program as tracks of no thread.
Row Rows::thread(std::uint32_t track, std::int64_t stated) {
  if (last_thread_.row.index != absent_index && last_thread_.track == track && last_thread_.stated == stated)
    return last_thread_.row;
  const Place& place = places_[track];
  const Row row = batch_.thread(place.process, stated == absent_integer ? place.thread : stated);
  if (const std::uint32_t name = trace_.tracks[track].name; name != none)
    batch_.set(row, column("threads.name"), text(name));
  last_thread_ = {track, stated, row};
  return row;
}

Text Rows::text(std::uint32_t index) {
  const auto [known, added] = texts_.try_emplace(index);
  if (added) known->second = batch_.text(trace_.text(index));
  return known->second;
}

const Details& Rows::details(const Slice& slice) const {
  static constexpr Details nothing;
  return slice.details == none ? nothing : trace_.details[slice.details];
}

void Rows::submit_when_full() {
  if (++rows_in_batch_ >= rows_per_batch) submit();
}

void Rows::submit() {
  if (trace_.to_unix) batch_.shift_times(*trace_.to_unix);
  sink_.submit(sequence_++, std::exchange(batch_, Batch()));
  texts_.clear();
  calls_.clear();
  last_thread_ = {};
  last_queue_ = {};
  rows_in_batch_ = 0;
}

std::uint64_t Rows::finish() {
  submit();
  return sequence_;
}

}  // namespace kdiag::adapters::perfetto
