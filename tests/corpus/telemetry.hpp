// SPDX-License-Identifier: Apache-2.0
// Samplers beside a simulated run, on the clock of its trace.
#pragma once

#include <vector>

#include "tests/corpus/workload.hpp"

namespace kdiag::corpus {

/// The processors of a host. All zero: not sampled.
struct HostState {
  double use = 0;    ///< ratio
  double clock = 0;  ///< MHz
};

/// What a sampler of the host writes in a second, as a facts file.
TraceFile host_log(const HostState& host);
/// What nvidia-smi logs in a second of A100s at these clocks; a device at its idle clock is idle.
TraceFile device_log(const std::vector<int>& sm_clocks);

}  // namespace kdiag::corpus
