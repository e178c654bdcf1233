// SPDX-License-Identifier: Apache-2.0
// The packets of a Perfetto trace, one by one, those that stand compressed in others too.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <kdiag/adapter.hpp>

#include "adapters/io/protobuf.hpp"

namespace kdiag::adapters::perfetto {

/// Judgement: packets have at most some hundred KB, those with samples of profilers a few MB.
inline constexpr std::size_t largest_packet = std::size_t{256} << 20U, largest_unpacked = std::size_t{64} << 20U;

/// Fields of TracePacket, named as in protos/perfetto/trace/trace_packet.proto.
enum PacketField : std::uint32_t {
  ftrace_events = 1,
  trusted_uid = 3,
  clock_snapshot = 6,
  timestamp = 8,
  trusted_packet_sequence_id = 10,
  track_event = 11,
  interned_data = 12,
  sequence_flags = 13,
  trace_config = 33,
  synchronization_marker = 36,
  incremental_state_cleared = 41,
  previous_packet_dropped = 42,
  process_descriptor = 43,
  thread_descriptor = 44,
  compressed_packets = 50,
  gpu_counter_event = 52,
  gpu_render_stage_event = 53,
  timestamp_clock_id = 58,
  trace_packet_defaults = 59,
  track_descriptor = 60,
  gpu_mem_total_event = 71,
  trusted_pid = 79,
  first_packet_on_sequence = 87,
  trace_uuid = 89,
  machine_id = 98,
  gpu_info = 128,
  generic_gpu_frequency_event = 129,
  zstd_compressed_packets = 133,
};

/// Whether these are the first bytes of a Perfetto trace.
bool is_trace(std::string_view head);

class Packets {
 public:
  Packets(Input& input, FactSink& sink);

  /// The next packet, valid until the next call; nothing at the end. A packet that the input cuts off is dropped.
  std::optional<std::string_view> next();

 private:
  /// The packets inside a packet that holds compressed ones.
  std::optional<std::string> unpacked(std::string_view packet);

  FactSink& sink_;
  FieldStream stream_;
  std::string inner_;  ///< packets that were unpacked
  Fields rest_{{}};    ///< of inner_
};

}  // namespace kdiag::adapters::perfetto
