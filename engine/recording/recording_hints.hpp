// SPDX-License-Identifier: Apache-2.0
// Which tools record which facts: the tables behind advice on recording.
#pragma once

#include <cstdint>
#include <string_view>

namespace kdiag {

/// What records the devices of a maker. The words stand for {names} in hints.
struct MakerTools {
  std::string_view vendor;
  std::string_view torch;         ///< the profiler of PyTorch
  std::string_view activity;      ///< what it calls the devices
  std::string_view timeline;      ///< the maker's own profiler of host and device
  std::string_view run;           ///< how that is run; empty: there is none that is known here
  std::string_view tensor, dram;  ///< utilization of the tensor units and of the memory, by kernel; empty: none
  bool states_launches = false;   ///< whether `run` states all of timeline_states
};
/// Those of several makers where `vendor` is empty or not known here.
const MakerTools& tools_of_maker(std::string_view vendor);

/// Whether the maker's own profiler of host and device states a column of kernels or copies (Nsight Systems and
/// rocprofv3 do), so that it helps where the timeline of another tool lacks the column.
bool timeline_states(std::string_view fact);

/// Kinds of tools; several of them: any of them records a fact.
enum class Tool : std::uint8_t { none = 0, torch = 1, timeline = 2, counters = 4, telemetry = 8, baseline = 16 };
constexpr Tool operator|(Tool a, Tool b) {
  return static_cast<Tool>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool includes(Tool tools, Tool one) {
  return (static_cast<unsigned>(tools) & static_cast<unsigned>(one)) != 0;
}

/// What has to be asked of the tool besides.
enum class Setting : std::uint8_t { none, shapes, stack, memory, schedule, every_rank, tensor, dram, occupancy };

struct RecordingHint {
  std::string_view fact;   ///< a fact, or the table or "samples" it belongs to
  std::string_view how;    ///< for programs of PyTorch, and where the program is not known; empty: nothing to say
  std::string_view other;  ///< for programs without PyTorch; empty: the same
  Tool tools = Tool::none;
  Setting setting = Setting::none;
};
/// The most specific one: "kernels.start" before "kernels"; null where nothing is known.
const RecordingHint* recording_hint(std::string_view fact);

}  // namespace kdiag
