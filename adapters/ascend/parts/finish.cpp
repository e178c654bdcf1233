// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/finish.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "adapters/ascend/parts/names.hpp"
#include "adapters/ascend/parts/nesting.hpp"
#include "adapters/ascend/parts/plane_waits.hpp"
#include "adapters/ascend/parts/step_trace.hpp"
#include "adapters/ascend/parts/tasks.hpp"
#include "adapters/names/comm_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/names/range_names.hpp"
#include "adapters/rows/call_rows.hpp"
#include "adapters/rows/python_frames.hpp"
#include "base/names/communication_names.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters::ascend {
namespace {

constexpr std::int64_t no_connection = 4'294'967'295;

// --- Processes ------------------------------------------------------------------------------------------------------

enum class Role : std::uint8_t {
  host,         ///< the program's own threads
  calls,        ///< CANN: the same threads' calls of the runtime
  hardware,     ///< tasks by stream
  collectives,  ///< HCCL
  other,        ///< sums of the above, counters
};

Role role_of(std::string_view name) {
  if (name == "CANN") return Role::calls;
  if (name == "Ascend Hardware") return Role::hardware;
  if (name == "HCCL" || name == "Communication") return Role::collectives;
  if (name == "Python" || name == "MindSpore" || name == "host") return Role::host;
  return Role::other;
}

/// N of "NPU N".
std::optional<std::int64_t> device_of_label(std::string_view label) {
  const std::size_t at = label.find_first_of("0123456789");
  if (at == label.npos) return std::nullopt;
  label.remove_prefix(at);
  return take_number<std::int64_t>(label);
}

/// Devices of processes: as their labels number them; without numbers, the n-th process of a name is of device n.
std::map<std::int64_t, std::int64_t> find_devices(const Records& records) {
  std::map<std::int64_t, std::int64_t> devices;
  std::map<std::string, std::int64_t> unnumbered;  // by the process's name
  for (const auto& [process, name] : records.process_names) {
    const auto label = records.process_labels.find(process);
    const auto stated = label == records.process_labels.end() ? std::nullopt : device_of_label(label->second);
    devices[process] = stated ? *stated : unnumbered[name]++;
  }
  return devices;
}

// --- Facts ----------------------------------------------------------------------------------------------------------

class Facts {
 public:
  Facts(const Records& records, FactSink& sink) : records_(records), sink_(sink), devices_(find_devices(records)) {
    for (const auto& [process, name] : records.process_names) {
      roles_[process] = role_of(name);
      if (roles_[process] == Role::host) host_process_ = process;
    }
    const auto names_step = [this](const Op& op) { return is_step(text(op.span.name)); };
    const auto is_named_step = [this](const Span& range) { return is_step(text(range.name)); };
    if (std::none_of(records.ops.begin(), records.ops.end(), names_step) &&
        std::none_of(records.ranges.begin(), records.ranges.end(), is_named_step))
      row_of_steps_ = row_of_steps(records);
  }

  void submit() {
    add_ops();
    add_ranges();
    add_calls();
    for (auto* nestings : {&ops_, &calls_})
      for (auto& [row, nesting] : *nestings) nesting.settle();
    gather_waits();
    for (const Task& task : records_.tasks) add_device_task(task);
    for (const Sample& sample : records_.clocks) add_clock(sample);
    declare_tables();
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
  Role role(const Key& row) const {
    const auto found = roles_.find(row.first);
    return found == roles_.end() ? Role::host : found->second;
  }

  Row device(std::int64_t process) {
    const auto found = devices_.find(process);
    const Row row = batch_.device(found == devices_.end() ? 0 : found->second);
    describe_device(batch_, row);
    return row;
  }

  /// Calls stand in a process of their own, although the program's threads made them.
  Row thread(const Key& row) {
    const bool call = role(row) == Role::calls && host_process_;
    const Row thread = batch_.thread(call ? *host_process_ : row.first, row.second);
    if (const auto name = records_.thread_names.find(row); name != records_.thread_names.end())
      batch_.set(thread, column("threads.name"), name->second);
    return thread;
  }

  /// Parts of collectives are known from the collectives by their names alone.
  bool is_collective(const Task& task) const { return is_communication_kernel(text(task.span.name)); }

  void gather_waits() {
    for (const bool collectives : {true, false})
      for (const Task& task : records_.tasks) {
        if (role(task.span.row) != Role::collectives || is_collective(task) != collectives) continue;
        if (collectives) waits_.add_collective(task.span);
        else waits_.add_part(task.span, text(task.span.name), task.peer);
      }
    waits_.settle();
  }

  void add_ops() {
    for (const Op& op : records_.ops) {
      const std::string_view name = text(op.span.name);
      if (is_step(name)) {
        add_range(op.span);
        continue;
      }
      if (range_kind(name) != "user") add_range(op.span);
      const Row row = batch_.add(table("ops"));
      batch_.set(row, column("ops.name"), batch_text(op.span.name));
      batch_.set(row, column("ops.start"), op.span.start);
      batch_.set(row, column("ops.dur"), op.span.dur);
      batch_.set(row, column("ops.thread"), thread(op.span.row));
      if (op.sequence != absent_integer) {
        batch_.set(row, column("ops.sequence"), op.sequence);
        batch_.set(row, column("ops.forward_thread"), op.forward_thread);
      }
      if (op.shapes != no_text) batch_.set(row, column("ops.shapes"), without_line_ends(text(op.shapes)));
      if (op.stack != no_text)
        if (const Row frame = stack(op.stack); frame.index != absent_index) batch_.set(row, column("ops.frame"), frame);
      ops_[op.span.row].add(op.span.start, op.span.dur, row.index);
    }
  }

  /// Operators of one line share their stack, which is long.
  Row stack(std::uint32_t index) {
    const auto [known, added] = stacks_.try_emplace(index);
    if (added) known->second = stack_frame(batch_, without_line_ends(text(index)));
    return known->second;
  }

  /// Frames and shapes are separated by ";\r\n".
  static std::string without_line_ends(std::string_view text) {
    std::string out(text);
    std::erase_if(out, [](char c) { return c == '\r' || c == '\n'; });
    return out;
  }

  void add_ranges() {
    for (const Span& range : records_.ranges) add_range(range);
  }

  void add_range(const Span& range) {
    const std::string_view name = text(range.name);
    if (is_step(name)) return add_step(batch_, parse_step_name(name)->number, range.start, range.dur);
    batch_.set(add_range_of(range, range_kind(name)), column("annotations.thread"), thread(range.row));
  }

  Row add_range_of(const Span& range, std::string_view kind) {
    const Row row = batch_.add(table("annotations"));
    batch_.set(row, column("annotations.name"), batch_text(range.name));
    batch_.set(row, column("annotations.kind"), kind);
    batch_.set(row, column("annotations.start"), range.start);
    batch_.set(row, column("annotations.dur"), range.dur);
    return row;
  }

  void add_calls() {
    for (const Task& task : records_.tasks) {
      if (role(task.span.row) != Role::calls) continue;
      const std::string_view base = call_name(text(task.span.name));
      const Row row = add_call(batch_, base, task.span.start, task.span.dur, launches(base));
      batch_.set(row, column("api.thread"), thread(task.span.row));
      if (task.connection >= 0 && task.connection != no_connection) {
        batch_.set(row, column("api.correlation"), task.connection);
        connections_.insert(task.connection);
      }
      calls_[task.span.row].add(task.span.start, task.span.dur, row.index);
    }
  }

  void add_device_task(const Task& task) {
    const Role where = role(task.span.row);
    if (task.summary != StepTrace::none) add_summary(task);
    else if (where == Role::hardware) add_hardware_task(task);
    else if (where == Role::collectives && is_collective(task)) add_collective(task);
    else if (where == Role::host) add_range(task.span);
  }

  void add_summary(const Task& task) {
    switch (task.summary) {
      case StepTrace::iteration:
        if (const auto number = iteration_number(text(task.span.name)); number && task.span.row == row_of_steps_)
          add_step(batch_, *number, task.span.start, task.span.dur);
        return;
      case StepTrace::data_loading: add_range_of(task.span, "data_loading"); return;
      case StepTrace::reduction: add_range_of(task.span, "communication"); return;
      case StepTrace::part:
      case StepTrace::none: return;
    }
  }

  void add_hardware_task(const Task& task) {
    has_tasks_ = true;
    switch (task_kind(text(task.type), text(task.span.name))) {
      case TaskKind::control: return;
      case TaskKind::copy: {
        const Row row = work(task, copies);
        if (text(task.type).starts_with("SDMA")) batch_.set(row, column("copies.kind"), "d2d");
        return;
      }
      case TaskKind::memset: work(task, memsets); return;
      case TaskKind::kernel: {
        const Row row = work(task, kernels);
        batch_.set(row, column("kernels.name"), batch_text(task.span.name));
        batch_.set(row, column("kernels.class"), class_of(task.span.name));
        return;
      }
    }
  }

  void add_collective(const Task& task) {
    const Row kernel = work(task, kernels);
    batch_.set(kernel, column("kernels.name"), batch_text(task.span.name));
    batch_.set(kernel, column("kernels.class"), "communication");
    const Row comm = batch_.add(table("comms"));
    batch_.set(comm, column("comms.kernel"), kernel);
    const std::string_view name = text(task.span.name);
    if (const auto op = collective_name(name)) batch_.set(comm, column("comms.op"), *op);
    const CollectiveName parts = parse_collective(name);
    if (!parts.group.empty()) batch_.set(comm, column("comms.group"), parts.group);
    if (parts.sequence) batch_.set(comm, column("comms.seq"), *parts.sequence);
    if (const auto waited = waits_.in(task.span)) set_wait(batch_, comm, *waited);
    if (task.collective == no_text) return;
    const Collective& stated = records_.collectives[task.collective];
    set_message(batch_, comm, text(stated.dtype), stated.count);
    if (stated.algorithm != no_text) batch_.set(comm, column("comms.algorithm"), batch_text(stated.algorithm));
  }

  /// The columns that kernels, copies and fills have in common.
  struct WorkColumns {
    TableId table;
    ColumnId start, dur, device, stream, correlation, launch, op;
  };
  static constexpr WorkColumns kernels{
      table("kernels"),         column("kernels.start"),       column("kernels.dur"),    column("kernels.device"),
      column("kernels.stream"), column("kernels.correlation"), column("kernels.launch"), column("kernels.op")};
  static constexpr WorkColumns copies{table("copies"),         column("copies.start"),  column("copies.dur"),
                                      column("copies.device"), column("copies.stream"), column("copies.correlation"),
                                      column("copies.launch"), column("copies.op")};
  static constexpr WorkColumns memsets{
      table("memsets"),         column("memsets.start"),       column("memsets.dur"),    column("memsets.device"),
      column("memsets.stream"), column("memsets.correlation"), column("memsets.launch"), column("memsets.op")};

  Row work(const Task& task, const WorkColumns& columns) {
    const Row row = batch_.add(columns.table);
    batch_.set(row, columns.start, task.span.start);
    batch_.set(row, columns.dur, task.span.dur);
    const Row on = device(task.span.row.first);
    batch_.set(row, columns.device, on);
    if (role(task.span.row) == Role::hardware) batch_.set(row, columns.stream, stream(on, task.span.row));
    const std::pair place(task.span.row, task.span.start);
    if (connections_.contains(task.connection)) batch_.set(row, columns.correlation, task.connection);
    else if (const Row call = origin(records_.call_arrow_ends, records_.call_arrows, calls_, place, table("api"));
             call.index != absent_index)
      batch_.set(row, columns.launch, call);
    // The launching thread works off a queue: the operator ran on another one.
    if (const Row op = origin(records_.op_arrow_ends, records_.op_arrows, ops_, place, table("ops"));
        op.index != absent_index)
      batch_.set(row, columns.op, op);
    return row;
  }

  /// The row around the beginning of the arrow that ends at a task.
  static Row origin(const std::map<std::pair<Key, std::int64_t>, std::uint32_t>& ends,
                    const std::map<std::uint32_t, Arrow>& arrows, const std::map<Key, Nesting>& rows,
                    const std::pair<Key, std::int64_t>& place, TableId table) {
    const auto end = ends.find(place);
    if (end == ends.end()) return {};
    const auto arrow = arrows.find(end->second);
    if (arrow == arrows.end()) return {};
    const auto nesting = rows.find(arrow->second.row);
    if (nesting == rows.end()) return {};
    return Row{table, nesting->second.at(arrow->second.time)};  // none is the index of no row
  }

  Row stream(Row on, const Key& row) {
    const Row stream = batch_.stream(on, row.second);
    if (const auto name = records_.thread_names.find(row); name != records_.thread_names.end())
      batch_.set(stream, column("streams.name"), name->second);
    return stream;
  }

  Text class_of(std::uint32_t name) {
    const auto [known, added] = classes_.try_emplace(name);
    if (added) known->second = batch_.text(kernel_class(text(name)));
    return known->second;
  }

  void add_clock(const Sample& sample) {
    const Row row = batch_.add(table("samples"));
    batch_.set(row, column("samples.series"), "sm_clock");
    batch_.set(row, column("samples.device"), device(sample.process));
    batch_.set(row, column("samples.time"), sample.time);
    batch_.set(row, column("samples.value"), sample.value);
    batch_.set(row, column("samples.unit"), "Hz");
  }

  void declare_tables() {
    const auto has = [this](Role wanted) {
      return std::any_of(roles_.begin(), roles_.end(), [wanted](const auto& known) { return known.second == wanted; });
    };
    // A step trace alone says nothing of the device's work.
    if (has(Role::hardware) && (has_tasks_ || !row_of_steps_))
      for (const TableId id : {table("kernels"), table("copies"), table("memsets"), table("comms")}) batch_.declare(id);
    if (has(Role::calls)) batch_.declare(table("api"));
    if (has(Role::host)) batch_.declare(table("ops"));
  }

  const Records& records_;
  FactSink& sink_;
  Batch batch_;
  std::map<std::int64_t, Role> roles_;  ///< by process
  std::map<std::int64_t, std::int64_t> devices_;
  std::optional<std::int64_t> host_process_;
  std::set<std::int64_t> connections_;  ///< of calls
  std::optional<Key> row_of_steps_;     ///< of a step trace, where the program names no steps
  bool has_tasks_ = false;              ///< of the hardware
  PlaneWaits waits_;
  std::map<Key, Nesting> ops_, calls_;
  std::unordered_map<std::uint32_t, Text> texts_, classes_;
  std::unordered_map<std::uint32_t, Row> stacks_;
};

}  // namespace

void finish(std::vector<std::unique_ptr<Records>> chunks, FactSink& sink) {
  Records all(sink);
  for (std::unique_ptr<Records>& chunk : chunks) {
    all.append(*chunk);
    chunk.reset();
  }
  mark_step_trace(all);
  RunInfo run;
  run.producer = "Ascend profiler";
  run.clock = ClockDomain::unix_ns;
  sink.run(std::move(run));
  Facts(all, sink).submit();
}

}  // namespace kdiag::adapters::ascend
