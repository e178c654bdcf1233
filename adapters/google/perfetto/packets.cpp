// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/perfetto/packets.hpp"

#include <cstddef>

#include <kdiag/note_ids.hpp>

#include "adapters/io/decoder.hpp"

namespace kdiag::adapters::perfetto {
namespace {

constexpr std::uint32_t packet_field = 1;  // of the trace; it has no other

bool is_number(std::uint32_t field) {
  switch (field) {
    case trusted_uid:
    case timestamp:
    case trusted_packet_sequence_id:
    case sequence_flags:
    case incremental_state_cleared:
    case previous_packet_dropped:
    case timestamp_clock_id:
    case trusted_pid:
    case first_packet_on_sequence:
    case machine_id: return true;
    default: return false;
  }
}

/// What traces begin with.
bool is_typical(std::uint32_t field) {
  switch (field) {
    case timestamp:
    case trusted_packet_sequence_id:
    case clock_snapshot:
    case track_event:
    case trace_config:
    case synchronization_marker:
    case compressed_packets:
    case zstd_compressed_packets:
    case gpu_render_stage_event:
    case track_descriptor:
    case trace_uuid: return true;
    default: return false;
  }
}

/// Whether the fields of a packet, or of what there is of one, are those of Perfetto's.
bool is_packet(const Field& packet, bool& typical) {
  Fields fields(packet.message());
  for (const Field& field : fields) {
    if (is_number(field.number) ? !field.integer() : !field.is_bytes()) return false;
    typical = typical || is_typical(field.number);
  }
  return packet.cut() || !fields.damaged();
}

}  // namespace

bool is_trace(std::string_view head) {
  bool typical = false;
  for (const Field& packet : Fields(head))
    if (packet.number != packet_field || !packet.is_bytes() || !is_packet(packet, typical)) return false;
  return typical;
}

Packets::Packets(Input& input, FactSink& sink) : sink_(sink), stream_(input, sink, largest_packet) {}

std::optional<std::string_view> Packets::next() {
  for (;;) {
    if (const Field* inner = rest_.next()) {
      if (inner->number == packet_field && !inner->cut()) return inner->message();
      continue;
    }
    const Field* outer = stream_.next();
    if (outer == nullptr) return std::nullopt;
    if (outer->cut()) continue;
    if (outer->number != packet_field) {
      sink_.note(note_id::unknown_kind, "fields of a trace that are no packets");
      continue;
    }
    std::optional<std::string> packets = unpacked(outer->message());
    if (!packets) return outer->message();
    inner_ = std::move(*packets);
    rest_ = Fields(inner_);
  }
}

std::optional<std::string> Packets::unpacked(std::string_view packet) {
  for (const Field& field : Fields(packet)) {
    if (field.number != compressed_packets && field.number != zstd_compressed_packets) continue;
    const auto decoder = field.number == compressed_packets ? zlib_decoder() : zstd_decoder();
    std::optional<std::string> plain = unpack(*decoder, field.text(), largest_unpacked);
    if (!plain) sink_.note(note_id::stream_damaged, "packets before byte " + std::to_string(stream_.position()));
    return plain ? std::move(plain) : std::string();
  }
  return std::nullopt;
}

}  // namespace kdiag::adapters::perfetto
