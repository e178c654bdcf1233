// SPDX-License-Identifier: Apache-2.0
// Numbers of fields: the .proto files below protos/perfetto/trace/, by the names of the messages.
#include "report/perfetto_packets.hpp"

#include <protozero/pbf_writer.hpp>

namespace kdiag::report {
namespace {

enum TracePacket : protozero::pbf_tag_type {
  timestamp = 8,
  sequence = 10,
  track_event = 11,
  interned_data = 12,
  sequence_flags = 13,
  track_descriptor = 60,
  first_on_sequence = 87,
};
enum SequenceFlag : std::uint32_t { state_cleared = 1, needs_state = 2 };
enum EventType : std::int32_t { slice_begin = 1, slice_end = 2, instant_event = 3 };
constexpr protozero::pbf_tag_type packet_of_trace = 1;
constexpr std::uint32_t only_sequence = 1;
constexpr std::int32_t explicit_order = 3;  // TrackDescriptor.ChildTracksOrdering
constexpr std::size_t piece = 1 << 20;

void add_arguments(protozero::pbf_writer& event, const PacketArguments& arguments) {
  for (const std::uint64_t flow : arguments.flows_out) event.add_fixed64(47, flow);
  for (const std::uint64_t flow : arguments.flows_in) event.add_fixed64(48, flow);
  for (const auto& [name, text] : arguments.texts) {
    protozero::pbf_writer annotation(event, 4);
    annotation.add_string(10, name.data(), name.size());
    annotation.add_string(6, text);
  }
  for (const auto& [name, number] : arguments.numbers) {
    protozero::pbf_writer annotation(event, 4);
    annotation.add_string(10, name.data(), name.size());
    annotation.add_int64(4, number);
  }
}

}  // namespace

void PacketWriter::append(const std::string& packet) {
  protozero::pbf_writer(buffer_).add_message(packet_of_trace, packet);
  if (buffer_.size() < piece) return;
  wanted_ = wanted_ && output_(buffer_);
  buffer_.clear();
}

bool PacketWriter::finish() {
  wanted_ = wanted_ && output_(buffer_);
  buffer_.clear();
  return wanted_;
}

std::uint64_t PacketWriter::process(std::string_view name) {
  const std::uint64_t uuid = ++tracks_;
  std::string packet;
  protozero::pbf_writer writer(packet);
  writer.add_uint32(sequence, only_sequence);
  {
    protozero::pbf_writer track(writer, track_descriptor);
    track.add_uint64(1, uuid);
    track.add_enum(11, explicit_order);
    protozero::pbf_writer about(track, 3);
    about.add_int32(1, static_cast<std::int32_t>(uuid));  // numbers of real processes may be those of several ranks
    about.add_string(6, name.data(), name.size());
  }
  append(packet);
  return uuid;
}

std::uint64_t PacketWriter::track(std::uint64_t parent, std::string_view name, std::int64_t rank) {
  const std::uint64_t uuid = ++tracks_;
  std::string packet;
  protozero::pbf_writer writer(packet);
  writer.add_uint32(sequence, only_sequence);
  {
    protozero::pbf_writer track(writer, track_descriptor);
    track.add_uint64(1, uuid);
    track.add_string(2, name.data(), name.size());
    track.add_uint64(5, parent);
    track.add_enum(11, explicit_order);
    track.add_int32(12, static_cast<std::int32_t>(rank));
  }
  append(packet);
  return uuid;
}

void PacketWriter::event(int type, std::uint64_t track, std::int64_t time, std::string_view category,
                         const PacketName& name, const PacketArguments& arguments) {
  std::string packet;
  protozero::pbf_writer writer(packet);
  writer.add_uint64(timestamp, static_cast<std::uint64_t>(time));
  writer.add_uint32(sequence, only_sequence);
  writer.add_uint32(sequence_flags, needs_state | (first_ ? state_cleared : 0));
  if (std::exchange(first_, false)) writer.add_bool(first_on_sequence, true);
  if (name.number > 0 && written_names_.insert(name.number).second) {
    protozero::pbf_writer interned(writer, interned_data);
    protozero::pbf_writer entry(interned, 2);
    entry.add_uint64(1, name.number);
    entry.add_string(2, name.text.data(), name.text.size());
  }
  {
    protozero::pbf_writer event(writer, track_event);
    event.add_enum(9, type);
    event.add_uint64(11, track);
    if (name.number > 0) event.add_uint64(10, name.number);
    else if (!name.text.empty()) event.add_string(23, name.text.data(), name.text.size());
    if (!category.empty()) event.add_string(22, category.data(), category.size());
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
