// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/rocprof/v1_events.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/amd/rocprof/v1_agents.hpp"
#include "adapters/names/copy_names.hpp"
#include "base/text.hpp"

namespace kdiag::adapters::rocprof {
namespace {

/// The number behind a name in the arguments of a call: 4000 of "( dst(0x7f) sizeBytes(4000) kind(1))".
amd::Number argument(std::string_view arguments, std::string_view name) {
  const std::size_t at = arguments.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  arguments.remove_prefix(at + name.size());
  if (!arguments.starts_with('(')) return std::nullopt;
  return to_integer(Token{arguments.substr(1, arguments.find(')') - 1)});
}

/// Which flow an event has, by where it stands.
class Flows {
 public:
  explicit Flows(const std::vector<std::unique_ptr<V1Events>>& chunks) {
    for (const auto& chunk : chunks)
      for (const V1Flow& flow : chunk->flows)
        (flow.work ? of_work_ : of_calls_).try_emplace({flow.place, flow.us}, flow.id + 1);  // 0 is no id
  }

  amd::Number of_work(const V1Record& work) const {
    const auto found = of_work_.find({work.place, work.us});
    return found == of_work_.end() ? std::nullopt : amd::Number(found->second);
  }
  /// The first one that begins within a call.
  amd::Number of_call(const V1Record& call, std::int64_t end_us) const {
    const auto found = of_calls_.lower_bound({call.place, call.us});
    const bool within = found != of_calls_.end() && found->first.first == call.place && found->first.second <= end_us;
    return within ? amd::Number(found->second) : std::nullopt;
  }

 private:
  std::map<std::pair<V1Place, std::int64_t>, std::int64_t> of_work_, of_calls_;
};

class Writer {
 public:
  Writer(std::vector<std::unique_ptr<V1Events>> chunks, std::string_view system, FactSink& sink)
      : chunks_(std::move(chunks)), flows_(chunks_), events_(sink), agents_(parse_agents(system)) {
    for (const auto& chunk : chunks_) rows_.merge(chunk->rows);
  }

  void write() {
    note_sizes();
    describe_devices();
    for (const auto& chunk : chunks_)
      for (const V1Record& record : chunk->records) {
        if (!events_.begin_record()) return;
        add(record, chunk->names.texts()[record.name]);
      }
    if (events_.work_is_missing()) events_.sink.note(note_id::no_device_work);
    else
      for (const TableId id : {table("kernels"), table("copies"), table("memsets"), table("comms")})
        events_.batch.declare(id);
    events_.finish();
  }

 private:
  static std::int64_t end_us(const V1Record& call) { return call.end.value_or(0) / 1000; }

  /// Some runs number their devices from 0, others by the agents' nodes. Where one number is none of an agent, all of
  /// them are taken for the former: they would describe another device.
  void describe_devices() {
    std::set<std::int64_t> numbers, nodes;
    for (const auto& chunk : chunks_)
      for (const V1Record& record : chunk->records)
        if (record.device) numbers.insert(*record.device);
    for (const V1Agent& agent : agents_) nodes.insert(agent.number);
    if (!std::includes(nodes.begin(), nodes.end(), numbers.begin(), numbers.end())) return;
    for (const V1Agent& agent : agents_) {
      if (!numbers.contains(agent.number)) continue;
      const Row device = events_.device(agent.number);
      if (!agent.name.empty()) events_.batch.set(device, column("devices.name"), agent.name);
      if (agent.units) events_.batch.set(device, column("devices.sms"), *agent.units);
      if (agent.clock) events_.batch.set(device, column("devices.sm_clock_max"), *agent.clock);
    }
  }

  /// A call states the size of the copy that it launches.
  void note_sizes() {
    for (const auto& chunk : chunks_)
      for (const V1Record& record : chunk->records)
        if (record.bytes)
          if (const auto flow = flows_.of_call(record, end_us(record))) sizes_.try_emplace(*flow, *record.bytes);
  }

  void add(const V1Record& record, std::string_view name) {
    const auto when = events_.times(record.begin, record.end, "BeginNs, EndNs");
    if (!when) return;
    if (name.empty()) return events_.sink.note(note_id::malformed_value, "name");
    const auto row = rows_.find(record.place.row);
    const std::string_view row_name = row == rows_.end() ? std::string_view{} : std::string_view(row->second);
    const auto thread =
        record.process && record.thread ? std::optional(amd::Thread{*record.process, *record.thread}) : std::nullopt;
    if (contains(row_name, "Marker")) return events_.add(amd::Range{name, *when, thread});
    if (!record.device || amd::is_call_name(name))
      return events_.add(amd::Call{name, *when, thread, flows_.of_call(record, end_us(record))});
    add_work(record, *when, name);
  }

  void add_work(const V1Record& record, const amd::Times& when, std::string_view name) {
    const amd::Number correlation = flows_.of_work(record);
    if (name == "FillBuffer") return events_.add(amd::Fill{record.device, record.stream, when, correlation});
    if (name.starts_with("Copy") && !parse_copy_name(name).kind.empty()) {
      const auto size = correlation ? sizes_.find(*correlation) : sizes_.end();
      return events_.add(amd::Copy{.direction = name,
                                   .source = {},
                                   .destination = {},
                                   .device = record.device,
                                   .queue = record.stream,
                                   .bytes = size == sizes_.end() ? std::nullopt : amd::Number(size->second),
                                   .when = when,
                                   .correlation = correlation});
    }
    amd::Dispatch kernel{};
    kernel.name = name;
    kernel.device = record.device;
    kernel.queue = record.stream;
    kernel.start = when.start;
    kernel.dur = when.dur;
    kernel.correlation = correlation;
    events_.add(kernel);
  }

  std::vector<std::unique_ptr<V1Events>> chunks_;
  Flows flows_;
  amd::Events events_;
  std::vector<V1Agent> agents_;
  std::map<std::int64_t, std::string> rows_;
  std::map<std::int64_t, std::int64_t> sizes_;  ///< of copies, by flow
};

}  // namespace

void V1Events::add(const TraceEvent& event) {
  const std::string_view phase = unquoted(event.ph);
  const auto row = to_integer(event.pid);
  if (phase == "M") {
    if (row && unquoted(event.name) == "process_name") rows.try_emplace(*row, decode(event.arg("name"), scratch_));
    return;
  }
  const auto us = to_integer(event.ts);
  if (!row || !us) return;
  const V1Place place{*row, to_integer(event.tid).value_or(0)};
  if (phase == "s" || phase == "t" || phase == "f") {
    constexpr std::int64_t largest = std::int64_t{1} << 62;
    if (const auto id = to_integer(event.id); id && *id >= 0 && *id < largest)
      flows.push_back({place, *us, *id, phase != "s"});
    return;
  }
  if (phase != "X") return;
  V1Record record;
  record.place = place;
  record.us = *us;
  record.begin = to_integer(event.arg("BeginNs"));
  record.end = to_integer(event.arg("EndNs"));
  record.process = to_integer(event.arg("pid"));
  record.thread = to_integer(event.arg("tid"));
  record.device = to_integer(event.arg("dev-id"));
  record.stream = to_integer(event.arg("stream-id"));
  if (!record.stream) record.stream = to_integer(event.arg("queue-id"));
  record.bytes = argument(unquoted(event.arg("args")), "sizeBytes");
  record.name = names(decode(event.name, scratch_));
  records.push_back(record);
}

Kept V1Events::kept() const {
  Kept out;
  out.add_bytes(names.bytes());
  out.add_nodes(rows);
  out.add(records);
  out.add(flows);
  return out;
}

void finish(std::vector<std::unique_ptr<V1Events>> chunks, std::string_view system, FactSink& sink) {
  Writer(std::move(chunks), system, sink).write();
}

}  // namespace kdiag::adapters::rocprof
