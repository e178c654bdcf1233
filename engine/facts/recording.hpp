// SPDX-License-Identifier: Apache-2.0
// How to record a fact that a rule missed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kdiag {

class FactStore;

/// What made the work of a run, as far as its names tell.
enum class Framework : std::uint8_t { unknown, pytorch, other };

/// pytorch: an operator, kernel or producer of PyTorch is named; other: device work is named, and nothing of PyTorch.
Framework framework_of(const FactStore& store);

/// The maker of a run's devices, as `devices.vendor` spells it; empty when none is known or there are several.
std::string_view vendor_of(const FactStore& store);

/// One line that says how to get a fact ("samples:sm_clock", "kernels", "ops.frame") with the tools of `vendor`, those
/// of several makers when it is empty or not known here. PyTorch's profiler is not named for other programs. Empty when
/// nothing is known.
///     how_to_record("kernels", "ascend") names torch_npu.profiler, not nsys
std::string how_to_record(std::string_view fact, std::string_view vendor = {},
                          Framework framework = Framework::unknown);

/// What would record the facts that a run lacks.
class Recorder {
 public:
  explicit Recorder(const FactStore& store)
      : store_(store), vendor_(vendor_of(store)), framework_(framework_of(store)) {}

  /// As how_to_record. Empty for a column of a table that the run has, unless something is known that states the
  /// column: where some rows have it, or the table comes from a timeline, the same recording once more would lack it,
  /// too.
  std::string how_to_record(std::string_view fact) const;

 private:
  const FactStore& store_;
  std::string_view vendor_;
  Framework framework_;
};

}  // namespace kdiag
