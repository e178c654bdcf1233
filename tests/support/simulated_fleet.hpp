// SPDX-License-Identifier: Apache-2.0
// Jobs of many ranks, simulated from what makes them slow, as summaries of each rank: for tests of the judgement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kdiag::tests {

/// What is wrong with a job.
enum class FleetFault {
  none,
  slow_device,     ///< the kernels of one rank take longer, at a lower clock
  slow_devices,    ///< of two ranks alike
  two_speeds,      ///< every other device or two of three have a lower clock
  slow_host,       ///< the processes of one host launch late
  slow_link,       ///< transfers of one group of replicas take longer
  slow_path,       ///< messages between two ranks of one pipeline take longer
  late_loader,     ///< in some steps one rank waits for its input
  uneven_stages,   ///< one pipeline stage has more work
  uneven_batches,  ///< each rank gets another amount of work in each step
  bad_step,        ///< in one step all ranks take longer
  missing_rank,    ///< of one rank nothing was recorded
  restarted_rank,  ///< of one rank there are two recordings, the second one of the later steps
};

/// How a job is parallel: rank = (replica * stages + stage) * tensor + its place in the tensor group. Eight ranks
/// a host.
struct FleetShape {
  std::size_t replicas = 8, stages = 1, tensor = 4;
  std::size_t steps = 12, layers = 4;
  bool sized = true;  ///< whether collectives say of how many ranks their group is
  std::size_t ranks() const { return replicas * stages * tensor; }
};

struct SimulatedFleet {
  std::vector<std::string> summaries;  ///< a facts file for each rank that was recorded; two of a restarted one
  std::uint32_t rank = 0,
                other =
                    0;  ///< where the fault is, by its kind; `other`: the second of two ranks, the later one of a path
  std::string host, group;
  std::int64_t stage = 0, step = 0;
};

/// A job with clocks that differ by up to 5 ms and 50 ppm; the same seed gives the same bytes.
SimulatedFleet simulate_fleet(const FleetShape& shape, FleetFault fault, std::uint64_t seed);

}  // namespace kdiag::tests
