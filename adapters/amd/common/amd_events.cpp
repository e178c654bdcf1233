// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/common/amd_events.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <kdiag/note_ids.hpp>

#include "adapters/names/api_names.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/names/range_names.hpp"
#include "adapters/names/torch_ops.hpp"
#include "adapters/rows/call_rows.hpp"
#include "adapters/rows/kernel_rows.hpp"
#include "adapters/text/instants.hpp"
#include "base/text.hpp"

namespace kdiag::adapters::amd {
namespace {

constexpr std::uint64_t records_per_batch = 65536;
constexpr std::int64_t most_registers = 1024;  // of a kind and thread; CDNA has 512

constexpr ColumnId block_columns[] = {column("kernels.grid_x"), column("kernels.grid_y"), column("kernels.grid_z")};
constexpr ColumnId thread_columns[] = {column("kernels.block_x"), column("kernels.block_y"), column("kernels.block_z")};

/// One number for a thread of all processes.
std::int64_t key_of(const std::optional<Thread>& thread) {
  if (!thread) return 0;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(thread->process) << 32U ^
                                   static_cast<std::uint64_t>(thread->id));
}

}  // namespace

bool is_call_name(std::string_view name) {
  if (name.starts_with("__hip")) name.remove_prefix(2);
  if (name.starts_with("hsa_")) return true;
  if (name.starts_with("ncclDev") || name.starts_with("ncclKernel")) return false;
  constexpr std::string_view libraries[] = {"hip", "nccl", "rocDec", "rocJpeg"};
  return std::any_of(std::begin(libraries), std::end(libraries), [name](std::string_view library) {
    return name.starts_with(library) && name.size() > library.size() && is_upper(name[library.size()]);
  });
}

bool is_queue_packet(std::string_view name) { return name.starts_with('<'); }

std::string_view without_descriptor_mark(std::string_view name) {
  constexpr std::string_view marks[] = {" [clone .kd]", " (.kd)", ".kd"};
  for (std::string_view mark : marks)
    if (name.ends_with(mark)) return name.substr(0, name.size() - mark.size());
  return name;
}

bool Events::begin_record() {
  sink.count_events(1);
  if (++records_ % records_per_batch == 0) hand_on(std::exchange(batch, Batch()));
  return !sink.cancelled();
}

void Events::finish() {
  steps_.add_steps(batch);
  hand_on(std::exchange(batch, Batch()));
}

std::optional<Times> Events::times(Number start, Number end, std::string_view what) {
  const Number from = in_range(start);
  const Number to = in_range(end);
  if (from && to && *to >= *from) return Times{*from, *to - *from};
  sink.note(from && to ? note_id::negative_duration : note_id::malformed_value, what);
  return std::nullopt;
}

Row Events::device(std::int64_t number) {
  const Row row = batch.device(number, rank_row());
  batch.set(row, column("devices.vendor"), vendor);
  batch.set(row, column("devices.kind"), "GPU");
  return row;
}

void Events::set_place(Row row, ColumnId device_column, ColumnId stream_column, Number number, Number queue) {
  if (number.value_or(-1) < 0) return;
  const Row on = device(*number);
  batch.set(row, device_column, on);
  if (queue) batch.set(row, stream_column, batch.stream(on, *queue));
}

Row Events::add(const Dispatch& dispatch) {
  work_ = true;
  const Row kernel = batch.add(table("kernels"));
  const std::string_view name = without_descriptor_mark(dispatch.name);
  const Row comm = name.empty() ? Row{} : name_kernel(batch, kernel, name, classes_);
  set_place(kernel, column("kernels.device"), column("kernels.stream"), dispatch.device, dispatch.queue);
  if (comm.index != absent_index && dispatch.device.value_or(-1) >= 0)
    batch.set(comm, column("comms.device"), device(*dispatch.device));
  if (dispatch.start) batch.set(kernel, column("kernels.start"), *dispatch.start);
  if (dispatch.dur) batch.set(kernel, column("kernels.dur"), *dispatch.dur);
  if (dispatch.correlation) batch.set(kernel, column("kernels.correlation"), *dispatch.correlation);
  for (std::size_t i = 0; i < 3; ++i) {
    if (dispatch.blocks[i].value_or(0) > 0) batch.set(kernel, block_columns[i], *dispatch.blocks[i]);
    if (dispatch.threads[i].value_or(0) > 0) batch.set(kernel, thread_columns[i], *dispatch.threads[i]);
  }
  if (dispatch.shared_memory.value_or(-1) >= 0) batch.set(kernel, column("kernels.smem"), *dispatch.shared_memory);
  if (const auto own = dispatch.vector_registers.value_or(-1); own >= 0 && own < most_registers)
    batch.set(kernel, column("kernels.regs"),
              own + std::clamp<std::int64_t>(dispatch.accumulation_registers.value_or(0), 0, most_registers));
  return kernel;
}

void Events::add(const Copy& copy) {
  work_ = true;
  CopyName name = parse_copy_name(copy.direction);
  if (name.kind == "d2d" && copy.source && copy.destination && copy.source != copy.destination) name.kind = "p2p";
  const Row row = batch.add(table("copies"));
  batch.set(row, column("copies.start"), copy.when.start);
  batch.set(row, column("copies.dur"), copy.when.dur);
  if (!name.kind.empty()) batch.set(row, column("copies.kind"), name.kind);
  if (!name.src.empty()) batch.set(row, column("copies.src"), name.src);
  if (!name.dst.empty()) batch.set(row, column("copies.dst"), name.dst);
  if (copy.bytes.value_or(0) > 0) batch.set(row, column("copies.bytes"), *copy.bytes);
  // Which of the two agents is a device, only the direction says.
  const Number agent = name.src == "device" ? copy.source : name.dst == "device" ? copy.destination : std::nullopt;
  set_place(row, column("copies.device"), column("copies.stream"), copy.device ? copy.device : agent, copy.queue);
  if (copy.correlation) batch.set(row, column("copies.correlation"), *copy.correlation);
}

void Events::add(const Fill& fill) {
  work_ = true;
  const Row row = batch.add(table("memsets"));
  batch.set(row, column("memsets.start"), fill.when.start);
  batch.set(row, column("memsets.dur"), fill.when.dur);
  set_place(row, column("memsets.device"), column("memsets.stream"), fill.device, fill.queue);
  if (fill.correlation) batch.set(row, column("memsets.correlation"), *fill.correlation);
}

void Events::add(const Call& call) {
  const std::string_view base = base_call_name(call.name);
  const bool launch = is_launch_call(base);
  launches_ = launches_ || launch;
  const Row row = add_call(batch, base, call.when.start, call.when.dur, launch);
  if (call.thread) batch.set(row, column("api.thread"), thread(*call.thread));
  if (call.correlation) batch.set(row, column("api.correlation"), *call.correlation);
}

void Events::annotation(const Range& range, std::string_view kind) {
  const Row row = batch.add(table("annotations"));
  if (!range.name.empty()) batch.set(row, column("annotations.name"), range.name);
  batch.set(row, column("annotations.kind"), kind);
  batch.set(row, column("annotations.start"), range.when.start);
  batch.set(row, column("annotations.dur"), range.when.dur);
  if (range.thread) batch.set(row, column("annotations.thread"), thread(*range.thread));
}

void Events::add(const Range& range) {
  if (const auto op = parse_torch_op(range.name)) {
    const Row row = add_op(batch, *op, range.when.start, range.when.dur);
    if (range.thread) batch.set(row, column("ops.thread"), thread(*range.thread));
    return;
  }
  annotation(range, range_kind(range.name));
  if (range.when.dur > 0)
    steps_.add(range.name, key_of(range.thread), range.when.start, range.when.start + range.when.dur);
}

void Events::add_overhead(const Range& range) { annotation(range, "overhead"); }

}  // namespace kdiag::adapters::amd
