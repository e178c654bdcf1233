// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/kineto/finish.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/rows/python_frames.hpp"

namespace kdiag::adapters::kineto {
namespace {

using Chunks = std::vector<std::unique_ptr<Chunk>>;

constexpr std::int64_t day_ns = 86'400'000'000'000;

std::int64_t earliest_start(const Chunks& chunks) {
  std::int64_t earliest = absent_integer;
  for (const auto& chunk : chunks)
    if (chunk->earliest != absent_integer && (earliest == absent_integer || chunk->earliest < earliest))
      earliest = chunk->earliest;
  return earliest;
}

/// Records that the device never stamped state time 0 (pytorch/kineto#109); among events that start a day or more later
/// (judgement) that is no time at all.
void drop_zero_starts(Chunks& chunks, std::int64_t earliest, FactSink& sink) {
  if (earliest == absent_integer || earliest < day_ns) return;
  for (const auto& chunk : chunks) {
    for (const auto& [row, column] : chunk->zero_starts) chunk->batch.set(row, column, absent_integer);
    if (!chunk->zero_starts.empty()) sink.note(note_id::zero_start, {}, chunk->zero_starts.size());
  }
}

/// Rows of the long calls of a thread.
void add_python_calls(Chunk& chunk, std::uint32_t thread, const std::vector<PythonCall>& calls, const CallPaths& paths,
                      std::unordered_map<std::uint32_t, Row>& frames) {
  Batch& batch = chunk.batch;
  batch.declare(table("python_calls"));
  for (const PythonCall& call : calls) {
    if (!call.is_long()) continue;
    const Row frame = paths.frame(batch, call.path, frames);
    const Row row = batch.add(table("python_calls"));
    batch.set(row, column("python_calls.start"), call.start);
    batch.set(row, column("python_calls.dur"), call.end - call.start);
    batch.set(row, column("python_calls.thread"), chunk.thread(thread));
    batch.set(row, column("python_calls.frame"), frame);
  }
}

/// Gives operators the innermost Python call around their start, and long Python calls rows, thread by thread.
void add_frames(Chunks& chunks) {
  struct Thread {
    std::vector<PythonCall> calls;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ops;  // chunk, index into its ops
    std::uint32_t chunk = 0;                                   // the first that names it, and where
    std::uint32_t index = 0;
  };
  std::map<Key, Thread> threads;
  CallPaths paths;
  std::map<Key, std::size_t> calls;
  for (const auto& chunk : chunks)
    for (const PythonEvent& event : chunk->python) ++calls[chunk->threads[event.thread]];
  for (const auto& [key, count] : calls) threads[key].calls.reserve(count);
  for (std::uint32_t c = 0; c < chunks.size(); ++c) {
    const auto& chunk = chunks[c];
    std::vector<std::uint32_t> names;
    for (const std::string& text : chunk->python_names.texts()) names.push_back(paths.name(text));
    for (const PythonEvent& event : chunk->python) {
      Thread& thread = threads[chunk->threads[event.thread]];
      if (thread.calls.empty()) std::tie(thread.chunk, thread.index) = std::tuple(c, event.thread);
      thread.calls.push_back({.start = event.start, .end = event.end, .name = names[event.name]});
    }
    chunk->python = {};
    chunk->python_names = {};
  }
  if (threads.empty()) return;
  for (std::uint32_t c = 0; c < chunks.size(); ++c)
    for (std::uint32_t i = 0; i < chunks[c]->ops.size(); ++i)
      if (const auto found = threads.find(chunks[c]->threads[chunks[c]->ops[i].thread]); found != threads.end())
        found->second.ops.emplace_back(c, i);

  std::vector<std::unordered_map<std::uint32_t, Row>> frames(chunks.size());
  for (auto& [key, thread] : threads) {
    const auto op_of = [&chunks](const std::pair<std::uint32_t, std::uint32_t>& op) -> const OpMoment& {
      return chunks[op.first]->ops[op.second];
    };
    std::stable_sort(thread.ops.begin(), thread.ops.end(),
                     [&op_of](const auto& a, const auto& b) { return op_of(a).start < op_of(b).start; });
    std::vector<std::int64_t> starts;
    for (const auto& op : thread.ops) starts.push_back(op_of(op).start);
    const std::vector<std::uint32_t> found = paths.at(thread.calls, starts);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] == CallPaths::none) continue;
      const std::uint32_t c = thread.ops[i].first;
      Batch& batch = chunks[c]->batch;
      batch.set(Row{table("ops"), op_of(thread.ops[i]).row}, column("ops.frame"),
                paths.frame(batch, found[i], frames[c]));
    }
    add_python_calls(*chunks[thread.chunk], thread.index, thread.calls, paths, frames[thread.chunk]);
    thread = {};
  }
}

/// Some builds for ROCm call the correlation an external id, which is an operator's number elsewhere: it is one where
/// no event states a correlation, and each call that starts work has a number of its own.
bool external_correlates(const Chunks& chunks) {
  std::set<std::int64_t> launches;
  for (const auto& chunk : chunks) {
    if (chunk->correlated) return false;
    for (const ExternalOnly& event : chunk->external_only)
      if (event.launch && !launches.insert(event.id).second) return false;
  }
  return !launches.empty();
}

void set_external_ids(Chunks& chunks, bool correlates) {
  for (const auto& chunk : chunks)
    for (const ExternalOnly& event : chunk->external_only)
      chunk->batch.set(event.row, correlates ? event.correlation : event.external, event.id);
}

/// HIP states sizes and grids on the call, not on the device's event; where both do, in the call's unit.
void add_call_details(Chunks& chunks, bool external_correlates) {
  std::unordered_map<std::int64_t, const CallDetails*> calls;
  for (const auto& chunk : chunks)
    for (const CallDetails& call : chunk->call_details)
      if (!call.id.external || external_correlates) calls.try_emplace(call.id.number, &call);
  if (calls.empty()) return;
  const auto call_of = [&](const WorkId& id) -> const CallDetails* {
    const auto found = id.external && !external_correlates ? calls.end() : calls.find(id.number);
    return found == calls.end() ? nullptr : found->second;
  };
  for (const auto& chunk : chunks) {
    for (const Shaped& kernel : chunk->shaped)
      if (const CallDetails* const call = call_of(kernel.id); call != nullptr && call->work_items)
        set_launch(chunk->batch, kernel.row, in_blocks(kernel.grid, kernel.block), kernel.block);
    for (const Undetailed& work : chunk->undetailed) {
      const CallDetails* const found = call_of(work.id);
      if (found == nullptr) continue;
      const CallDetails& call = *found;
      if (work.row.table == table("copies") && call.bytes != absent_integer)
        chunk->batch.set(work.row, column("copies.bytes"), call.bytes);
      if (work.row.table == table("kernels") && call.grid.x > 0)
        set_launch(chunk->batch, work.row, call.grid, call.block.x > 0 ? std::optional(call.block) : std::nullopt);
    }
  }
}

/// The same step appears on each thread that the profiler watches: the longest of overlapping ranges of one number
/// stays.
std::vector<StepRange> distinct_steps(const Chunks& chunks) {
  std::vector<StepRange> steps;
  for (const auto& chunk : chunks) steps.insert(steps.end(), chunk->steps.begin(), chunk->steps.end());
  const auto order = [](const StepRange& a, const StepRange& b) {
    return std::tuple(a.index, a.start, -a.dur) < std::tuple(b.index, b.start, -b.dur);
  };
  std::sort(steps.begin(), steps.end(), order);
  std::vector<StepRange> distinct;
  for (const StepRange& step : steps) {
    if (!distinct.empty() && distinct.back().index == step.index &&
        step.start < distinct.back().start + std::max<std::int64_t>(distinct.back().dur, 1)) {
      if (step.dur > distinct.back().dur) distinct.back() = step;
    } else {
      distinct.push_back(step);
    }
  }
  std::sort(distinct.begin(), distinct.end(), [](const StepRange& a, const StepRange& b) {
    return std::tie(a.start, a.index) < std::tie(b.start, b.index);
  });
  return distinct;
}

void add_steps(Batch& batch, const std::vector<StepRange>& steps) {
  for (const StepRange& step : steps) {
    const Row row = batch.add(table("steps"));
    batch.set(row, column("steps.index"), step.index);
    batch.set(row, column("steps.start"), step.start);
    batch.set(row, column("steps.dur"), step.dur);
  }
}

/// Names of the threads and streams that have rows; the input names many that did nothing.
void add_names(Batch& batch, const Chunks& chunks) {
  std::map<Key, std::string_view> names;
  for (const auto& chunk : chunks)
    for (const auto& [key, name] : chunk->thread_names) names.try_emplace(key, name);
  std::set<Key> named;
  const auto set_name = [&](const Key& key, bool is_stream) {
    const auto found = names.find(key);
    if (found == names.end() || found->second.starts_with("stream ") != is_stream || !named.insert(key).second) return;
    if (is_stream) batch.set(batch.stream(batch.device(key.first), key.second), column("streams.name"), found->second);
    else batch.set(batch.thread(key.first, key.second), column("threads.name"), found->second);
  };
  for (const auto& chunk : chunks) {
    for (const auto& [key, row] : chunk->streams()) set_name(key, true);
    for (std::uint32_t i = 0; i < chunk->threads.size(); ++i)
      if (chunk->thread_row(i).index != absent_index) set_name(chunk->threads[i], false);
  }
}

/// The only id of these, if there is one.
std::optional<std::int64_t> only_of(const std::set<std::int64_t>& ids) {
  return ids.size() == 1 ? std::optional(*ids.begin()) : std::nullopt;
}

/// The device of which there are events, where it is only one.
std::optional<std::int64_t> only_worked(const Chunks& chunks) {
  std::set<std::int64_t> worked;
  for (const auto& chunk : chunks)
    for (const auto& [id, row] : chunk->devices()) worked.insert(id);
  return only_of(worked);
}

/// The id in events of the only device that the document lists, where it has another one there: ROCm numbers agents,
/// the host's sockets first, in device events, and GPUs alone elsewhere. With several devices it cannot be told which
/// is which.
std::optional<std::int64_t> only_device(const Document& document, const Chunks& chunks) {
  return document.devices.size() == 1 ? only_worked(chunks) : std::nullopt;
}

/// Two numbers of one device: in allocations, and in the events of devices.
struct Renumbered {
  std::int64_t allocated, worked;
};

/// Allocations count devices as the document's list does. Of a process of ROCm that has memory of one device and works
/// on one, these are the same also where the list has all devices of the host.
std::optional<Renumbered> renumbered(const Document& document, const Chunks& chunks) {
  if (const auto only = only_device(document, chunks)) return Renumbered{document.devices[0].id, *only};
  std::set<std::int64_t> allocated;
  bool of_amd = document.maker.vendor == "amd";
  for (const auto& chunk : chunks) {
    of_amd = of_amd || chunk->maker.vendor == "amd";
    for (const auto& [row, id] : chunk->allocation_devices) allocated.insert(id);
  }
  const auto from = only_of(allocated), to = only_worked(chunks);
  return of_amd && from && to ? std::optional(Renumbered{*from, *to}) : std::nullopt;
}

void place_allocations(Chunks& chunks, std::optional<Renumbered> device) {
  for (const auto& chunk : chunks)
    for (const auto& [row, id] : chunk->allocation_devices) {
      const bool other = device && id == device->allocated;
      chunk->batch.set(row, column("allocations.device"), chunk->device(other ? device->worked : id));
    }
}

void set_unit(Batch& batch, Row device, const DeviceProperties& listed, const DeviceMaker& maker) {
  const auto positive = [&](ColumnId id, std::optional<std::int64_t> value) {
    if (value.value_or(0) > 0) batch.set(device, id, *value);
  };
  positive(column("devices.sm_threads"), listed.unit_threads);
  positive(column("devices.sm_regs"), listed.unit_registers);
  positive(column("devices.sm_smem"), listed.unit_memory);
  // Others state a number of their own there (HIP the gfx version), which is no architecture of NVIDIA's.
  if (maker.vendor == "nvidia" && !listed.compute_capability.empty())
    batch.set(device, column("devices.compute_capability"), listed.compute_capability);
}

void add_devices(Batch& batch, const Document& document, const Chunks& chunks, std::optional<std::int64_t> only) {
  // An empty list of a trace without device work says that PyTorch saw no device.
  if (document.lists_devices) batch.declare(table("devices"));
  DeviceMaker maker = document.maker;
  std::set<std::int64_t> ids;
  for (const auto& chunk : chunks) {
    if (maker.vendor.empty()) maker = chunk->maker;
    for (const auto& [id, row] : chunk->devices()) ids.insert(id);
  }
  const auto set_maker = [&batch](Row device, const DeviceMaker& by) {
    if (!by.vendor.empty()) batch.set(device, column("devices.vendor"), by.vendor);
    if (!by.kind.empty()) batch.set(device, column("devices.kind"), by.kind);
  };
  // A rank of a job lists all devices of its host: those it did not use are those of other ranks.
  const bool of_job = document.rank && document.world_size.value_or(2) > 1 && !ids.empty();
  const std::set<std::int64_t> used = ids;
  for (const DeviceProperties& listed : document.devices) {
    if (of_job && !used.contains(only.value_or(listed.id))) continue;
    const Row device = batch.device(only.value_or(listed.id));
    const DeviceMaker by_name = maker_of_model(listed.name);
    set_maker(device, by_name.vendor.empty() ? maker : by_name);
    if (!listed.name.empty()) batch.set(device, column("devices.name"), listed.name);
    if (listed.sms) batch.set(device, column("devices.sms"), *listed.sms);
    if (listed.memory) batch.set(device, column("devices.memory"), *listed.memory);
    if (listed.clock_max) batch.set(device, column("devices.sm_clock_max"), *listed.clock_max);
    set_unit(batch, device, listed, by_name.vendor.empty() ? maker : by_name);
    ids.erase(only.value_or(listed.id));
  }
  for (const std::int64_t id : ids) set_maker(batch.device(id), maker);
}

/// States what the profiler recorded, so that tables without rows are empty instead of absent. Without any device work
/// it is known that there was none only when calls were recorded and none of them launches.
void declare_tables(Batch& batch, const Chunks& chunks, FactSink& sink) {
  bool calls = false;
  bool launches = false;
  bool work = false;
  for (const auto& chunk : chunks) {
    calls = calls || chunk->calls;
    launches = launches || chunk->launches;
    for (const TableId id : {table("kernels"), table("copies"), table("memsets")})
      work = work || chunk->batch.rows(id) != 0;
  }
  if (work || (calls && !launches))
    for (const TableId id : {table("kernels"), table("copies"), table("memsets"), table("comms")}) batch.declare(id);
  else if (launches) sink.note(note_id::no_device_work);
}

RunInfo run_info(const Document& document, bool of_paddle, std::int64_t first_instant) {
  RunInfo info;
  info.producer = of_paddle ? "PaddlePaddle" : "PyTorch Profiler";
  // Before 1973 is no date but an origin that the input does not state.
  info.clock = first_instant >= 100'000'000'000'000'000 ? ClockDomain::unix_ns : ClockDomain::device;
  info.rank = document.rank;
  info.world_size = document.world_size;
  info.host = document.host;
  return info;
}

}  // namespace

void finish(const Document& document, std::vector<std::unique_ptr<Chunk>> chunks, FactSink& sink) {
  const std::int64_t earliest = earliest_start(chunks);
  drop_zero_starts(chunks, earliest, sink);
  add_frames(chunks);
  const bool correlates = external_correlates(chunks);
  set_external_ids(chunks, correlates);
  add_call_details(chunks, correlates);

  Batch last;
  declare_tables(last, chunks, sink);
  add_steps(last, distinct_steps(chunks));
  add_names(last, chunks);
  const std::optional<std::int64_t> only = only_device(document, chunks);
  place_allocations(chunks, renumbered(document, chunks));
  add_devices(last, document, chunks, only);

  const std::int64_t base = document.base_time.value_or(0);
  const bool of_paddle = document.of_paddle ||
                         std::any_of(chunks.begin(), chunks.end(), [](const auto& chunk) { return chunk->of_paddle; });
  sink.run(run_info(document, of_paddle, earliest == absent_integer ? base : base + earliest));
  std::uint64_t sequence = 0;
  for (auto& chunk : chunks) {
    if (base != 0) chunk->batch.shift_times(base);
    sink.submit(sequence++, std::move(chunk->batch));
    chunk.reset();
  }
  if (base != 0) last.shift_times(base);
  sink.submit(sequence, std::move(last));
}

}  // namespace kdiag::adapters::kineto
