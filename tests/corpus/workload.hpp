// SPDX-License-Identifier: Apache-2.0
// A training loop to simulate: the knobs that faults turn.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::corpus {

/// Durations in ns. The defaults make a healthy loop: the host runs ahead, the device is busy about 95 % of the time.
struct Workload {
  // Shape of a step
  int ranks = 1;
  int steps = 8;
  int layers = 24;
  std::int64_t gemm = 260'000;       ///< forward; the backward one takes twice as long
  std::int64_t elementwise = 7'000;  ///< one elementwise kernel
  int elementwise_run = 1;           ///< elementwise kernels that follow one another
  std::int64_t conversion = 0;       ///< layout conversion before each gemm or convolution; 0: none
  int blocks = 432;                  ///< grid of the gemm
  std::string_view gemm_name = "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn";
  bool fused_optimizer = true;  ///< else one elementwise kernel for each of its tensors and operations

  // Host
  std::int64_t op_cost = 9'000;       ///< of the framework, around a launch
  std::int64_t launch_cost = 4'500;   ///< of the launch call
  bool sync_each_launch = false;      ///< a blocking call behind each launch
  int reads_per_step = 0;             ///< values read back by aten::item, evenly over the forward pass
  std::int64_t sync_latency = 6'000;  ///< from the end of the device's work to the return of a blocking call
  std::int64_t allocation = 0;        ///< cudaMalloc and cudaFree in each layer take so long together
  std::int64_t silence = 0;           ///< once, the host does nothing that is recorded
  bool graph = false;                 ///< the layers of a step are replayed by one graph launch

  // Input
  std::int64_t loader_wait = 80'000;  ///< in the loader, on the thread that launches
  bool loader_in_main_thread = false;
  std::int64_t input_bytes = 8 << 20;
  bool pageable = false;
  int copies_per_layer = 0;  ///< the same 16 MB from the host, again and again

  // Ranks
  std::int64_t all_reduce = 0;  ///< transfer time of each of the collectives of a step; 0: none
  int collectives = 4;          ///< a step
  bool overlapped = true;       ///< with the backward pass; else all behind it
  double slow_rank = 1.0;       ///< factor on the kernels of the last rank
};

/// One file of a simulated run.
struct TraceFile {
  std::string name;
  std::string text;
};

/// Plays the loop and writes what the PyTorch profiler would have recorded of it, one file for each rank. The same
/// bytes for the same workload and seed. The device does what CUDA promises: work of a stream in order of its launch,
/// no earlier than 3 us behind it; a host no more than 1,000 launches ahead; a collective ends on all ranks together.
std::vector<TraceFile> simulate(const Workload& workload, std::uint64_t seed);

}  // namespace kdiag::corpus
