// SPDX-License-Identifier: Apache-2.0
// Loops to simulate, of training and of serving: the knobs that faults turn.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tests/corpus/machine.hpp"

namespace kdiag::corpus {

/// What happens in each layer of a training loop beside its own work. A name that is empty: nothing.
struct Extra {
  std::string_view op;
  std::string_view kernel;
  std::int64_t dur = 0;
  int occupancy = 50;  ///< per cent
};

/// Training. Durations in ns. The defaults make a healthy loop: the host runs ahead, the device is busy about 95 % of
/// the time.
struct Workload {
  // Shape of a step
  int ranks = 1;
  int steps = 8;
  bool marks_steps = true;  ///< as the profiler does when the loop tells it
  bool trains = true;       ///< else it infers: no backward pass, no optimizer
  int layers = 24;
  std::int64_t gemm = 260'000;       ///< forward; the backward one takes twice as long
  std::int64_t elementwise = 7'000;  ///< one elementwise kernel
  int elementwise_run = 1;           ///< elementwise kernels that follow one another
  std::int64_t norm = 12'000;
  Extra extra;  ///< a kernel before each gemm or convolution
  Grid gemm_grid{432, 128};
  std::string_view gemm_name = "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn";
  std::string_view norm_op = "aten::native_layer_norm";
  std::string_view norm_name =
      "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>";
  bool fused_optimizer = true;      ///< else one elementwise kernel for each of its tensors and operations
  std::int64_t optimizer_pass = 0;  ///< one of the seven passes of an optimizer over all tensors takes so long
  int zeroed_gradients = 0;         ///< tensors that are set to zero one by one, when the device is done with the step

  // Host
  Costs costs;
  bool sync_each_launch = false;                ///< a blocking call behind each launch
  int reads_per_step = 0;                       ///< values read back by aten::item, evenly over the forward pass
  std::int64_t allocation = 0;                  ///< cudaMalloc and cudaFree in each layer take so long together
  std::int64_t silence = 0;                     ///< once, the host does nothing that is recorded
  std::int64_t step_silence = 0;                ///< as long, between two steps
  std::int64_t first_launch = 0;                ///< once, a kernel of its own takes that much longer to launch
  std::int64_t loading = 0;                     ///< each launch of the first step takes so much longer, and allocates
  std::int64_t set_up = 0;                      ///< once, a runtime call takes so long while the device is idle
  std::int64_t stuck_queue = 0;                 ///< in each step the stream waits for something that is not recorded
  std::string_view step_call;                   ///< a runtime call in each step, while the device is idle
  std::string_view step_range;                  ///< a range of the program in each step, while the device is idle
  std::string_view step_function;               ///< a Python function in each step, while the device is idle
  std::string_view step_system_call;            ///< a call of the system in each step, while the device is idle
  std::int64_t step_extra = 0;                  ///< how long these take
  std::int64_t memory = std::int64_t{8} << 30;  ///< bytes that the allocator holds in the first step; 0: not recorded
  std::int64_t step_memory = 0;                 ///< bytes that each step keeps
  std::int64_t spare_memory = 1 << 28;          ///< bytes that the allocator holds beyond those in use
  std::int64_t step_overhead = 0;               ///< the profiler keeps the host busy for so long in each step
  std::uint64_t longer_steps = 0;               ///< by bits: these steps have a kernel more
  std::int64_t longer_by = 0;                   ///< which takes so long
  double cpu_use = 0;                           ///< of the host's processors, in a log beside the trace; 0: no log
  bool graph = false;                           ///< the layers of a step are replayed by one graph launch
  int captured_layers = 0;                      ///< once, so many layers are captured into another graph

  /// The model computes on the host, so many times as slowly as the device; 0: on the device.
  double host_slowness = 0;

  // Input
  std::int64_t loader_wait = 80'000;  ///< in the loader, on the thread that launches
  bool loader_in_main_thread = false;
  std::int64_t input_bytes = 8 << 20;
  bool pageable = false;
  bool input_beside_kernels = true;  ///< copied on a stream of its own, else in order with the kernels
  std::int64_t input_on_cpu = 0;     ///< an operator that fills the input on the host takes so long
  int copies_per_layer = 0;          ///< from the host, again and again
  std::int64_t copy_bytes = 16 << 20;
  bool copies_pageable = true;
  bool copies_back = false;       ///< to the host and from there again
  std::int64_t peer_bytes = 0;    ///< each layer sends to another device
  std::int64_t cloned_bytes = 0;  ///< each layer copies within the device

  // Ranks. One of them comes late: the last one, or each of them in its turn.
  std::int64_t late_host = 0;    ///< its host does something that is not recorded in each step
  double late_operators = 1;     ///< factor on what its operators cost the host
  std::int64_t late_loader = 0;  ///< its loader takes so much longer
  bool late_in_turn = false;
  std::int64_t all_reduce = 0;  ///< transfer time of each of the collectives of a step; 0: none
  std::int64_t all_reduce_elements = 25'000'000;
  int collectives = 4;          ///< a step
  bool overlapped = true;       ///< with the backward pass; else all behind it
  double slow_rank = 1.0;       ///< factor on the kernels of the last rank
  double slow_collective = 1;   ///< factor on the last collective of a step
  std::int64_t all_to_all = 0;  ///< transfer time behind each layer of the forward pass, which waits for it; 0: none
  /// The weights of each layer are gathered while the layer before it computes, and take this share of its time.
  double gathered = 0;
  int collective_blocks = 24;
  bool gloo = false;  ///< the ranks exchange on the host

  // Recording
  Tool tool = Tool::pytorch;
  Board board;
  bool lists_board = true;
  std::int64_t recorded_from = std::numeric_limits<std::int64_t>::min();
  bool records_calls = true;
  bool records_device = true;
  bool records_graph_kernels = true;
  bool numbers_collectives = true;
  int sm_clock = 0;  ///< MHz, of an A100 in a log of nvidia-smi beside the trace; 0: no log
  /// The clocks of odd ranks are ahead by so much and those of even ranks behind, and so with the drift.
  Clock clock_error;
};

/// Products that leave compute units of an H100 to communication: 112 of 132.
inline void divide_device(Workload& w) {
  w.board = h100;
  w.gemm_grid = {112, 384};
  w.gemm_name =
      "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize2x1x1_execute_kernel__5x_cublas";
}

/// Serving of a language model, as vLLM does and marks it. The defaults make a healthy loop: decode steps are replayed
/// as graphs, prompts are prefilled in small pieces beside them.
struct Serving {
  int steps = 40;
  int layers = 32;
  int requests = 32;
  std::int64_t kernel = 14'000;     ///< one of the eight kernels of a layer when decoding
  bool graphs = true;               ///< else launched one by one
  int prefill_every = 4;            ///< every so many steps a prompt is prefilled, too
  double prefill = 1.3;             ///< factor on the kernels of such a step
  std::int64_t schedule = 120'000;  ///< the host between two steps
  int reads_per_step = 1;           ///< sampled tokens are read at once, or one by one
  int captured_sizes = 0;           ///< at the start, graphs of so many sizes of batches are captured
  std::int64_t offloaded = 0;       ///< bytes that each fourth layer copies from the host, within the graph
  int unrecorded_layers = 0;        ///< in the middle of each graph, which the device launches itself
  int unrecorded_steps = 0;         ///< of the graph of every so many steps nothing is recorded; 0: of none
  std::int64_t recorded_from = std::numeric_limits<std::int64_t>::min();
  Costs costs;
};

/// Stages of a pipeline, on devices of their own: a micro-batch passes all of them forward, then all backward.
struct Pipeline {
  int stages = 4;
  int steps = 6;
  int micro_batches = 8;
  std::int64_t forward = 60'000'000;  ///< of one micro-batch in one stage; backward takes twice as long
  double last_stage = 1;              ///< factor on the work of the last stage
};

/// A kernel as Nsight Compute measures it; the utilizations are shares of the peak.
struct MeasuredKernel {
  std::string_view name;
  std::int64_t dur = 0;  ///< 0: there is none
  double tensor = 0, dram = 0;
};

/// The kernels of one pass through a model, in the order of their launch.
struct KernelTable {
  int layers = 24;
  MeasuredKernel gemm{"ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f", 180'000, 0.72, 0.25};  ///< four in each layer
  MeasuredKernel extra;                                                                      ///< one in each layer
};

/// One file of a simulated run.
struct TraceFile {
  std::string name;
  std::string text;
};

/// Plays a loop and writes what the PyTorch profiler would have recorded of it, one file for each rank. The same bytes
/// for the same workload and seed. A collective ends on all ranks together.
std::vector<TraceFile> simulate(const Workload& workload, std::uint64_t seed);
std::vector<TraceFile> simulate(const Serving& serving, std::uint64_t seed);
/// As a timeline of ranges by stage.
std::vector<TraceFile> simulate(const Pipeline& pipeline, std::uint64_t seed);
/// As a table of kernels.
std::vector<TraceFile> simulate(const KernelTable& table, std::uint64_t seed);

}  // namespace kdiag::corpus
