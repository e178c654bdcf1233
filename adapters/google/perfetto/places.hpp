// SPDX-License-Identifier: Apache-2.0
// What tracks stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "adapters/google/perfetto/trace.hpp"
#include "adapters/names/row_names.hpp"

namespace kdiag::adapters::perfetto {

struct Place {
  std::int64_t process = 0, thread = 0;  ///< of tracks of no thread, a number that no thread has
  std::string_view name;                 ///< its own, else that of the tracks around it
  std::string_view around;               ///< name of the track or process that it stands in
  RowMeaning meaning;                    ///< a guess, by these names
};

/// By number of the track.
std::vector<Place> find_places(const Trace& trace);

/// What AMD's profilers name a track of a device's work after.
struct AgentTrack {
  std::optional<std::int64_t> agent, queue;
};
/// "COMPUTE AGENT [4] STREAM [1] (GPU)" of rocprofv3 is agent 4, queue 1; the number of a thread, which stands where a
/// copy's queue would, is no queue. "GPU Kernel Dispatch [0] Queue 1" of the ROCm Systems Profiler is 0, 1; its other
/// names say it as names of device rows do.
AgentTrack parse_agent_track(const Place& place);

}  // namespace kdiag::adapters::perfetto
