// SPDX-License-Identifier: Apache-2.0
// What a diagnosis says, beside the events that it speaks of, for viewers of timelines.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/result.hpp>

namespace kdiag {

/// Writes a Perfetto trace: lanes of findings (with advice as arguments), steps and idle time by what it waits for,
/// beside the work of devices, operators, calls and ranges, whatever format they came from. `output` takes the trace
/// piece by piece and returns false when it wants no more. Returns how many events of the facts were written: 0 where
/// the input has no timeline.
KDIAG_API std::size_t write_perfetto(const Facts& facts, const Report& report,
                                     const std::function<bool(std::string_view)>& output,
                                     const std::atomic<bool>* cancel = nullptr);

/// What becomes of a trace that is annotated.
struct AnnotateOptions {
  bool gzip = false;  ///< pack the output
  const std::atomic<bool>* cancel = nullptr;
  /// What was diagnosed: findings without intervals then stand over the window that was judged, else they are left out.
  std::optional<Facts> facts = {};
};

/// Copies a trace in the Trace Event Format (Kineto's, Chrome's) with the findings of its report as rows of a process
/// "kdiag": as the first events of its list, all other bytes as they are (those of the unpacked trace). kdiag leaves
/// these rows out when it reads the copy. Errors: those of opening the trace; K698 when it has no list of events, or
/// was read by another adapter than pytorch-kineto and chrome-trace; K690 once the host asked to stop.
KDIAG_API Status annotate_trace(const std::string& path, const Report& report,
                                const std::function<bool(std::string_view)>& output,
                                const AnnotateOptions& options = {});

}  // namespace kdiag
