// SPDX-License-Identifier: Apache-2.0
// A Perfetto trace in a small form, until all of it is known: descriptions of tracks may come last, and writers write
// their packets in blocks, so that neither ends nor instants are in order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/io/kept_records.hpp"
#include "adapters/rows/numbered.hpp"
#include "adapters/rows/telemetry_names.hpp"

namespace kdiag::adapters::perfetto {

/// No text, track or details.
inline constexpr std::uint32_t none = 0xFFFFFFFFU;

/// What the category of an event says that it is: those of rocprofv3 and of the PyTorch profiler are known.
/// own_...: of traces that kdiag wrote; derived: what its diagnosis added to them, which is no fact.
enum class Kind : std::uint8_t { unknown, range, op, call, kernel, copy, own_kernel, own_copy, own_memset, derived };

/// What rocprofv3 and PyTorch attach to an event, where it is a fact.
struct Details {
  std::int64_t correlation = absent_integer;
  std::int64_t device = absent_integer, source = absent_integer, destination = absent_integer;  ///< agents
  std::int64_t queue = absent_integer;
  std::int64_t thread = absent_integer;
  std::int64_t bytes = absent_integer;
  std::int64_t workgroup = absent_integer, grid = absent_integer;  ///< work-items, all dimensions multiplied
  std::int64_t shared_memory = absent_integer;
};

enum class Phase : std::uint8_t { begin, end, complete };

/// One event of a track.
struct Mark {
  std::int64_t time = 0;
  std::int64_t dur = 0;  ///< of complete ones
  std::uint32_t name = none;
  std::uint32_t details = none;
  Phase phase = Phase::begin;
  Kind kind = Kind::unknown;
};

struct Track {
  std::uint64_t parent = 0;  ///< uuid; 0: none
  std::uint32_t name = none;
  std::optional<std::int64_t> process, thread;  ///< where it is that of a process or a thread
  std::int64_t writer = 0;                      ///< process that wrote its first event
  bool derived = false;                         ///< of a diagnosis: nothing of it is read
  bool counter = false, bytes = false;
  double factor = 1;         ///< of the values of a counter
  bool incremental = false;  ///< values are what was added
  std::vector<Mark> marks;
};

/// Work in a queue of a GPU: a GpuRenderStageEvent.
struct Stage {
  using Shape = std::array<std::int64_t, 3>;

  std::int64_t start = 0;
  std::int64_t dur = 0;
  std::int64_t gpu = 0;
  std::uint64_t event = 0;
  std::uint64_t queue = 0;
  std::uint32_t queue_name = none, name = none, stage_name = none;
  bool kernel = false;  ///< it says which kernel, or how it was launched
  std::optional<Shape> grid, block;
  std::int64_t registers = absent_integer, shared_memory = absent_integer;
  std::int64_t bytes = absent_integer, correlation = absent_integer;
};

/// A value of a counter track.
struct Sample {
  std::int64_t time = 0;
  double value = 0;
  std::uint32_t track = 0;
};

/// A value of a counter that is known to be a GPU's.
struct GpuSample {
  const TelemetryName* about = nullptr;
  std::string_view unit;  ///< a literal; empty: the series' own
  std::int64_t gpu = 0;
  std::int64_t time = 0;
  double value = 0;
};

/// What GpuInfo says of a GPU.
struct Gpu {
  std::string name, uuid;
};

struct Trace {
  Numbered texts;
  std::vector<Track> tracks;
  std::unordered_map<std::uint64_t, std::uint32_t> track_of_uuid;
  std::vector<Details> details;
  std::vector<Stage> stages;
  std::vector<Sample> samples;
  std::vector<GpuSample> gpu_samples;
  std::vector<Gpu> gpus;
  std::unordered_map<std::int64_t, std::uint32_t> process_names;
  std::unordered_map<std::uint64_t, std::int64_t> submissions;  ///< id of a stage -> correlation of the call behind it
  std::optional<std::int64_t> to_unix;                          ///< from its clock to ns since 1970
  std::string_view producer = "Perfetto";                       ///< or the tool whose categories occur
  std::uint64_t events = 0;

  /// What it keeps until all packets are known.
  Kept kept() const {
    Kept out;
    out.add_bytes(texts.bytes());
    out.add_beside(details);
    out.add_nodes(submissions);
    out.add_beside(tracks);
    for (const Track& track : tracks) out.add(track.marks);
    out.add(stages);
    out.add(samples);
    out.add(gpu_samples);
    return out;
  }

  std::string_view text(std::uint32_t index) const {
    return index == none ? std::string_view{} : std::string_view(texts.texts()[index]);
  }
};

}  // namespace kdiag::adapters::perfetto
