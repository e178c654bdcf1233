// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/rocpd/part.hpp"

#include <algorithm>
#include <span>

#include <kdiag/note_ids.hpp>

#include "adapters/rows/kernel_rows.hpp"
#include "adapters/text/instants.hpp"
#include "base/text.hpp"

namespace kdiag::adapters::rocpd {
namespace {

using amd::Thread;

constexpr std::string_view process_table = "rocpd_info_process";
constexpr std::string_view category_table = "rocpd_info_category";
constexpr std::string_view string_table = "rocpd_string";
constexpr std::string_view kernel_table = "rocpd_kernel_dispatch";
constexpr std::string_view copy_table = "rocpd_memory_copy";
constexpr std::string_view region_table = "rocpd_region";
constexpr std::string_view mark_table = "rocpd_sample";
constexpr std::string_view counter_table = "rocpd_pmc_event";

/// The columns that say where and when, at the first places of each query. Schema 3 has them in the row, schema 4 in
/// tables of instants and tracks.
enum Common : int { start, end, start_id, end_id, track_id, pid, tid, agent_id, queue_id, stream_id, event_id, own };
constexpr std::string_view common_names[] = {"start", "end",      "start_id", "end_id",    "track_id", "pid",
                                             "tid",   "agent_id", "queue_id", "stream_id", "event_id"};

std::vector<std::string_view> with_common(std::initializer_list<std::string_view> own_names) {
  std::vector<std::string_view> names(std::begin(common_names), std::end(common_names));
  names.insert(names.end(), own_names);
  return names;
}

JsonValue parsed(std::optional<std::string_view> text) {
  std::optional<JsonValue> value = text ? parse_json(*text) : std::nullopt;
  return value ? std::move(*value) : JsonValue{};
}

enum class RegionKind : std::uint8_t { call, range, other };

RegionKind kind_of_region(std::string_view category, std::string_view name) {
  if (category.empty()) return amd::is_call_name(name) ? RegionKind::call : RegionKind::range;
  const std::string stated = upper(category);  // "HIP_RUNTIME_API" of rocprofv3, "rocm_hip_api" of rocprof-sys
  if (stated.find("MARKER") != stated.npos || stated == "USER") return RegionKind::range;
  return stated.find("API") != stated.npos || stated.starts_with("OMPT") ? RegionKind::call : RegionKind::other;
}

template <class Row>
const Row* find_id(const std::vector<Row>& rows, Number id) {
  if (!id) return nullptr;
  const auto found = std::lower_bound(rows.begin(), rows.end(), *id,
                                      [](const Row& row, std::int64_t wanted) { return row.id < wanted; });
  return found != rows.end() && found->id == *id ? &*found : nullptr;
}

template <class Row>
void sort_by_id(std::vector<Row>& rows) {
  const auto by_id = [](const Row& a, const Row& b) { return a.id < b.id; };
  if (!std::is_sorted(rows.begin(), rows.end(), by_id)) std::stable_sort(rows.begin(), rows.end(), by_id);
}

}  // namespace

bool is_rocpd(const std::vector<std::string>& tables) { return !endings(tables).empty(); }

std::vector<std::string> endings(const std::vector<std::string>& tables) {
  std::vector<std::string> found;
  for (const std::string& table : tables)
    if (table.starts_with(process_table)) found.push_back(table.substr(process_table.size()));
  return found;
}

Part::Part(const Database& database, FactSink& sink, std::string ending, std::int64_t place)
    : database_(database),
      sink_(sink),
      ending_(std::move(ending)),
      place_(place),
      strings_(database, name(string_table), "id", "string"),
      categories_(database, name(database.has(name(category_table)) ? category_table : string_table), "id",
                  database.has(name(category_table)) ? "name" : "string"),
      symbol_rows_(database.select_by(name("rocpd_info_kernel_symbol"),
                                      {"display_name", "kernel_name", "arch_vgpr_count", "accum_vgpr_count"}, "id")) {
  read_process();
}

/// The recording's process; one that holds several states the first one's settings.
void Part::read_process() {
  Query nodes = select("rocpd_info_node", {"hostname"});
  if (nodes.next()) process_.host = nodes.text(0).value_or("");
  Query rows = select(process_table, {"id", "pid", "extdata", "environment"});
  while (rows.next()) {
    const Number id = rows.integer(0);
    const Number number = rows.integer(1);
    if (id && number) processes_.emplace(*id, *number);
    if (process_.settings.kind != JsonValue::Kind::null) continue;
    process_.settings = parsed(rows.text(2));
    process_.rank = amd::rank_of_job(process_.settings, parsed(rows.text(3)));
  }
}

void Part::read(amd::Events& events) {
  events_ = &events;
  read_ids();
  read_agents();
  read_tracks();
  read_events();
  const bool counted = read_counters();
  if (counted) sink_.note(note_id::serialised_kernels);
  read_kernels(counted);
  read_copies();
  read_regions();
  read_marks();
  describe_devices();
}

void Part::read_ids() {
  Query rows = select("rocpd_info_thread", {"id", "tid"});
  while (rows.next())
    if (const Number id = rows.integer(0), number = rows.integer(1); id && number) threads_.emplace(*id, *number);
}

void Part::read_agents() {
  enum Place : int { id, type, index, product, model, name, properties };
  Query rows =
      select("rocpd_info_agent", {"id", "type", "absolute_index", "product_name", "model_name", "name", "extdata"});
  while (rows.next()) {
    const Number number = rows.integer(id);
    if (!number) {
      sink_.note(note_id::malformed_value, "agent");
      continue;
    }
    amd::Agent agent{.number = rows.integer(index).value_or(*number), .is_device = rows.text(type) == "GPU"};
    for (const int place : {product, model, name})
      if (agent.name.empty()) agent.name = rows.text(place).value_or("");
    amd::set_properties(agent, parsed(rows.text(properties)));
    agents_.emplace(*number, std::move(agent));
  }
}

void Part::read_tracks() {
  enum Place : int { id, process, thread, agent, queue, stream };
  Query rows = select("rocpd_track", {"id", "pid", "tid", "agent_id", "queue_id", "stream_id"});
  while (rows.next())
    if (const Number number = rows.integer(id))
      tracks_.emplace(*number, Track{rows.integer(process), rows.integer(thread), rows.integer(agent),
                                     rows.integer(queue), rows.integer(stream)});

  Query instants = select("rocpd_timestamp", {"id", "value"});
  while (instants.next())
    if (const Number number = instants.integer(0), value = instants.integer(1); number && value)
      instants_.push_back({*number, *value});
  sort_by_id(instants_);
}

void Part::read_events() {
  enum Place : int { id, category, stack, details };
  Query rows = select("rocpd_event", {"id", "category_id", "stack_id", "extdata"});
  while (rows.next()) {
    const Number number = rows.integer(id);
    if (!number) continue;
    const Number call = rows.integer(stack);
    event_rows_.push_back({*number, rows.integer(category), call.value_or(0) > 0 ? call : std::nullopt});
    const std::string_view text = rows.text(details).value_or("");
    if (text.find("\"message\"") == text.npos) continue;
    JsonValue message = parsed(text)["message"];
    if (!message.text.empty()) messages_.emplace(*number, std::move(message.text));
  }
  sort_by_id(event_rows_);
}

/// Whether counters of kernels were read. Counters that are sampled beside the kernels slow nothing down.
bool Part::read_counters() {
  if (!database_.has_rows(name(counter_table))) return false;
  std::vector<std::int64_t> counted;
  Query kernels = select(kernel_table, {"event_id"});
  while (kernels.next())
    if (const Number event = kernels.integer(0)) counted.push_back(*event);
  std::sort(counted.begin(), counted.end());
  TextTable names(database_, name("rocpd_info_pmc"), "id", "name");
  bool any = false;
  Query rows = select(counter_table, {"event_id", "pmc_id"});
  while (rows.next()) {
    sink_.note(note_id::unknown_counter, names(rows.integer(1)));
    const Number event = rows.integer(0);
    any = any || (event && std::binary_search(counted.begin(), counted.end(), *event));
  }
  return any;
}

Number Part::instant(Number stated, Number id) const {
  if (stated) return stated;
  const Instant* found = find_id(instants_, id);
  return found == nullptr ? std::nullopt : Number(found->value);
}

std::optional<Thread> Part::thread_of(const Track& at) const {
  if (!at.process || !at.thread) return std::nullopt;
  const auto process = processes_.find(*at.process);
  const auto thread = threads_.find(*at.thread);
  return Thread{process == processes_.end() ? *at.process : process->second,
                thread == threads_.end() ? *at.thread : thread->second};
}

Part::Origin Part::origin_of(const Query& row, std::string_view what) {
  Track at{row.integer(pid), row.integer(tid), row.integer(agent_id), row.integer(queue_id), row.integer(stream_id)};
  if (const auto track = tracks_.find(row.integer(track_id).value_or(-1)); track != tracks_.end()) {
    const Track& stated = track->second;
    if (!at.process) at.process = stated.process;
    if (!at.thread) at.thread = stated.thread;
    if (!at.agent) at.agent = stated.agent;
    if (!at.queue) at.queue = stated.queue;
    if (!at.stream) at.stream = stated.stream;
  }
  Origin origin;
  origin.when = events_->times(instant(row.integer(start), row.integer(start_id)),
                               instant(row.integer(end), row.integer(end_id)), what);
  origin.thread = thread_of(at);
  origin.agent = at.agent;
  origin.queue = at.stream ? at.stream : at.queue;
  origin.event = find_id(event_rows_, row.integer(event_id));
  if (origin.event != nullptr && origin.event->call)  // every recording counts from 1
    origin.correlation = place_ << 40 | (*origin.event->call & 0xFFFFFFFFFF);
  return origin;
}

void Part::read_kernels(bool counted) {
  enum Place : int { kernel_id = own, grid, group = grid + 3, shared = group + 3 };
  Query rows = database_.select(
      name(kernel_table), with_common({"kernel_id", "grid_size_x", "grid_size_y", "grid_size_z", "workgroup_size_x",
                                       "workgroup_size_y", "workgroup_size_z", "group_segment_size"}));
  while (rows.next() && events_->begin_record()) {
    const Origin origin = origin_of(rows, kernel_table);
    if (!origin.when) continue;
    const Symbol& known = symbol(rows.integer(kernel_id).value_or(-1));
    amd::Dispatch kernel{.name = known.name,
                         .device = device_number(origin.agent),
                         .queue = origin.queue,
                         .start = counted ? Number() : origin.when->start,
                         .dur = origin.when->dur,
                         .correlation = origin.correlation,
                         .shared_memory = rows.integer(shared),
                         .vector_registers = known.vector_registers,
                         .accumulation_registers = known.accumulation_registers};
    for (int i = 0; i < 3; ++i) {  // grids are in work-items
      const auto place = static_cast<std::size_t>(i);
      kernel.threads[place] = rows.integer(group + i);
      kernel.blocks[place] = blocks_of(rows.integer(grid + i), kernel.threads[place]);
    }
    events_->add(kernel);
  }
}

void Part::read_copies() {
  enum Place : int { name_id = own, source, destination, size };
  Query rows = database_.select(name(copy_table), with_common({"name_id", "src_agent_id", "dst_agent_id", "size"}));
  while (rows.next() && events_->begin_record()) {
    const Origin origin = origin_of(rows, copy_table);
    if (!origin.when) continue;
    events_->add(amd::Copy{.direction = strings_(rows.integer(name_id)),
                           .source = device_number(rows.integer(source)),
                           .destination = device_number(rows.integer(destination)),
                           .queue = origin.queue,
                           .bytes = rows.integer(size),
                           .when = *origin.when,
                           .correlation = origin.correlation});
  }
}

void Part::read_regions() {
  enum Place : int { name_id = own };
  Query rows = database_.select(name(region_table), with_common({"name_id"}));
  while (rows.next() && events_->begin_record()) {
    const Origin origin = origin_of(rows, region_table);
    if (!origin.when) continue;
    const std::string_view stated = strings_(rows.integer(name_id));
    const std::string_view category = category_of(origin.event);
    switch (kind_of_region(category, stated)) {
      case RegionKind::call: events_->add(amd::Call{stated, *origin.when, origin.thread, origin.correlation}); break;
      case RegionKind::range: {
        const std::string_view message = message_of(origin.event);
        events_->add(amd::Range{message.empty() ? stated : message, *origin.when, origin.thread});
        break;
      }
      case RegionKind::other: sink_.note(note_id::unknown_kind, "region of category " + std::string(category)); break;
    }
  }
}

/// Records without a length: marks of the program, and samples of what has no place among the facts.
void Part::read_marks() {
  enum Place : int { mark, mark_id, mark_track, mark_event };
  Query rows = select(mark_table, {"timestamp", "timestamp_id", "track_id", "event_id"});
  while (rows.next() && events_->begin_record()) {
    const Event* event = find_id(event_rows_, rows.integer(mark_event));
    const std::string_view message = message_of(event);
    if (message.empty()) {
      sink_.note(note_id::unknown_kind, "sample of category " + std::string(category_of(event)));
      continue;
    }
    const Number at = instant(rows.integer(mark), rows.integer(mark_id));
    const auto when = events_->times(at, at, mark_table);
    if (!when) continue;
    amd::Range range{message, *when, {}};
    if (const auto track = tracks_.find(rows.integer(mark_track).value_or(-1)); track != tracks_.end())
      range.thread = thread_of(track->second);
    events_->add(range);
  }
}

/// Of a rank, only the devices that it used are its own.
void Part::describe_devices() {
  for (const auto& [id, agent] : agents_)
    if (agent.is_device && (!process_.rank || used_agents_.contains(id))) amd::describe(*events_, agent);
}

std::string_view Part::category_of(const Event* event) { return event == nullptr ? "" : categories_(event->category); }

std::string_view Part::message_of(const Event* event) const {
  if (event == nullptr) return {};
  const auto found = messages_.find(event->id);
  return found == messages_.end() ? std::string_view{} : found->second;
}

const Part::Symbol& Part::symbol(std::int64_t id) {
  const auto [found, added] = symbols_.try_emplace(id);
  if (!added) return found->second;
  symbol_rows_.bind(id);
  if (!symbol_rows_.next()) {
    return found->second;
  }
  Symbol& symbol = found->second;
  for (const int place : {0, 1})
    if (symbol.name.empty()) symbol.name = symbol_rows_.text(place).value_or("");
  symbol.vector_registers = symbol_rows_.integer(2);
  symbol.accumulation_registers = symbol_rows_.integer(3);
  return symbol;
}

Number Part::device_number(Number agent) {
  if (!agent) return std::nullopt;
  used_agents_.insert(*agent);
  const auto found = agents_.find(*agent);
  return found == agents_.end() ? agent : Number(found->second.number);
}

}  // namespace kdiag::adapters::rocpd
