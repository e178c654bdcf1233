// SPDX-License-Identifier: Apache-2.0
// Events on the rows of devices: kernels, copies, fills and the ranges above them.
#include <string>

#include <kdiag/note_ids.hpp>

#include "adapters/names/comm_names.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/pytorch/kineto/chunk.hpp"
#include "adapters/rows/kernel_rows.hpp"

namespace kdiag::adapters::kineto {

std::optional<std::int64_t> Chunk::device_id(const Event& event) const {
  auto id = to_integer(event.arg("device"));
  if (!id) id = named_integer(event.pid);
  return id && *id >= 0 ? id : std::nullopt;
}

Row Chunk::device(std::int64_t id) {
  const auto [found, added] = device_rows_.try_emplace(id);
  if (added) found->second = batch.device(id);
  return found->second;
}

Row Chunk::stream(std::int64_t device_id, std::int64_t id) {
  const auto [found, added] = stream_rows_.try_emplace(Key{device_id, id});
  if (added) found->second = batch.stream(device(device_id), id);
  return found->second;
}

void Chunk::set_place(const Event& event, Row row, ColumnId device_column, ColumnId stream_column) {
  const auto on = device_id(event);
  if (!on) return;
  batch.set(row, device_column, device(*on));
  auto queue = to_integer(event.arg("stream"));
  if (!queue) queue = named_integer(event.tid);
  if (queue) batch.set(row, stream_column, stream(*on, *queue));
}

/// A row of device work is never dropped: row counts equal the input's. What it does not state stays absent.
Chunk::Work Chunk::device_work(const Event& event, const WorkColumns& columns) {
  see_back_end(event);
  const Row row = batch.add(columns.table);
  const auto start = event.start_ns();
  const auto dur = event.dur_ns();
  if (start) set_start(row, columns.start, *start);
  if (dur && *dur >= 0) batch.set(row, columns.dur, *dur);
  if (!start || !dur || *dur < 0) sink_->note(note_id::time_unknown, decode(event.cat, scratch_));
  set_place(event, row, columns.device, columns.stream);
  return {row, set_work_id(event, row, columns.correlation, columns.external, false)};
}

Chunk::KernelName& Chunk::kernel_name(Text name, std::string_view text) {
  if (memory_.kernel_names.size() <= name.index) memory_.kernel_names.resize(name.index + std::size_t{1});
  KernelName& known = memory_.kernel_names[name.index];
  if (known.kind.index != absent_index) return known;
  const std::string_view kind = (*classes_)(text);
  known.kind = batch.text(kind);
  known.communication = kind == "communication";
  if (!known.communication) return known;
  // "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)": the collective is in the name, before any parameter.
  if (const auto op = collective_name(text.substr(0, text.find('(')))) known.op = batch.text(*op);
  if (const std::string algorithm = collective_algorithm(text); !algorithm.empty())
    known.algorithm = batch.text(algorithm);
  return known;
}

void Chunk::add_kernel(const Event& event) {
  constexpr WorkColumns columns{table("kernels"),          column("kernels.start"),  column("kernels.dur"),
                                column("kernels.device"),  column("kernels.stream"), column("kernels.correlation"),
                                column("kernels.external")};
  const auto [row, id] = device_work(event, columns);
  const std::string_view text = decode(event.name, scratch_);
  const Text name = batch.text(text);
  const KernelName& known = kernel_name(name, text);
  if (!event.name.text.empty()) batch.set(row, column("kernels.name"), name);
  const bool collective = known.communication || !event.arg("Collective name").text.empty();
  batch.set(row, column("kernels.class"), collective ? batch.text("communication") : known.kind);
  set_launch_shape(event, row, id);
  if (collective) add_collective(event, row, known);
}

void Chunk::set_launch_shape(const Event& event, Row row, const std::optional<WorkId>& id) {
  auto grid = to_dim3(event.arg("grid"));
  if (!grid && !event.arg("dimx").text.empty())  // MLU: tasks in three dimensions
    grid =
        Dim3{to_integer(event.arg("dimx")).value_or(absent_small), to_integer(event.arg("dimy")).value_or(absent_small),
             to_integer(event.arg("dimz")).value_or(absent_small)};
  // Where nothing was recorded, profilers write 0 blocks.
  const Token registers = event.arg("registers per thread");
  const auto block = to_dim3(event.arg("block"));
  if (grid && grid->x != 0) set_launch(batch, row, *grid, block);
  else if (id) undetailed.push_back({*id, row});
  // HIP's, which state no registers.
  if (id && grid && block && registers.is_missing()) shaped.push_back({*id, row, *grid, *block});
  set_integer(row, column("kernels.regs"), registers);
  set_integer(row, column("kernels.smem"), event.arg("shared memory"));
  auto occupancy = to_real(event.arg("est. achieved occupancy %"));
  if (!occupancy) occupancy = to_real(event.arg("theoretical occupancy %"));  // the same figure's name in early 2021
  if (!occupancy && of_paddle) occupancy = to_real(event.arg("theoretical achieved occupancy %"));
  if (occupancy && *occupancy >= 0) batch.set(row, column("kernels.occupancy"), *occupancy / 100.0);
  for (const std::string_view key : {std::string_view("graph id"), std::string_view("tasktopo")})
    if (const auto graph = to_integer(event.arg(key)); graph && *graph > 0)
      batch.set(row, column("kernels.graph"), *graph);
}

Dim3 in_blocks(const Dim3& work_items, const Dim3& block) {
  const auto along = [](std::int64_t items, std::int64_t threads) { return blocks_of(items, threads).value_or(items); };
  return {along(work_items.x, block.x), along(work_items.y, block.y), along(work_items.z, block.z)};
}

void set_launch(Batch& batch, Row row, const Dim3& grid, const std::optional<Dim3>& block) {
  set_grid(batch, row, {grid.x, grid.y, grid.z});
  if (block) set_block(batch, row, {block->x, block->y, block->z});
}

void Chunk::add_collective(const Event& event, Row kernel, const KernelName& known) {
  const Row comm = batch.add(table("comms"));
  batch.set(comm, column("comms.kernel"), kernel);
  describe_collective(event, comm);
  if (event.arg("Collective name").text.empty() && known.op.index != absent_index)
    batch.set(comm, column("comms.op"), known.op);
  if (known.algorithm.index != absent_index) batch.set(comm, column("comms.algorithm"), known.algorithm);
}

void Chunk::add_copy(const Event& event) {
  constexpr WorkColumns columns{table("copies"),          column("copies.start"),  column("copies.dur"),
                                column("copies.device"),  column("copies.stream"), column("copies.correlation"),
                                column("copies.external")};
  const auto [row, id] = device_work(event, columns);
  CopyName copy = parse_copy_name(decode(event.name, scratch_));
  if (copy.kind.empty()) copy = parse_copy_name(decode(event.arg("kind"), scratch_));
  if (!copy.kind.empty()) batch.set(row, column("copies.kind"), copy.kind);
  if (!copy.src.empty()) batch.set(row, column("copies.src"), copy.src);
  if (!copy.dst.empty()) batch.set(row, column("copies.dst"), copy.dst);
  if (const auto bytes = to_integer(event.arg("bytes"))) batch.set(row, column("copies.bytes"), *bytes);
  else if (id) undetailed.push_back({*id, row});
}

void Chunk::add_memset(const Event& event) {
  constexpr WorkColumns columns{table("memsets"),          column("memsets.start"),  column("memsets.dur"),
                                column("memsets.device"),  column("memsets.stream"), column("memsets.correlation"),
                                column("memsets.external")};
  const Row row = device_work(event, columns).row;
  set_integer(row, column("memsets.bytes"), event.arg("bytes"));
}

void Chunk::add_device_range(const Event& event) { add_range(event, "device", Place::device); }

}  // namespace kdiag::adapters::kineto
