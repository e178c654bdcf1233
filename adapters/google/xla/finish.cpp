// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/xla/finish.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/google/xla/details.hpp"
#include "adapters/google/xla/host_calls.hpp"
#include "adapters/google/xla/nested_waits.hpp"
#include "adapters/google/xla/python_calls.hpp"
#include "adapters/names/comm_names.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/names/device_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/names/range_names.hpp"
#include "adapters/rows/call_rows.hpp"
#include "adapters/rows/kernel_rows.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters::xla {
namespace {

/// What a row shows.
struct Place {
  std::optional<DevicePlane> device;  ///< nothing: the host
  Line line = Line::derived;
  bool copies = false;  ///< names its work as copies
  Row on, stream;       ///< of work on a device; without index until there is some
  Row thread;           ///< of the host, likewise
};

class Facts {
 public:
  Facts(const Records& records, FactSink& sink) : records_(records), sink_(sink), nested_waits_(nested_waits(records)) {
    for (const auto& [process, name] : records.process_names)
      if (const auto device = parse_device_plane(name)) {
        devices_.emplace(process, *device);
        first_device_ = std::min(first_device_.value_or(device->id), device->id);
      }
    for (const Span& span : records.spans) places_.try_emplace(span.row);
    for (auto& [row, place] : places_) {
      const auto device = devices_.find(row.first);
      if (device == devices_.end()) continue;
      place.device = device->second;
      place.line = line_kind(thread_name(row));
      place.copies = is_copy_line(thread_name(row));
      if (place.line == Line::stream) streamed_.insert(place.device->id);
      if (place.line == Line::steps) stepped_ = true;
    }
    for (const Span& span : records.spans)
      if (span.correlation != absent_integer && places_.at(span.row).device) worked_.insert(span.correlation);
  }

  void submit() {
    for (const auto& [process, properties] : records_.devices) add_properties(process, properties);
    for (const Span& span : records_.spans) add(span);
    if (first_device_)
      for (const TableId id : {table("kernels"), table("copies"), table("memsets"), table("comms")}) batch_.declare(id);
    batch_.declare(table("annotations"));
    python_.submit(batch_, [this](const Key& row) { return thread(places_.at(row), row); });
    sink_.submit(0, std::move(batch_));
  }

 private:
  std::string_view text(std::uint32_t index) const {
    return index == no_text ? std::string_view{} : std::string_view(records_.texts.texts()[index]);
  }
  Text batch_text(std::uint32_t index) {
    const auto [known, added] = texts_.try_emplace(index);
    if (added) known->second = batch_.text(text(index));
    return known->second;
  }
  std::string_view thread_name(const Key& row) const {
    const auto name = records_.thread_names.find(row);
    return name == records_.thread_names.end() ? std::string_view{} : std::string_view(name->second);
  }

  void add(const Span& span) {
    Place& place = places_.at(span.row);
    if (!place.device) return add_host(span, place);
    const bool executes =
        place.line == Line::stream || (place.line == Line::ops && !streamed_.contains(place.device->id));
    if (executes) return add_work(span, place);
    if (place.line == Line::steps && place.device->id == *first_device_) add_step(span);
  }

  void add_properties(std::int64_t process, const DeviceProperties& properties) {
    const auto plane = devices_.find(process);
    if (plane == devices_.end()) return;
    const Row row = device(plane->second);
    set_model(row, properties.model);
    if (properties.compute_units > 0) batch_.set(row, column("devices.sms"), properties.compute_units);
    if (properties.memory > 0) batch_.set(row, column("devices.memory"), properties.memory);
    if (properties.clock_max > 0) batch_.set(row, column("devices.sm_clock_max"), properties.clock_max);
    if (properties.memory_bandwidth > 0) batch_.set(row, column("devices.dram_bw"), properties.memory_bandwidth);
  }

  void add_host(const Span& span, Place& place) {
    const std::string_view name = text(span.name);
    if (span.step != absent_integer && !stepped_) add_step(span, span.step);
    if (const auto frame = python_frame_text(name)) {
      if (waits_for_device(name) && !nested_waits_.contains(&span))
        add_call(span, {batch_.text("block_until_ready"), false, true}, place);
      return python_.add(span, *frame);
    }
    if (nested_waits_.contains(&span)) return;
    const bool of_work = span.correlation != absent_integer && worked_.contains(span.correlation);
    if (const auto call = call_of(span, name, of_work)) return add_call(span, *call, place);
    const Row row = batch_.add(table("annotations"));
    batch_.set(row, column("annotations.name"), batch_text(span.name));
    batch_.set(row, column("annotations.kind"), range_kind_of(span.name));
    batch_.set(row, column("annotations.start"), span.start);
    batch_.set(row, column("annotations.dur"), span.dur);
    batch_.set(row, column("annotations.thread"), thread(place, span.row));
  }

  /// What the name of a range says of it as a call; of copies what is said beside the name counts, too.
  std::optional<NamedCall> call_of(const Span& span, std::string_view name, bool of_work) {
    const auto named = [this](const std::optional<HostCall>& call) -> std::optional<NamedCall> {
      if (!call) return std::nullopt;
      return NamedCall{batch_.text(call->name), call->launch, call->blocking};
    };
    if (name.starts_with("Memcpy")) return named(host_call(name, text(span.details), of_work));
    const auto [known, added] = calls_.try_emplace(std::uint64_t{span.name} * 2 + (of_work ? 1 : 0));
    if (added) known->second = named(host_call(name, {}, of_work));
    return known->second;
  }

  void add_call(const Span& span, const NamedCall& call, Place& place) {
    const Row row = adapters::add_call(batch_, call, span.start, span.dur);
    batch_.set(row, column("api.thread"), thread(place, span.row));
    if (span.correlation != absent_integer) batch_.set(row, column("api.correlation"), span.correlation);
  }

  /// Steps are named by their numbers.
  void add_step(const Span& span) {
    const auto number = parse_number<std::int64_t>(text(span.name));
    if (!number) return sink_.note(note_id::malformed_value, "step");
    add_step(span, *number);
  }

  void add_step(const Span& span, std::int64_t number) {
    const Row row = batch_.add(table("steps"));
    batch_.set(row, column("steps.index"), number);
    batch_.set(row, column("steps.start"), span.start);
    batch_.set(row, column("steps.dur"), span.dur);
  }

  void add_work(const Span& span, Place& place) {
    const std::string_view name = text(span.name);
    const std::string_view kind = class_name(span.name);
    const bool on_copy_line = place.copies && !parse_copy_name(name).kind.empty();
    if (name.starts_with("Memcpy") || on_copy_line) add_copy(span, place, name);
    else if (kind == "memset" && span.hlo_op == no_text) work(span, place, memsets);
    else add_kernel(span, place, kind);
  }

  void add_copy(const Span& span, Place& place, std::string_view name) {
    const Row row = work(span, place, copies);
    const CopyName copy = parse_copy_name(name);
    const CopyDetails details = parse_copy_details(text(span.details));
    const std::string_view src = details.src.empty() ? copy.src : details.src;
    const std::string_view dst = details.dst.empty() ? copy.dst : details.dst;
    if (!copy.kind.empty()) batch_.set(row, column("copies.kind"), copy.kind);
    if (!src.empty()) batch_.set(row, column("copies.src"), src);
    if (!dst.empty()) batch_.set(row, column("copies.dst"), dst);
    if (details.bytes) batch_.set(row, column("copies.bytes"), *details.bytes);
  }

  void add_kernel(const Span& span, Place& place, std::string_view kind) {
    const Row row = work(span, place, kernels);
    batch_.set(row, column("kernels.name"), batch_text(span.name));
    const std::optional<std::string> collective = collective_of(span, kind);
    batch_.set(row, column("kernels.class"), collective ? "communication" : kind);
    const KernelDetails& details = kernel_details(span.details);
    if (details.registers) batch_.set(row, column("kernels.regs"), *details.registers);
    if (details.shared_memory) batch_.set(row, column("kernels.smem"), *details.shared_memory);
    if (!std::isnan(span.flops)) batch_.set(row, column("kernels.flops"), span.flops);
    if (span.bytes_moved != absent_integer) batch_.set(row, column("kernels.bytes_moved"), span.bytes_moved);
    if (details.grid) set_grid(batch_, row, *details.grid);
    if (details.block) set_block(batch_, row, *details.block);
    if (!collective) return;
    const Row comm = batch_.add(table("comms"));
    batch_.set(comm, column("comms.kernel"), row);
    batch_.set(comm, column("comms.op"), *collective);
  }

  /// The collective that a kernel carries out: its HLO operation says so ("all-reduce-start.1"), or its name
  /// ("nccl...").
  std::optional<std::string> collective_of(const Span& span, std::string_view kind) const {
    constexpr std::string_view operations[] = {"all-reduce", "all-gather",         "reduce-scatter",
                                               "all-to-all", "collective-permute", "collective-broadcast"};
    const std::string_view hlo = span.hlo_op == no_text ? text(span.name) : text(span.hlo_op);
    for (const std::string_view operation : operations) {
      if (!hlo.starts_with(operation)) continue;
      std::string plain(operation);
      std::replace(plain.begin(), plain.end(), '-', '_');
      return plain;
    }
    if (kind != "communication") return std::nullopt;
    const std::string_view name = text(span.name);
    return collective_name(name.substr(0, name.find('(')));
  }

  /// The columns that kernels, copies and fills have in common.
  struct WorkColumns {
    TableId table;
    ColumnId start, dur, device, stream, correlation;
  };
  static constexpr WorkColumns kernels{table("kernels"),         column("kernels.start"),
                                       column("kernels.dur"),    column("kernels.device"),
                                       column("kernels.stream"), column("kernels.correlation")};
  static constexpr WorkColumns copies{table("copies"),         column("copies.start"),  column("copies.dur"),
                                      column("copies.device"), column("copies.stream"), column("copies.correlation")};
  static constexpr WorkColumns memsets{table("memsets"),         column("memsets.start"),
                                       column("memsets.dur"),    column("memsets.device"),
                                       column("memsets.stream"), column("memsets.correlation")};

  Row work(const Span& span, Place& place, const WorkColumns& columns) {
    const Row row = batch_.add(columns.table);
    batch_.set(row, columns.start, span.start);
    batch_.set(row, columns.dur, span.dur);
    if (place.on.index == absent_index) {
      const std::string_view line = thread_name(span.row);
      place.on = device(*place.device);
      place.stream = batch_.stream(place.on, stream_number(line).value_or(span.row.second));
      batch_.set(place.stream, column("streams.name"), line);
    }
    batch_.set(row, columns.device, place.on);
    batch_.set(row, columns.stream, place.stream);
    if (span.correlation != absent_integer) batch_.set(row, columns.correlation, span.correlation);
    return row;
  }

  Row device(const DevicePlane& plane) {
    const Row row = batch_.device(plane.id);
    batch_.set(row, column("devices.kind"), plane.kind);
    set_model(row, plane.model);
    return row;
  }

  void set_model(Row device, std::string_view model) {
    if (model.empty()) return;
    batch_.set(device, column("devices.name"), model);
    if (const DeviceMaker maker = maker_of_model(model); !maker.vendor.empty())
      batch_.set(device, column("devices.vendor"), maker.vendor);
  }

  Row thread(Place& place, const Key& key) {
    if (place.thread.index != absent_index) return place.thread;
    place.thread = batch_.thread(key.first, key.second);
    if (const std::string_view name = thread_name(key); !name.empty())
      batch_.set(place.thread, column("threads.name"), name);
    return place.thread;
  }

  const KernelDetails& kernel_details(std::uint32_t details) {
    const auto [known, added] = kernel_details_.try_emplace(details);
    if (added) known->second = parse_kernel_details(text(details));
    return known->second;
  }

  std::string_view range_kind_of(std::uint32_t name) {
    const auto [known, added] = range_kinds_.try_emplace(name);
    if (added) known->second = range_kind(text(name));
    return known->second;
  }

  std::string_view class_name(std::uint32_t name) {
    const auto [known, added] = classes_.try_emplace(name);
    if (added) known->second = kernel_class(text(name));
    return known->second;
  }

  const Records& records_;
  FactSink& sink_;
  std::unordered_set<const Span*> nested_waits_;
  Batch batch_;
  PythonCalls python_;
  std::map<std::int64_t, DevicePlane> devices_;  ///< by process
  std::map<Key, Place> places_;
  std::set<std::int64_t> streamed_;          ///< devices with lines of streams
  bool stepped_ = false;                     ///< a device has a line of steps
  std::unordered_set<std::int64_t> worked_;  ///< numbers of calls that devices' work has
  std::optional<std::int64_t> first_device_;
  std::unordered_map<std::uint32_t, Text> texts_;
  std::unordered_map<std::uint32_t, std::string_view> classes_, range_kinds_;
  std::unordered_map<std::uint32_t, KernelDetails> kernel_details_;
  std::unordered_map<std::uint64_t, std::optional<NamedCall>> calls_;  ///< by name, and whether it is of work
};

RunInfo run_info(const Records& records) {
  // Before 1973 is no date but an origin that the input does not state.
  constexpr std::int64_t earliest_date = 100'000'000'000'000'000;
  RunInfo info;
  info.producer = "XLA profiler";
  info.host = records.host;
  const bool dated = std::any_of(records.spans.begin(), records.spans.end(),
                                 [](const Span& span) { return span.start >= earliest_date; });
  info.clock = dated ? ClockDomain::unix_ns : ClockDomain::device;
  return info;
}

}  // namespace

void finish(std::vector<std::unique_ptr<Records>> chunks, FactSink& sink) {
  Records all(sink);
  for (std::unique_ptr<Records>& chunk : chunks) {
    all.append(std::move(*chunk));
    chunk.reset();
  }
  sink.run(run_info(all));
  Facts(all, sink).submit();
}

}  // namespace kdiag::adapters::xla
