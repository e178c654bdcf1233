// SPDX-License-Identifier: Apache-2.0
// Numbers of fields: the .proto files below protos/perfetto/trace/, by the names of the messages.
#include "report/perfetto/packets.hpp"

#include <algorithm>

#include <protozero/pbf_writer.hpp>

#include "base/escape.hpp"

namespace kdiag::report {
namespace {

using Field = protozero::pbf_tag_type;

namespace trace_field {
constexpr Field packet = 1;
}
namespace packet_field {
constexpr Field timestamp = 8, sequence = 10, track_event = 11, interned_data = 12, sequence_flags = 13,
                track_descriptor = 60, first_on_sequence = 87;
}
namespace track_field {
constexpr Field uuid = 1, name = 2, process = 3, parent_uuid = 5, child_ordering = 11, sibling_order_rank = 12;
}
namespace process_field {
constexpr Field pid = 1, process_name = 6;
}
namespace event_field {
constexpr Field debug_annotations = 4, type = 9, name_iid = 10, track_uuid = 11, categories = 22, name = 23,
                flow_ids = 47, terminating_flow_ids = 48;
}
namespace annotation_field {
constexpr Field int_value = 4, string_value = 6, name = 10;
}
namespace interned_field {
constexpr Field event_names = 2, iid = 1, name = 2;  // of InternedData; of EventName
}

enum SequenceFlag : std::uint32_t { state_cleared = 1, needs_state = 2 };
enum EventType : std::int32_t { slice_begin = 1, slice_end = 2, instant_event = 3 };
constexpr std::uint32_t only_sequence = 1;
constexpr std::int32_t explicit_order = 3;  // TrackDescriptor.ChildTracksOrdering
constexpr std::size_t piece = 1 << 20;

/// Texts come from traces, rules and scripts, and tools print them: nothing in them steers a terminal. Nearly all are
/// fine.
void add_text(protozero::pbf_writer& message, Field field, std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }))
    message.add_string(field, text.data(), text.size());
  else message.add_string(field, flowing(text));
}

void add_arguments(protozero::pbf_writer& event, const PacketArguments& arguments) {
  for (const std::uint64_t flow : arguments.flows_out) event.add_fixed64(event_field::flow_ids, flow);
  for (const std::uint64_t flow : arguments.flows_in) event.add_fixed64(event_field::terminating_flow_ids, flow);
  for (const auto& [name, text] : arguments.texts) {
    protozero::pbf_writer annotation(event, event_field::debug_annotations);
    add_text(annotation, annotation_field::name, name);
    add_text(annotation, annotation_field::string_value, text);
  }
  for (const auto& [name, number] : arguments.numbers) {
    protozero::pbf_writer annotation(event, event_field::debug_annotations);
    add_text(annotation, annotation_field::name, name);
    annotation.add_int64(annotation_field::int_value, number);
  }
}

}  // namespace

void PacketWriter::append(const std::string& packet) {
  protozero::pbf_writer(buffer_).add_message(trace_field::packet, packet);
  if (buffer_.size() < piece) return;
  wanted_ = wanted_ && output_(buffer_);
  buffer_.clear();
}

bool PacketWriter::finish() {
  wanted_ = wanted_ && output_(buffer_);
  buffer_.clear();
  return wanted_;
}

std::uint64_t PacketWriter::describe(const std::function<void(protozero::pbf_writer&, std::uint64_t)>& fill) {
  const std::uint64_t uuid = ++tracks_;
  std::string packet;
  protozero::pbf_writer writer(packet);
  writer.add_uint32(packet_field::sequence, only_sequence);
  {
    protozero::pbf_writer track(writer, packet_field::track_descriptor);
    track.add_uint64(track_field::uuid, uuid);
    track.add_enum(track_field::child_ordering, explicit_order);
    fill(track, uuid);
  }
  append(packet);
  return uuid;
}

std::uint64_t PacketWriter::process(std::string_view name) {
  return describe([name](protozero::pbf_writer& track, std::uint64_t uuid) {
    protozero::pbf_writer about(track, track_field::process);
    // Numbers of real processes may be those of several ranks.
    about.add_int32(process_field::pid, static_cast<std::int32_t>(uuid));
    add_text(about, process_field::process_name, name);
  });
}

std::uint64_t PacketWriter::track(std::uint64_t parent, std::string_view name, std::int64_t rank) {
  return describe([&](protozero::pbf_writer& track, std::uint64_t) {
    add_text(track, track_field::name, name);
    track.add_uint64(track_field::parent_uuid, parent);
    track.add_int32(track_field::sibling_order_rank, static_cast<std::int32_t>(rank));
  });
}

void PacketWriter::event(int type, std::uint64_t track, std::int64_t time, std::string_view category,
                         const PacketName& name, const PacketArguments& arguments) {
  std::string packet;
  protozero::pbf_writer writer(packet);
  writer.add_uint64(packet_field::timestamp, static_cast<std::uint64_t>(time));
  writer.add_uint32(packet_field::sequence, only_sequence);
  writer.add_uint32(packet_field::sequence_flags, needs_state | (first_ ? std::uint32_t{state_cleared} : 0U));
  if (std::exchange(first_, false)) writer.add_bool(packet_field::first_on_sequence, true);
  if (name.number > 0 && written_names_.insert(name.number).second) {
    protozero::pbf_writer interned(writer, packet_field::interned_data);
    protozero::pbf_writer entry(interned, interned_field::event_names);
    entry.add_uint64(interned_field::iid, name.number);
    add_text(entry, interned_field::name, name.text);
  }
  {
    protozero::pbf_writer event(writer, packet_field::track_event);
    event.add_enum(event_field::type, type);
    event.add_uint64(event_field::track_uuid, track);
    if (name.number > 0) event.add_uint64(event_field::name_iid, name.number);
    else if (!name.text.empty()) add_text(event, event_field::name, name.text);
    if (!category.empty()) event.add_string(event_field::categories, category.data(), category.size());
    add_arguments(event, arguments);
  }
  append(packet);
}

void PacketWriter::begin(std::uint64_t track, std::int64_t time, std::string_view category, const PacketName& name,
                         const PacketArguments& arguments) {
  event(slice_begin, track, time, category, name, arguments);
}

void PacketWriter::end(std::uint64_t track, std::int64_t time) { event(slice_end, track, time, {}, {}, {}); }

void PacketWriter::instant(std::uint64_t track, std::int64_t time, std::string_view category, const PacketName& name,
                           const PacketArguments& arguments) {
  event(instant_event, track, time, category, name, arguments);
}

}  // namespace kdiag::report
