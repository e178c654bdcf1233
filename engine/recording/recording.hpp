// SPDX-License-Identifier: Apache-2.0
// How to record a fact that a rule missed.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/recording/recording_hints.hpp"

namespace kdiag {

class FactStore;

/// What made the work of a run, as far as its names tell.
enum class Framework : std::uint8_t { unknown, pytorch, other };

/// pytorch: an operator, kernel or producer of PyTorch is named; other: device work is named, and nothing of PyTorch.
Framework framework_of(const FactStore& store);

/// The maker on whose devices alone a tool records work, by the producer that runs of the tool state; empty for others.
std::string_view maker_of_tool(std::string_view producer);

/// The maker of a run's devices, as `devices.vendor` spells it: what they state, else the maker of the tool. Empty when
/// none is known or there are several.
std::string_view vendor_of(const FactStore& store);

/// One line that says how to get a fact ("samples:sm_clock", "kernels", "ops.frame") with the tools of `vendor`, those
/// of several makers when it is empty or not known here. PyTorch's profiler is not named for other programs. Empty when
/// nothing is known.
///     how_to_record("kernels", "ascend") names torch_npu.profiler, not nsys
std::string how_to_record(std::string_view fact, std::string_view vendor = {},
                          Framework framework = Framework::unknown);

/// One way to record a fact.
struct RecordingWay {
  Tool tool = Tool::none;
  Setting setting = Setting::none;
  std::string command = {};  ///< of telemetry: each is a recording of its own
};

/// What would record the facts that a run lacks.
class Recorder {
 public:
  /// `wanted`: the other facts that the run lacks, so that one command of a monitoring tool brings them all.
  explicit Recorder(const FactStore& store, std::vector<std::string> wanted = {});

  /// As how_to_record, with the tool that made the run where that can record the fact. Empty for a column of a table
  /// that the run has, unless something is known that states the column: where some rows have it, or the table comes
  /// from a timeline, the same recording once more would lack it, too. Another tool's may have it. `why`: the reason
  /// that it is not known.
  std::string how_to_record(std::string_view fact, std::string_view why = {}) const;

  /// The ways any of which brings a fact; none where how_to_record knows none, or names no tool.
  std::vector<RecordingWay> ways_to_record(std::string_view fact, std::string_view why = {}) const;

  std::string_view vendor() const { return vendor_; }
  /// The kind of tool that made the run, or that comes first for one like it.
  Tool tool_at_hand() const;

 private:
  std::string of_telemetry(std::string_view fact) const;
  bool by_own_profiler() const;
  bool known_table_lacks(std::string_view fact) const;
  bool own_profiler_has(std::string_view fact) const;

  const FactStore& store_;
  std::vector<std::string> wanted_;
  std::set<std::string, std::less<>> series_;
  std::string_view vendor_;
  Framework framework_;
  bool alone_;
};

}  // namespace kdiag
