// SPDX-License-Identifier: Apache-2.0
// Numbers of fields: the .proto files below protos/perfetto/trace/, by the names of the messages.
#include "adapters/google/perfetto/reader.hpp"

#include <span>
#include <string>

#include <kdiag/note_ids.hpp>

#include "adapters/google/perfetto/packets.hpp"
#include "adapters/google/perfetto/values.hpp"

namespace kdiag::adapters::perfetto {
namespace {

enum SequenceFlag : std::uint64_t { state_cleared = 1, needs_state = 2 };
enum EventType : std::uint64_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };

constexpr std::uint32_t unit_bytes = 3;  // of CounterDescriptor

/// What an annotation of the name says; null where it is of no use.
std::int64_t Details::*find_detail(std::string_view name) {
  static const std::unordered_map<std::string_view, std::int64_t Details::*> known = {
      {"corr_id", &Details::correlation},
      {"correlation", &Details::correlation},
      {"correlation_id", &Details::correlation},
      {"agent", &Details::device},
      {"src_agent", &Details::source},
      {"dst_agent", &Details::destination},
      {"queue", &Details::queue},
      {"tid", &Details::thread},
      {"copy_bytes", &Details::bytes},
      {"bytes", &Details::bytes},
      {"workgroup_size", &Details::workgroup},
      {"grid_size", &Details::grid},
      {"group_segment_size", &Details::shared_memory}};
  const auto found = known.find(name);
  return found == known.end() ? nullptr : found->second;
}

}  // namespace

void Reader::add(std::string_view packet) {
  Envelope envelope;
  Field payload;
  for (const Field& field : Fields(packet)) switch (field.number) {
      case timestamp: envelope.timestamp = field.integer(); break;
      case timestamp_clock_id:
        if (const auto id = field.integer()) envelope.clock = static_cast<std::uint32_t>(*id);
        break;
      case trusted_packet_sequence_id:
        envelope.sequence = static_cast<std::uint32_t>(field.integer().value_or(0));
        break;
      case trusted_pid: envelope.process = signed_of(field); break;
      case sequence_flags: envelope.flags |= field.integer().value_or(0); break;
      case incremental_state_cleared:
        if (field.integer().value_or(0) != 0) envelope.flags |= state_cleared;
        break;
      case previous_packet_dropped: envelope.dropped = field.integer().value_or(0) != 0; break;
      case interned_data: envelope.interned = field.message(); break;
      case trace_packet_defaults: envelope.defaults = field.message(); break;
      default:
        if (field.is_bytes()) payload = field;
        break;
    }
  Sequence& sequence = sequences_[envelope.sequence];
  if (envelope.process != 0) sequence.process = envelope.process;
  if (!enter(envelope, sequence)) return;
  const std::uint32_t clock = envelope.clock ? *envelope.clock : sequence.clock.value_or(Clocks::boottime);
  std::optional<std::int64_t> when;
  if (envelope.timestamp) when = clocks_.at(clock, envelope.sequence, *envelope.timestamp);
  add_payload(payload, when, envelope, sequence);
}

/// Brings the writer's state up to date. Returns false for a packet that refers to what is lost.
bool Reader::enter(const Envelope& envelope, Sequence& sequence) {
  // The first packet of a writer always says that packets before it are missing.
  if (envelope.dropped && sequence.seen) sink_.note(note_id::records_dropped, "packets of a Perfetto trace");
  if ((envelope.flags & state_cleared) != 0) {
    sequence.clear();
    sequence.intact = true;
  } else if (envelope.dropped) {
    sequence.intact = false;
  }
  sequence.seen = true;
  if ((envelope.flags & needs_state) != 0 && !sequence.intact) {
    sink_.note(note_id::unreadable_record, "packets whose names are lost");
    return false;
  }
  sequence.intern(envelope.interned, trace_.texts);
  if (!envelope.defaults.empty()) sequence.set_defaults(envelope.defaults);
  return true;
}

void Reader::add_payload(const Field& payload, Instant when, const Envelope& envelope, Sequence& sequence) {
  const std::string_view message = payload.message();
  switch (payload.number) {
    case clock_snapshot: return clocks_.add(message, envelope.sequence);
    case track_descriptor: return add_track(message);
    case track_event: return add_track_event(message, when, sequence);
    case gpu_render_stage_event: return gpu_.add_stage(message, when, sequence);
    case gpu_counter_event: return gpu_.add_counters(message, when, sequence);
    case generic_gpu_frequency_event: return gpu_.add_frequency(message, when);
    case gpu_mem_total_event: return gpu_.add_memory(message, when);
    case ftrace_events: return gpu_.add_kernel_events(message, clocks_);
    case gpu_info: return gpu_.add_gpus(message);
    default: return;
  }
}

std::uint32_t Reader::track(std::uint64_t uuid) {
  const auto [known, added] = trace_.track_of_uuid.try_emplace(uuid, static_cast<std::uint32_t>(trace_.tracks.size()));
  if (added) trace_.tracks.emplace_back();
  return known->second;
}

/// A description may come again, with more in it.
void Reader::add_track(std::string_view descriptor) {
  std::uint64_t uuid = 0;
  for (const Field& field : Fields(descriptor))
    if (field.number == 1) uuid = field.integer().value_or(0);
  Track& about = trace_.tracks[track(uuid)];
  std::string_view own_name;
  std::string_view name;
  for (const Field& field : Fields(descriptor)) switch (field.number) {
      case 2:
      case 10: own_name = field.text(); break;
      case 3:
        for (const Field& process : Fields(field.message()))
          if (process.number == 1) about.process = signed_of(process);
          else if (process.number == 6) name = process.text();
        break;
      case 4:
        for (const Field& thread : Fields(field.message()))
          if (thread.number == 1) about.process = signed_of(thread);
          else if (thread.number == 2) about.thread = signed_of(thread);
          else if (thread.number == 5) name = thread.text();
        break;
      case 5: about.parent = field.integer().value_or(0); break;
      case 8:
        about.counter = true;
        for (const Field& value : Fields(field.message()))
          if (value.number == 3) about.bytes = value.integer() == unit_bytes;
          else if (value.number == 4 && signed_of(value) > 0) about.factor = static_cast<double>(signed_of(value));
          else if (value.number == 5) about.incremental = signed_of(value) != 0;
        break;
      default: break;
    }
  if (!name.empty() && about.process && !about.thread)
    trace_.process_names.try_emplace(*about.process, trace_.texts(name));
  if (!own_name.empty()) name = own_name;
  if (!name.empty()) about.name = trace_.texts(name);
}

/// Categories of rocprofv3, which the ROCm Systems Profiler has too, behind "rocm_"; of the PyTorch profiler.
Kind Reader::kind_of(std::uint32_t category) {
  const auto [known, added] = kinds_.try_emplace(category, Kind::unknown);
  Kind& kind = known->second;
  if (!added) return kind;
  struct Category {
    std::string_view name;
    Kind kind;
  };
  constexpr Category amd[] = {{"kernel_dispatch", Kind::kernel}, {"memory_copy", Kind::copy},
                              {"hip_api", Kind::call},           {"hsa_api", Kind::call},
                              {"rccl_api", Kind::call},          {"rocdecode_api", Kind::call},
                              {"rocjpeg_api", Kind::call},       {"marker_api", Kind::range}};
  constexpr Category pytorch[] = {{"cpu_op", Kind::op},
                                  {"cuda_runtime", Kind::call},
                                  {"cuda_driver", Kind::call},
                                  {"user_annotation", Kind::range}};
  constexpr Category own[] = {{"kdiag", Kind::derived},       {"kdiag.kernel", Kind::own_kernel},
                              {"kdiag.copy", Kind::own_copy}, {"kdiag.memset", Kind::own_memset},
                              {"kdiag.op", Kind::op},         {"kdiag.call", Kind::call},
                              {"kdiag.range", Kind::range}};
  std::string_view name = trace_.text(category);
  const auto look_up = [&](std::span<const Category> categories, std::string_view producer) {
    for (const Category& about : categories) {
      if (about.name != name) continue;
      kind = about.kind;
      trace_.producer = producer;
    }
  };
  look_up(own, "kdiag");
  look_up(pytorch, "PyTorch Profiler");
  const bool systems = name.starts_with("rocm_");
  if (systems) name.remove_prefix(5);
  look_up(amd, systems ? "ROCm Systems Profiler" : "rocprofv3");
  return kind;
}

Reader::TrackEvent Reader::read_track_event(std::string_view message, const Sequence& sequence) {
  TrackEvent event;
  event.track = sequence.track.value_or(0);
  std::optional<std::uint64_t> name_number;
  std::string_view legacy;
  const auto add_category = [&](std::uint32_t category) {
    if (const Kind kind = kind_of(category); kind != Kind::unknown) event.kind = kind;
  };
  for (const Field& field : Fields(message)) switch (field.number) {
      case 3: add_category(find_text(sequence.categories, field.integer())); break;
      case 4: event.annotated = true; break;
      case 6: legacy = field.message(); break;
      case 9: event.type = field.integer().value_or(0); break;
      case 10: name_number = field.integer(); break;
      case 11: event.track = field.integer().value_or(0); break;
      case 22: add_category(trace_.texts(field.text())); break;
      case 23:
        if (!field.text().empty()) event.name = trace_.texts(field.text());
        break;
      case 30:
      case 44: event.value = number_of(field); break;
      case 3000: event.submits = true; break;
      default: break;
    }
  if (!legacy.empty() && event.type == 0) read_legacy_event(legacy, event, name_number);
  if (event.name == none) event.name = find_text(sequence.event_names, name_number);
  return event;
}

/// Events of Chrome, in the terms of its JSON.
void Reader::read_legacy_event(std::string_view legacy, TrackEvent& event, std::optional<std::uint64_t>& name_number) {
  constexpr std::int64_t longest = 3'000'000'000'000'000;
  std::int64_t phase = 0;
  std::optional<std::int64_t> microseconds;
  for (const Field& field : Fields(legacy)) switch (field.number) {
      case 1:
        if (!name_number) name_number = field.integer();
        break;
      case 2: phase = signed_of(field); break;
      case 3: microseconds = field.signed_integer(); break;
      default: break;
    }
  switch (phase) {
    case 'B': event.type = slice_begin; break;
    case 'E': event.type = slice_end; break;
    case 'I':
    case 'i': event.type = instant; break;
    case 'X':
      if (!microseconds || *microseconds < 0 || *microseconds > longest) break;
      event.type = slice_begin;
      event.dur = *microseconds * 1000;
      break;
    default: break;
  }
}

void Reader::add_track_event(std::string_view message, Instant when, Sequence& sequence) {
  const TrackEvent event = read_track_event(message, sequence);
  if (event.kind == Kind::derived) trace_.tracks[track(event.track)].derived = true;
  if (trace_.tracks[track(event.track)].derived) return;
  ++trace_.events;
  if (event.type == instant) return sink_.note(note_id::unused_event, "instants");
  if (event.type < slice_begin || event.type > counter)
    return sink_.note(note_id::unknown_kind, "types of track events");
  if (!when) return sink_.note(note_id::malformed_value, "timestamp");
  const std::uint32_t row = track(event.track);
  if (event.type == counter) return add_counter(*when, row, event, sequence);

  Mark mark{.time = *when, .dur = event.dur.value_or(0), .name = event.name, .kind = event.kind};
  if (event.type == slice_end) mark.phase = Phase::end;
  else if (event.dur) mark.phase = Phase::complete;
  const bool about_work = event.kind != Kind::unknown && event.annotated;
  if (mark.phase != Phase::end && (about_work || event.submits)) mark.details = add_details(message, sequence);
  Track& about = trace_.tracks[row];
  if (about.writer == 0) about.writer = sequence.process;
  about.marks.push_back(mark);
}

/// As find_detail, of a text that comes again and again.
std::int64_t Details::*Reader::detail_of(std::uint32_t name) {
  const auto [known, added] = details_of_names_.try_emplace(name, nullptr);
  if (added) known->second = find_detail(trace_.text(name));
  return known->second;
}

std::uint32_t Reader::add_details(std::string_view event, const Sequence& sequence) {
  Details details;
  std::vector<std::uint64_t> submitted;
  for (const Field& field : Fields(event)) {
    if (field.number == 3000) {
      for (const Field& id : Fields(field.message()))
        if (id.number == 1 && id.integer()) submitted.push_back(*id.integer());
    }
    if (field.number != 4) continue;
    std::int64_t Details::*detail = nullptr;
    std::int64_t value = absent_integer;
    for (const Field& part : Fields(field.message())) switch (part.number) {
        case 1: detail = detail_of(find_text(sequence.annotation_names, part.integer())); break;
        case 3:
        case 4: value = part.signed_integer().value_or(absent_integer); break;
        case 6: value = last_number(part.text()); break;
        case 10: detail = find_detail(part.text()); break;
        case 17: value = last_number(trace_.text(find_text(sequence.annotation_values, part.integer()))); break;
        default: break;
      }
    if (detail != nullptr) details.*detail = value;
  }
  // Calls and the work behind them need a number in common; that of the first piece of work will do.
  if (details.correlation <= 0)
    details.correlation = submitted.empty() ? absent_integer : static_cast<std::int64_t>(submitted.front());
  for (const std::uint64_t id : submitted) trace_.submissions.try_emplace(id, details.correlation);
  trace_.details.push_back(details);
  return static_cast<std::uint32_t>(trace_.details.size() - 1);
}

void Reader::add_counter(std::int64_t time, std::uint32_t row, const TrackEvent& event, Sequence& sequence) {
  if (!event.value) return sink_.note(note_id::malformed_value, "counter_value");
  const Track& about = trace_.tracks[row];
  double value = *event.value * about.factor;
  if (about.incremental) value = sequence.counter_sums[event.track] += value;
  trace_.samples.push_back({time, value, row});
}

void Reader::finish() {
  trace_.to_unix = clocks_.to_unix();
  sink_.count_events(trace_.events);
}

}  // namespace kdiag::adapters::perfetto
