// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nsys/stats_events.hpp"

#include <functional>

#include <kdiag/note_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/names/api_names.hpp"
#include "adapters/names/comm_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/names/range_names.hpp"
#include "adapters/names/torch_ops.hpp"
#include "adapters/nvidia/nsys/copy_kinds.hpp"
#include "adapters/rows/call_rows.hpp"
#include "adapters/rows/kernel_rows.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters::nsys {
namespace {

/// "domain:text"; ranges of no domain have their text alone, in newer reports behind a colon.
std::string_view range_name(const StatsReport& report, std::span<const std::string_view> row) {
  std::string_view name = report.text(row, report.has(Cell::name) ? Cell::name : Cell::range);
  if (name.starts_with(':')) name.remove_prefix(1);
  return name;
}

}  // namespace

void StatsEvents::add(const StatsReport& report, Cells row) {
  switch (report.kind()) {
    case ReportKind::gpu_trace: return add_work(report, row);
    case ReportKind::api_trace: return add_call(report, row);
    case ReportKind::range_trace: return add_range(report, row);
    case ReportKind::projected_trace: return add_projected(report, row);
    default: return;
  }
}

void StatsEvents::add_work(const StatsReport& report, Cells row) {
  const std::string_view name = report.text(row, Cell::name);
  if (is_copy_label(name)) return add_copy(report, row, name);
  if (!is_memset_label(name)) return add_kernel(report, row, name);
  constexpr WorkColumns columns{table("memsets"),         column("memsets.start"),  column("memsets.dur"),
                                column("memsets.device"), column("memsets.stream"), column("memsets.correlation")};
  const Row memset = work(report, row, columns);
  if (const auto bytes = report.bytes(row)) batch_->set(memset, column("memsets.bytes"), *bytes);
}

Row StatsEvents::work(const StatsReport& report, Cells cells, const WorkColumns& columns) {
  const Row row = batch_->add(columns.table);
  const auto start = report.time(cells, Cell::start);
  const auto dur = report.time(cells, Cell::duration);
  if (start) batch_->set(row, columns.start, *start);
  if (dur && *dur >= 0) batch_->set(row, columns.dur, *dur);
  if (!start || !dur || *dur < 0) sink_->note(note_id::time_unknown);
  if (const auto id = report.integer(cells, Cell::correlation); id && *id > 0)
    batch_->set(row, columns.correlation, *id);
  const auto on = device(report.text(cells, Cell::device));
  if (!on) return row;
  batch_->set(row, columns.device, *on);
  if (const auto queue = report.integer(cells, Cell::stream))
    batch_->set(row, columns.stream, batch_->stream(*on, *queue));
  return row;
}

/// The device of "NVIDIA A100-SXM4-80GB (0)".
std::optional<Row> StatsEvents::device(std::string_view text) {
  const std::size_t open = text.rfind('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
  const auto id = to_integer(Token{text.substr(open + 1, text.size() - open - 2)});
  if (!id || *id < 0) return std::nullopt;
  const Row row = batch_->device(*id);
  if (!described_.insert(*id).second) return row;
  batch_->set(row, column("devices.vendor"), "nvidia");
  batch_->set(row, column("devices.kind"), "GPU");
  if (const std::string_view model = trim(text.substr(0, open)); !model.empty())
    batch_->set(row, column("devices.name"), model);
  return row;
}

void StatsEvents::add_kernel(const StatsReport& report, Cells cells, std::string_view name) {
  constexpr WorkColumns columns{table("kernels"),         column("kernels.start"),  column("kernels.dur"),
                                column("kernels.device"), column("kernels.stream"), column("kernels.correlation")};
  const Row row = work(report, cells, columns);
  const auto size = [&](Cell cell) { return report.integer(cells, cell).value_or(0); };
  set_grid(*batch_, row, {size(Cell::grid_x), size(Cell::grid_y), size(Cell::grid_z)});
  set_block(*batch_, row, {size(Cell::block_x), size(Cell::block_y), size(Cell::block_z)});
  if (const auto registers = report.integer(cells, Cell::registers); registers && *registers >= 0)
    batch_->set(row, column("kernels.regs"), *registers);
  if (name.empty()) return;
  auto known = kernel_names_.find(name);
  if (known == kernel_names_.end()) {
    KernelName kernel{.kind = kernel_class(name), .op = {}, .algorithm = {}};
    if (kernel.kind == "communication") {
      kernel.op = collective_name(name.substr(0, name.find('(')));
      kernel.algorithm = collective_algorithm(name);
    }
    known = kernel_names_.emplace(name, std::move(kernel)).first;
  }
  const KernelName& kernel = known->second;
  batch_->set(row, column("kernels.name"), name);
  batch_->set(row, column("kernels.class"), kernel.kind);
  if (kernel.kind != "communication") return;
  const Row comm = batch_->add(table("comms"));
  batch_->set(comm, column("comms.kernel"), row);
  if (kernel.op) batch_->set(comm, column("comms.op"), *kernel.op);
  if (!kernel.algorithm.empty()) batch_->set(comm, column("comms.algorithm"), kernel.algorithm);
}

void StatsEvents::add_copy(const StatsReport& report, Cells cells, std::string_view name) {
  constexpr WorkColumns columns{table("copies"),         column("copies.start"),  column("copies.dur"),
                                column("copies.device"), column("copies.stream"), column("copies.correlation")};
  const Row row = work(report, cells, columns);
  const CopyName copy = copy_of_labels(name, report.text(cells, Cell::source), report.text(cells, Cell::target));
  if (!copy.kind.empty()) batch_->set(row, column("copies.kind"), copy.kind);
  if (!copy.src.empty()) batch_->set(row, column("copies.src"), copy.src);
  if (!copy.dst.empty()) batch_->set(row, column("copies.dst"), copy.dst);
  if (const auto bytes = report.bytes(cells)) batch_->set(row, column("copies.bytes"), *bytes);
}

std::optional<std::pair<std::int64_t, std::int64_t>> StatsEvents::times(const StatsReport& report, Cells row,
                                                                        Cell start_cell, Cell duration) {
  const auto start = report.time(row, start_cell);
  const auto dur = report.time(row, duration);
  if (start && dur && *dur >= 0) return std::pair(*start, *dur);
  sink_->note(start && dur ? note_id::negative_duration : note_id::malformed_value, "events");
  return std::nullopt;
}

void StatsEvents::set_thread(const StatsReport& report, Cells cells, Row row, ColumnId thread_column) {
  const auto id = report.integer(cells, Cell::thread);
  if (!id) return;
  const std::int64_t process = report.integer(cells, Cell::process).value_or(*id);
  const Row thread = batch_->thread(process, *id);
  batch_->set(row, thread_column, thread);
  const std::string_view name = report.text(cells, Cell::thread_name);
  if (!name.empty() && named_.emplace(process, *id).second) batch_->set(thread, column("threads.name"), name);
}

void StatsEvents::add_call(const StatsReport& report, Cells cells) {
  const auto at = times(report, cells, Cell::start, Cell::duration);
  if (!at) return;
  const std::string_view base = base_call_name(report.text(cells, Cell::name));
  const Row row = adapters::add_call(*batch_, base, at->first, at->second);
  set_thread(report, cells, row, column("api.thread"));
  if (const auto id = report.integer(cells, Cell::correlation); id && *id > 0)
    batch_->set(row, column("api.correlation"), *id);
}

void StatsEvents::add_range(const StatsReport& report, Cells cells) {
  const auto at = times(report, cells, Cell::start, Cell::duration);
  if (!at) return;
  const std::string_view name = range_name(report, cells);
  if (const auto op = parse_torch_op(name))
    return set_thread(report, cells, add_op(*batch_, *op, at->first, at->second), column("ops.thread"));
  const Row row = batch_->add(table("annotations"));
  batch_->set(row, column("annotations.start"), at->first);
  batch_->set(row, column("annotations.dur"), at->second);
  if (!name.empty()) batch_->set(row, column("annotations.name"), name);
  batch_->set(row, column("annotations.kind"), range_kind(name));
  set_thread(report, cells, row, column("annotations.thread"));
  steps_.add(name, report.integer(cells, Cell::thread).value_or(0), at->first, at->first + at->second);
}

void StatsEvents::add_projected(const StatsReport& report, Cells cells) {
  const auto at = times(report, cells, Cell::projected_start, Cell::projected_duration);
  if (!at) return;
  const std::string_view name = range_name(report, cells);
  const Row row = batch_->add(table("annotations"));
  batch_->set(row, column("annotations.start"), at->first);
  batch_->set(row, column("annotations.dur"), at->second);
  if (!name.empty()) batch_->set(row, column("annotations.name"), name);
  batch_->set(row, column("annotations.kind"), "device");
}

}  // namespace kdiag::adapters::nsys
