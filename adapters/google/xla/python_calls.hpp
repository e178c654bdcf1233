// SPDX-License-Identifier: Apache-2.0
// Python calls that the host's tracer records between its other ranges: "$train.py:12 step", "$builtins len".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/google/xla/records.hpp"
#include "adapters/rows/python_frames.hpp"

namespace kdiag::adapters::xla {

/// A Python call's name in the spelling of parse_frame(): "train.py(12): step", "len". Nothing for other ranges.
std::optional<std::string> python_frame_text(std::string_view name);

/// Calls of all threads until they are complete. Not thread-safe.
class PythonCalls {
 public:
  void add(const Span& span, std::string_view frame_text);
  /// Adds the long calls, with their callers. `thread` gives the row of a thread in the batch.
  void submit(Batch& batch, const std::function<Row(const Key&)>& thread);

 private:
  CallPaths paths_;
  std::map<Key, std::vector<PythonCall>> calls_;
};

}  // namespace kdiag::adapters::xla
