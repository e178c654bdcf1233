// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/rocprof/json_document.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/rows/kernel_rows.hpp"

namespace kdiag::adapters::rocprof {
namespace {

using namespace amd;

constexpr std::string_view processes = "rocprofiler-sdk-tool";
constexpr std::string_view element = "[]";
constexpr std::string_view buffers = "buffer_records.";
constexpr std::string_view counter_collection = "callback_records.counter_collection[]";
/// What records refer to.
constexpr std::string_view names[] = {"agents", "strings", "kernel_symbols"};
constexpr std::int64_t device_type = 2;  // rocprofiler_agent_type_t
constexpr std::string_view axes[] = {"x", "y", "z"};

/// A path inside a process: "agents[]" of "rocprofiler-sdk-tool[].agents[]". Nothing for what is outside.
std::optional<std::string_view> inside(std::string_view path) {
  if (!path.starts_with(processes)) return std::nullopt;
  path.remove_prefix(processes.size());
  if (path.starts_with(element)) path.remove_prefix(element.size());
  if (path.starts_with('.')) path.remove_prefix(1);
  return path;
}

std::array<Number, 3> extent(const JsonValue& value) {
  return {value[axes[0]].integer(), value[axes[1]].integer(), value[axes[2]].integer()};
}

Number positive(Number number) { return number.value_or(0) > 0 ? number : std::nullopt; }

}  // namespace

bool JsonDocument::enters(std::string_view path) {
  if (path.empty() || path == processes) return true;
  const auto part = inside(path);
  if (!part) return false;
  if (part->empty()) return process_.seen = true;
  return *part != "metadata" && !part->ends_with(element);
}

void JsonDocument::value(std::string_view path, Token token) {
  const auto part = inside(path);
  if (!part || part->empty()) return;
  process_.seen = true;
  const bool is_record = part->starts_with(buffers) && part->ends_with(element);
  const bool is_known = *part == "metadata" || *part == "agents[]" || *part == "strings.buffer_records[]" ||
                        *part == "strings.marker_api[]" || *part == "kernel_symbols[]" || *part == "counters[]" ||
                        *part == counter_collection;
  if (!is_record && !is_known) return;
  const std::optional<JsonValue> parsed = parse_json(token.text);
  if (!parsed) return sink_.note(note_id::unreadable_record, *part);
  if (is_record) {
    read_record(part->substr(buffers.size(), part->size() - buffers.size() - element.size()), *parsed);
  } else if (*part == "metadata") {
    read_metadata(*parsed);
  } else if (*part == "agents[]") {
    read_agent(*parsed);
  } else if (*part == "kernel_symbols[]") {
    read_symbol(*parsed);
  } else if (*part == counter_collection) {
    read_counters(*parsed);
  } else if (*part == "counters[]") {
    if (const Number handle = (*parsed)["id"]["handle"].integer())
      process_.counters.emplace(*handle, (*parsed)["name"].text);
  } else if (*part == "strings.marker_api[]") {
    if (const Number key = (*parsed)["key"].integer()) process_.messages.emplace(*key, (*parsed)["value"].text);
    count_kept();
  } else {
    std::vector<std::string>& operations = process_.operations.emplace_back();
    for (const JsonValue& operation : (*parsed)["operations"].items) operations.push_back(operation.text);
  }
}

void JsonDocument::left(std::string_view path, bool complete) {
  const auto part = inside(path);
  if (!part) return;
  if (part->empty()) return end_process(complete);
  if (complete) process_.complete.emplace(*part);
}

void JsonDocument::read_metadata(const JsonValue& metadata) {
  process_.id = metadata["pid"].integer();
  process_.host = metadata["node"]["hostname"].text;
  process_.settings = metadata["config"];
  process_.rank = rank_of_job(process_.settings, {});
}

void JsonDocument::read_agent(const JsonValue& value) {
  const Number handle = value["id"]["handle"].integer();
  const Number number = value["node_id"].integer();
  if (!handle || !number) return sink_.note(note_id::malformed_value, "agent");
  Agent agent{.number = *number, .is_device = value["type"].integer() == device_type};
  for (std::string_view name : {"product_name", "model_name", "name"})
    if (agent.name.empty()) agent.name = value[name].text;
  set_properties(agent, value);
  process_.agents.emplace(*handle, std::move(agent));
}

void JsonDocument::read_symbol(const JsonValue& value) {
  const Number id = value["kernel_id"].integer();
  if (!id) return sink_.note(note_id::malformed_value, "kernel symbol");
  Symbol symbol{{}, value["arch_vgpr_count"].integer(), value["accum_vgpr_count"].integer()};
  for (std::string_view name : {"formatted_kernel_name", "demangled_kernel_name", "kernel_name"})
    if (symbol.name.empty()) symbol.name = value[name].text;
  process_.symbols.emplace(*id, std::move(symbol));
}

/// Kernels ran one at a time, perhaps several times: only how long each took is a fact of the program.
void JsonDocument::read_counters(const JsonValue& collection) {
  for (const JsonValue& counter : collection["records"].items) {
    const auto name = process_.counters.find(counter["counter_id"]["handle"].integer().value_or(-1));
    sink_.note(note_id::unknown_counter,
               name == process_.counters.end() ? std::string_view{} : std::string_view(name->second));
  }
  if (process_.counted.empty()) sink_.note(note_id::serialised_kernels);
  const JsonValue& data = collection["dispatch_data"];
  const JsonValue& info = data["dispatch_info"];
  process_.counted.push_back({.kind = Kind::dispatch,
                              .start = data["start_timestamp"].integer(),
                              .end = data["end_timestamp"].integer(),
                              .correlation = positive(data["correlation_id"]["internal"].integer()),
                              .agent = info["agent_id"]["handle"].integer(),
                              .queue = info["queue_id"]["handle"].integer(),
                              .kernel = info["kernel_id"].integer(),
                              .shared_memory = info["group_segment_size"].integer(),
                              .items = extent(info["grid_size"]),
                              .threads = extent(info["workgroup_size"])});
  count_kept();
}

void JsonDocument::read_record(std::string_view array, const JsonValue& value) {
  Record record{.start = value["start_timestamp"].integer(),
                .end = value["end_timestamp"].integer(),
                .correlation = positive(value["correlation_id"]["internal"].integer()),
                .thread = value["thread_id"].integer(),
                .domain = value["kind"].integer(),
                .operation = value["operation"].integer()};
  const Number stream = value["stream_id"]["handle"].integer();
  if (array == "kernel_dispatch") {
    const JsonValue& info = value["dispatch_info"];
    record.kind = Kind::dispatch;
    record.agent = info["agent_id"]["handle"].integer();
    record.queue = stream ? stream : info["queue_id"]["handle"].integer();
    record.kernel = info["kernel_id"].integer();
    record.shared_memory = info["group_segment_size"].integer();
    record.items = extent(info["grid_size"]);
    record.threads = extent(info["workgroup_size"]);
  } else if (array == "memory_copy") {
    record.kind = Kind::copy;
    record.source = value["src_agent_id"]["handle"].integer();
    record.destination = value["dst_agent_id"]["handle"].integer();
    record.queue = stream;
    record.bytes = value["bytes"].integer();
  } else if (array.ends_with("_api")) {
    record.kind = array == "marker_api" ? Kind::marker : Kind::call;
  } else {
    return sink_.note(note_id::unknown_kind, array);
  }
  take(record);
}

/// What waits until the process is known counts against the limits of the reading.
void JsonDocument::count_kept() {
  kept_.look([this] {
    Kept kept;
    kept.add(process_.waiting);
    kept.add(process_.counted);
    kept.add_nodes(process_.messages);
    kept.add_nodes(process_.symbols);
    return kept;
  });
}

/// Uses a record, or keeps it until what it refers to was read.
void JsonDocument::take(const Record& record) {
  const bool ready = std::all_of(std::begin(names), std::end(names),
                                 [this](std::string_view name) { return process_.complete.contains(name); });
  if (ready) add(record);
  else process_.waiting.push_back(record);
  count_kept();
}

void JsonDocument::add(const Record& record) {
  begin_process();
  if (!events_.begin_record()) return;
  const auto when = events_.times(record.start, record.end, "timestamp");
  if (!when) return;
  const Number correlation =
      record.correlation ? Number(process_count_ << 40 | (*record.correlation & 0xFFFFFFFFFF)) : std::nullopt;
  std::optional<Thread> thread;
  if (process_.id && record.thread) thread = Thread{*process_.id, *record.thread};
  switch (record.kind) {
    case Kind::dispatch: return add_kernel(record, *when, correlation);
    case Kind::copy: return add_copy(record, *when, correlation);
    case Kind::call: return events_.add(Call{operation_name(record), *when, thread, correlation});
    case Kind::marker: {
      const auto message = process_.messages.find(record.correlation.value_or(-1));
      events_.add(Range{message == process_.messages.end() ? operation_name(record) : message->second, *when, thread});
    }
  }
}

void JsonDocument::add_kernel(const Record& record, const Times& when, Number correlation) {
  ++process_.dispatches;
  Dispatch kernel{.device = device_number(record.agent),
                  .queue = record.queue,
                  .start = process_.counted.empty() ? Number(when.start) : std::nullopt,
                  .dur = when.dur,
                  .correlation = correlation,
                  .threads = record.threads,
                  .shared_memory = record.shared_memory};
  if (const auto symbol = process_.symbols.find(record.kernel.value_or(-1)); symbol != process_.symbols.end()) {
    kernel.name = symbol->second.name;
    kernel.vector_registers = symbol->second.vector_registers;
    kernel.accumulation_registers = symbol->second.accumulation_registers;
  }
  for (std::size_t i = 0; i < 3; ++i) kernel.blocks[i] = blocks_of(record.items[i], record.threads[i]);
  events_.add(kernel);
}

void JsonDocument::add_copy(const Record& record, const Times& when, Number correlation) {
  events_.add(Copy{.direction = operation_name(record),
                   .source = device_number(record.source),
                   .destination = device_number(record.destination),
                   .queue = record.queue,
                   .bytes = record.bytes,
                   .when = when,
                   .correlation = correlation});
}

/// The first process is the input's run; others join it as ranks.
void JsonDocument::begin_process() {
  if (std::exchange(process_.begun, true)) return;
  const std::optional<RankOfJob>& rank = process_.rank;
  if (process_count_ > 0) {
    events_.rank = rank ? Number(rank->rank) : std::nullopt;
    return;
  }
  RunInfo run;
  run.producer = "rocprofv3";
  run.clock = ClockDomain::device;
  run.host = process_.host;
  if (rank) {
    run.rank = rank->rank;
    run.world_size = rank->size;
  }
  sink_.run(std::move(run));
}

void JsonDocument::end_process(bool complete) {
  if (!process_.seen) return;
  kept_.count({});  // rows are made of it now
  begin_process();
  for (const Record& record : process_.waiting) add(record);
  if (process_.dispatches == 0)
    for (const Record& record : process_.counted) add(record);
  for (const auto& [handle, agent] : process_.agents)  // of a rank, only the devices that it used are its own
    if (agent.is_device && (!process_.rank || process_.used_agents.contains(handle))) describe(events_, agent);
  if (complete) declare_recorded(events_, process_.settings);
  ++process_count_;
  process_ = {};
}

void JsonDocument::finish() {
  if (process_count_ == 0) begin_process();
  events_.finish();
}

/// Handles mean nothing by themselves: the number is the system's, which other tools use too.
Number JsonDocument::device_number(Number handle) {
  if (!handle) return std::nullopt;
  process_.used_agents.insert(*handle);
  const auto next = static_cast<std::int64_t>(process_.agents.size());
  return process_.agents.try_emplace(*handle, Agent{.number = next, .is_device = true}).first->second.number;
}

std::string_view JsonDocument::operation_name(const Record& record) const {
  const auto domain = static_cast<std::size_t>(record.domain.value_or(-1));
  const auto operation = static_cast<std::size_t>(record.operation.value_or(-1));
  if (domain >= process_.operations.size() || operation >= process_.operations[domain].size()) return {};
  return process_.operations[domain][operation];
}

}  // namespace kdiag::adapters::rocprof
