// SPDX-License-Identifier: Apache-2.0
// The tables of an export that become facts. Each reader takes a table that is missing as one without rows.
#pragma once

#include <cstdint>

#include "adapters/nvidia/nsys/session.hpp"

namespace kdiag::adapters::nsys {

/// Rows of device work by kind.
struct DeviceWork {
  std::uint64_t kernels = 0, copies = 0, memsets = 0;
  std::uint64_t graphs = 0;  ///< executions of whole graphs, whose kernels were not recorded
};

/// Kernels with their collectives, copies, fills, graphs. Without the instants of what the graphs ran nothing says when
/// a device was idle: the rows of an export with whole graphs then carry durations only.
DeviceWork read_device_work(Session& session);

struct Calls {
  bool any = false;
  bool launches = false;  ///< one of them hands work to a device
};
/// Calls of the CUDA runtime and driver.
Calls read_calls(Session& session);

/// Calls of the operating system, where they were traced.
void read_os_calls(Session& session);

/// Where threads were when the profiler looked, where it sampled the processors.
void read_cpu_samples(Session& session);

/// Allocations of device and host memory.
void read_allocations(Session& session);

/// NVTX ranges and the steps among them, ranges of libraries, the profiler's overhead.
void read_ranges(Session& session);

/// Hardware counters as samples.
void read_gpu_metrics(Session& session);

}  // namespace kdiag::adapters::nsys
