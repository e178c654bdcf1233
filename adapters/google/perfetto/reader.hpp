// SPDX-License-Identifier: Apache-2.0
// Packets into records.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <kdiag/fact.hpp>

#include "adapters/google/perfetto/clocks.hpp"
#include "adapters/google/perfetto/gpu_events.hpp"
#include "adapters/google/perfetto/sequence.hpp"
#include "adapters/google/perfetto/trace.hpp"
#include "adapters/io/protobuf.hpp"

namespace kdiag::adapters::perfetto {

class Reader {
 public:
  Reader(Trace& trace, FactSink& sink) : trace_(trace), sink_(sink), gpu_(trace, sink) {}

  void add(std::string_view packet);
  /// To be called once, behind the last packet.
  void finish();

 private:
  using Instant = GpuEvents::Instant;

  /// What is around the event in a packet.
  struct Envelope {
    std::optional<std::uint64_t> timestamp;
    std::optional<std::uint32_t> clock;
    std::uint32_t sequence = 0;
    std::int64_t process = 0;  ///< of the writer
    std::uint64_t flags = 0;
    bool dropped = false;
    std::string_view interned, defaults;
  };
  struct TrackEvent {
    std::uint64_t type = 0;
    std::uint64_t track = 0;  ///< uuid
    std::uint32_t name = none;
    Kind kind = Kind::unknown;
    std::optional<std::int64_t> dur;  ///< of a slice that has no event for its end
    std::optional<double> value;
    bool annotated = false;
    bool submits = false;  ///< it says which work of a GPU it is behind
  };

  bool enter(const Envelope& envelope, Sequence& sequence);
  void add_payload(const Field& payload, Instant when, const Envelope& envelope, Sequence& sequence);
  void add_track(std::string_view descriptor);
  TrackEvent read_track_event(std::string_view message, const Sequence& sequence);
  static void read_legacy_event(std::string_view legacy, TrackEvent& event, std::optional<std::uint64_t>& name_number);
  void add_track_event(std::string_view message, Instant when, Sequence& sequence);
  void add_counter(std::int64_t time, std::uint32_t row, const TrackEvent& event, Sequence& sequence);
  std::uint32_t add_details(std::string_view event, const Sequence& sequence);
  std::int64_t Details::*detail_of(std::uint32_t name);
  Kind kind_of(std::uint32_t category);
  std::uint32_t track(std::uint64_t uuid);

  Trace& trace_;
  FactSink& sink_;
  GpuEvents gpu_;
  Clocks clocks_;
  std::unordered_map<std::uint32_t, Sequence> sequences_;
  std::unordered_map<std::uint32_t, Kind> kinds_;  ///< by category's text
  std::unordered_map<std::uint32_t, std::int64_t Details::*> details_of_names_;
};

}  // namespace kdiag::adapters::perfetto
