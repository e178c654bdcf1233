// SPDX-License-Identifier: Apache-2.0
// Events on the rows of host threads: operators, runtime calls, ranges, Python calls, allocations, names.
#include <string>

#include <kdiag/note_ids.hpp>

#include "adapters/names/api_names.hpp"
#include "adapters/names/range_names.hpp"
#include "adapters/pytorch/kineto/chunk.hpp"
#include "adapters/pytorch/kineto/paddle.hpp"
#include "adapters/rows/python_frames.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters::kineto {
namespace {

/// N of "ProfilerStep#N", and of PaddlePaddle's "ProfileStep#N".
std::optional<std::int64_t> step_number(std::string_view name) {
  for (const std::string_view prefix : {std::string_view("ProfilerStep#"), std::string_view("ProfileStep#")})
    if (name.starts_with(prefix)) return parse_number<std::int64_t>(name.substr(prefix.size()));
  return std::nullopt;
}

struct AllocationKeys {
  std::string_view bytes, allocated, reserved;
};
constexpr AllocationKeys torch_allocation{"Bytes", "Total Allocated", "Total Reserved"};
constexpr AllocationKeys paddle_allocation{"increase_bytes", "current_allocated", "current_reserved"};

/// Empty for shapes that say nothing: no arguments, or none that is a tensor.
bool has_shapes(std::string_view dims) { return dims.find_first_of("0123456789") != std::string_view::npos; }

/// A list as it stands on one line, however the input is laid out: without line ends and the blanks around them.
std::string_view on_one_line(std::string_view list, std::string& scratch) {
  if (list.find('\n') == std::string_view::npos) return list;
  scratch.clear();
  bool quoted = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\' && i + 1 < list.size()) scratch += list[i++];  // and what it escapes
    if (quoted || (c != ' ' && c != '\n' && c != '\r' && c != '\t')) scratch += list[i];
    if (c == ',' && !quoted) scratch += ' ';
  }
  return scratch;
}

}  // namespace

void Chunk::add_op(const Event& event) {
  const std::string_view text = decode(event.name, scratch_);
  if (step_number(text)) return add_host_range(event);  // traces of 2021 call every host range an operator
  const auto times = host_times(event);
  if (!times) return;
  const Text op_name = batch.text(text);
  const std::string_view kind = op_kind(op_name, text);
  if (kind != "user") add_range(event, kind, Place::thread);
  const Row row = batch.add(table("ops"));
  batch.set(row, column("ops.name"), op_name);
  set_start(row, column("ops.start"), times->start);
  batch.set(row, column("ops.dur"), times->dur);
  batch.set(row, column("ops.thread"), thread(event));
  if (const auto id = to_integer(event.arg("External id")); id && *id > 0) batch.set(row, column("ops.external"), *id);
  if (const auto number = to_integer(event.arg("Sequence number")); number && *number >= 0) {
    batch.set(row, column("ops.sequence"), *number);
    batch.set(row, column("ops.forward_thread"), to_integer(event.arg("Fwd thread id")).value_or(0));
  }
  if (const Token dims = event.arg("Input Dims"); has_shapes(dims.text)) add_inputs(event, row, dims);
  if (const Token module = event.arg("Module Hierarchy"); !module.is_missing())
    batch.set(row, column("ops.module"), name(module));
  const Token calls = event.arg("Call stack");
  const Row frame = calls.is_missing() ? Row{} : stack(calls);
  if (frame.index != absent_index) batch.set(row, column("ops.frame"), frame);
  else ops.push_back({times->start, row.index, thread_index(event)});
  if (names_collective(event)) {
    const Row comm = batch.add(table("comms"));
    batch.set(comm, column("comms.issuer"), row);
    describe_collective(event, comm);
  }
}

void Chunk::add_inputs(const Event& event, Row row, Token dims) {
  batch.set(row, column("ops.shapes"), input_list(dims));
  for (const auto& [key, id] : {std::pair{"Input type", column("ops.types")},
                                {"Input Strides", column("ops.strides")},
                                {"Concrete Inputs", column("ops.arguments")}})
    if (const Token value = event.arg(key); !value.is_missing()) batch.set(row, id, input_list(value));
}

/// Lists repeat: operators of one layer have the same. Those of pretty-printed traces are long, so they are looked up
/// as they stand.
Text Chunk::input_list(Token list) {
  if (const auto known = memory_.input_lists.find(list.text); known != memory_.input_lists.end()) return known->second;
  const Text text = batch.text(on_one_line(list.text, scratch_));
  constexpr std::size_t most_remembered = 10'000;  // where more differ, they do not repeat (judgement)
  if (memory_.input_lists.size() < most_remembered) memory_.input_lists.emplace(list.text, text);
  return text;
}

/// Stacks repeat: operators of one line share it. They are long, so they are looked up as a whole.
Row Chunk::stack(Token token) {
  if (memory_.last_stack != nullptr && memory_.last_stack->first == token.text) return memory_.last_stack->second;
  auto known = memory_.stacks.find(token.text);
  if (known == memory_.stacks.end())
    known = memory_.stacks.emplace(token.text, stack_frame(batch, decode(token, scratch_))).first;
  memory_.last_stack = &*known;
  return known->second;
}

std::string_view Chunk::op_kind(Text name, std::string_view text) {
  if (memory_.op_kinds.size() <= name.index) memory_.op_kinds.resize(name.index + std::size_t{1});
  std::string_view& known = memory_.op_kinds[name.index];
  if (known.empty()) known = range_kind(text);
  return known;
}

Chunk::CallName& Chunk::call_name(Text name, std::string_view text) {
  if (memory_.call_names.size() <= name.index) memory_.call_names.resize(name.index + std::size_t{1});
  CallName& known = memory_.call_names[name.index];
  if (known.base.index != absent_index) return known;
  const std::string_view base = base_call_name(text);
  known.base = batch.text(base);
  known.launch = is_launch_call(base);
  known.blocking = is_blocking_call(base);
  if (maker.vendor.empty()) maker = maker_of_call(base);  // cuda_runtime: CUDA or HIP
  return known;
}

void Chunk::add_call(const Event& event) {
  const auto times = host_times(event);
  if (!times) return;
  calls = true;
  see_back_end(event);
  const std::string_view text = decode(event.name, scratch_);
  const CallName& known = call_name(batch.text(text), text);
  launches = launches || known.launch;
  const Row row = batch.add(table("api"));
  batch.set(row, column("api.name"), known.base);
  set_start(row, column("api.start"), times->start);
  batch.set(row, column("api.dur"), times->dur);
  batch.set(row, column("api.thread"), thread(event));
  batch.set(row, column("api.is_launch"), known.launch);
  batch.set(row, column("api.is_sync"), known.blocking);
  const auto id = set_work_id(event, row, column("api.correlation"), column("api.external"), known.launch);
  if (id && known.launch) add_call_details(event, *id, base_call_name(text));
}

void Chunk::add_call_details(const Event& event, WorkId id, std::string_view call) {
  CallDetails details{.id = id, .work_items = launches_by_work_items(call)};
  auto bytes = to_integer(event.arg("bytes"));
  if (!bytes) bytes = to_integer(event.arg("size"));
  if (bytes) details.bytes = *bytes;
  // Builds of PyTorch for ROCm spell them in two ways.
  auto grid = to_dim3(event.arg("grid")), block = to_dim3(event.arg("block"));
  if (!grid) grid = to_dim3(event.arg("grid dim"));
  if (!block) block = to_dim3(event.arg("block dim"));
  if (block) details.block = *block;
  if (grid) details.grid = details.work_items && block ? in_blocks(*grid, *block) : *grid;
  if (bytes || details.grid.x > 0) call_details.push_back(details);
}

void Chunk::add_host_range(const Event& event) {
  const std::string_view text = decode(event.name, scratch_);
  const auto number = step_number(text);
  if (!number) return add_range(event, range_kind(text), Place::thread);
  if (const auto times = host_times(event)) steps.push_back({*number, times->start, times->dur});
}

void Chunk::add_range(const Event& event, std::string_view kind, Place place) {
  const auto times = host_times(event);
  if (!times) return;
  const Row row = batch.add(table("annotations"));
  batch.set(row, column("annotations.name"), name(event.name));
  batch.set(row, column("annotations.kind"), kind);
  set_start(row, column("annotations.start"), times->start);
  batch.set(row, column("annotations.dur"), times->dur);
  if (place == Place::thread) batch.set(row, column("annotations.thread"), thread(event));
  if (place == Place::device) set_place(event, row, column("annotations.device"), column("annotations.stream"));
}

void Chunk::add_python_call(const Event& event) {
  if (const auto times = host_times(event))
    python.push_back(
        {times->start, times->start + times->dur, thread_index(event), python_names(decode(event.name, scratch_))});
}

void Chunk::add_allocation(const Event& event) {
  const bool by_torch = !event.arg(torch_allocation.bytes).is_missing();
  const AllocationKeys& keys = by_torch ? torch_allocation : paddle_allocation;
  const auto time = event.start_ns();
  const auto bytes = to_integer(event.arg(keys.bytes));
  if (!time || !bytes) return sink_->note(note_id::malformed_value, "[memory]");
  const Row row = batch.add(table("allocations"));
  set_start(row, column("allocations.time"), *time);
  batch.set(row, column("allocations.bytes"), *bytes);
  batch.set(row, column("allocations.thread"), thread(event));
  set_integer(row, column("allocations.address"), event.arg("Addr"));
  set_integer(row, column("allocations.allocated"), event.arg(keys.allocated));
  set_integer(row, column("allocations.reserved"), event.arg(keys.reserved));
  const std::int64_t device_type = to_integer(event.arg("Device Type")).value_or(0);  // c10::DeviceType: 0 is the host
  const std::int64_t id = to_integer(event.arg("Device Id")).value_or(-1);
  if (device_type != 0 && id >= 0) allocation_devices.emplace_back(row, id);
  if (const auto on = by_torch ? std::nullopt : paddle::device_of_place(unquoted(event.arg("place"))))
    allocation_devices.emplace_back(row, *on);
}

void Chunk::add_thread_name(const Event& event) {
  const auto process = to_integer(event.pid);
  const auto id = named_integer(event.tid);
  const Token stated = event.arg("name");
  if (!process || !id || stated.is_missing()) return;
  std::string_view text = decode(stated, scratch_);
  while (text.ends_with(' ')) text.remove_suffix(1);
  thread_names.try_emplace(Key{*process, *id}, text);
}

}  // namespace kdiag::adapters::kineto
