// SPDX-License-Identifier: Apache-2.0
// Python calls of a trace as source frames: which call path each operator was issued from, without a row per call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <kdiag/fact.hpp>

namespace kdiag::adapters {

/// The deepest stack that is kept: Python's own limit (sys.getrecursionlimit(), 1000 unless it is raised). Without one,
/// calls that damage made overlap would nest as deep as a trace is long, and every operator would name them all.
inline constexpr std::uint32_t most_frames = 1000;

/// The parts of a frame's text, as columns of `frames`.
struct FrameName {
  std::string_view file = {};
  std::int64_t line = 0;  ///< 0: unknown
  std::string_view function = {};
  std::string_view how = {};  ///< line, function or module
};

/// Reads `train.py(12): step`, `nn.Module: Linear_0`, `<built-in method item of Tensor object at 0x7f00>` ("item": the
/// address would make every object a frame of its own). `how` is what a file with a line means: "function" where the
/// tracer states the line on which the function begins, "line" where it states the line being executed.
FrameName parse_frame(std::string_view text, std::string_view how);

/// The frame of a `;`-joined call stack, innermost first, as the profiler's `Call stack` argument has it. An absent
/// row when the stack is empty.
Row stack_frame(Batch& batch, std::string_view stack);

/// A Python call: one profiler event.
struct PythonCall {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::uint32_t name = 0;            ///< of CallPaths::name
  std::uint32_t path = 0xFFFFFFFFU;  ///< of CallPaths::at, where it lasts long enough

  /// Whether a device that waits for it waits long enough to be worth a line: rows of `python_calls` (judgement).
  bool is_long() const { return end - start >= 50'000; }
};

/// Call paths as a tree: equal paths are one node. Not thread-safe.
class CallPaths {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFFU;

  std::uint32_t name(std::string_view text);
  /// The path that calls `name` from `caller` (or from nowhere, too, where that is `most_frames` deep).
  std::uint32_t path(std::uint32_t caller, std::uint32_t name);

  /// For each instant the path of the calls that run then, innermost last; `none` outside of any. `calls` are those of
  /// one thread, in any order (they are sorted); `instants` ascend. Long calls are given their paths. O(n log n).
  std::vector<std::uint32_t> at(std::vector<PythonCall>& calls, const std::vector<std::int64_t>& instants);

  /// The path's frame in a batch, its callers as parents. `known` remembers the frames of this batch.
  Row frame(Batch& batch, std::uint32_t path, std::unordered_map<std::uint32_t, Row>& known) const;

 private:
  struct Node {
    std::uint32_t caller;
    std::uint32_t name;
    std::uint32_t depth;  ///< with its callers
  };
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<const std::string*> names_;  // keys of ids_, which stay in place
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> children_;  // caller and name -> node
};

}  // namespace kdiag::adapters
