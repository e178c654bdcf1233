// SPDX-License-Identifier: Apache-2.0
// Which files one recording of one process was written to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kdiag {

/// What the files of one recording have in common.
struct CaptureFiles {
  std::string place;  ///< their tool, their folder and what their names begin with: equal for files of one recording
  std::string label;  ///< for people; may be empty
  friend bool operator==(const CaptureFiles& a, const CaptureFiles& b) { return a.place == b.place; }
};

/// Some profilers write a recording to several files: each kind of record to its own, or the same once more in another
/// form. Nothing for tools that write one file, and for names that the tool does not give.
///     capture_of("ascend-trace", "log/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json")
///         == capture_of("ascend-csv", "log/rank0_ascend_pt/PROF_1/mindstudio_profiler_output/op_summary_2024.csv")
///     capture_of("rocprof-csv", "a_kernel_trace.csv") == capture_of("rocprof-csv", "a_hip_api_trace.csv")
std::optional<CaptureFiles> capture_of(std::string_view adapter, std::string_view path);

/// Whether what an adapter reads says only how a recording was made and whose it is: no run without the recording.
bool is_companion(std::string_view adapter);

}  // namespace kdiag
