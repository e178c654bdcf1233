// SPDX-License-Identifier: Apache-2.0
// A training loop, played step by step on as many machines as it has ranks.
#include <algorithm>
#include <cstdio>

#include "tests/corpus/telemetry.hpp"
#include "tests/corpus/workload.hpp"

namespace kdiag::corpus {
namespace {

Costs costs_of(const Workload& workload, int rank) {
  Costs costs = workload.costs;
  if (rank + 1 == workload.ranks) {
    costs.slowness *= workload.slow_rank;
    costs.op = static_cast<std::int64_t>(static_cast<double>(costs.op) * workload.late_operators);
  }
  return costs;
}

Recording recording_of(const Workload& workload, int rank) {
  Clock clock = workload.clock_error;
  if (rank % 2 == 0) clock = {-clock.offset, -clock.drift};
  return {.tool = workload.tool,
          .rank = rank,
          .ranks = workload.ranks,
          .clock = clock,
          .board = workload.board,
          .lists_board = workload.lists_board,
          .on_host = workload.host_slowness > 0,
          .from = workload.recorded_from,
          .calls = workload.records_calls,
          .device = workload.records_device,
          .graph_kernels = workload.records_graph_kernels,
          .numbers_collectives = workload.numbers_collectives,
          .backend = workload.gloo ? "gloo" : "nccl"};
}

class TrainingRank {
 public:
  TrainingRank(const Workload& workload, int rank, std::uint64_t seed)
      : work_(workload), rank_(rank), machine_(costs_of(workload, rank), recording_of(workload, rank), seed) {}

  Machine& machine() { return machine_; }

  void begin_step(int step) {
    if (work_.step_silence > 0) machine_.pause(work_.step_silence);
    begin_ = machine_.now();
    index_ = step;
    // In their turns from the second round on: in the first no host is ahead of its device yet.
    const bool late =
        work_.late_in_turn ? step >= work_.ranks && step % work_.ranks == rank_ : rank_ + 1 == work_.ranks;
    load(work_.loader_wait + (late ? work_.late_loader : 0));
    machine_.pause(5'000 + (late ? work_.late_host : 0));
    if (work_.input_on_cpu > 0) machine_.operation("aten::randn", work_.input_on_cpu);
    if (work_.host_slowness == 0)
      machine_.copy_in("aten::_to_copy", work_.input_bytes, work_.pageable,
                       work_.pageable || !work_.input_beside_kernels ? compute_stream : copy_stream);
    if (work_.silence > 0 && step == 2) machine_.pause(work_.silence);
    if (work_.first_launch > 0 && step == 2) {
      machine_.delay_launch(work_.first_launch);
      machine_.kernel("aten::cudnn_convolution", "implicit_convolve_sgemm", 20'000);
    }
    if (work_.set_up > 0 && step == 2) machine_.call("aten::linear", "cudaHostRegister", work_.set_up);
    if (work_.stuck_queue > 0) machine_.hold(compute_stream, work_.stuck_queue);
    if (!work_.step_call.empty()) machine_.call("aten::linear", work_.step_call, work_.step_extra);
    if (!work_.step_range.empty()) machine_.range(work_.step_range, work_.step_extra);
    if (!work_.step_system_call.empty()) machine_.system_call(work_.step_system_call, work_.step_extra);
    if (!work_.step_function.empty()) machine_.python(work_.step_function, work_.step_extra);
    if (work_.step_overhead > 0) machine_.overhead(work_.step_overhead);
    if (work_.captured_layers > 0 && step == 2) capture();
    if (step < 64 && (work_.longer_steps >> step & 1U) != 0)
      machine_.kernel("my::evaluate", "my_evaluation_kernel", work_.longer_by);
    if (work_.memory > 0) {
      const std::int64_t allocated = work_.memory + step * work_.step_memory;
      machine_.memory(1 << 20, allocated, allocated + work_.spare_memory);
    }
  }

  void forward_layer(int layer) {
    for (int i = 0; i < work_.copies_per_layer; ++i) {
      if (work_.copies_back) machine_.copy_out(work_.copy_bytes);
      machine_.copy_in("aten::copy_", work_.copy_bytes, work_.copies_pageable, compute_stream);
    }
    if (work_.peer_bytes > 0) machine_.copy_to_peer(work_.peer_bytes);
    if (work_.cloned_bytes > 0) machine_.copy_within(work_.cloned_bytes);
    if (work_.allocation > 0) machine_.allocate(work_.allocation);
    if (work_.graph && layer == 0) machine_.begin_graph();
    this->layer(1, false);
    const int reads = work_.reads_per_step;
    if (reads > 0 && (layer + 1) * reads / work_.layers > layer * reads / work_.layers) machine_.read_back();
  }

  void backward_layer(int layer) {
    this->layer(2, true);
    if (layer + 1 == work_.layers) machine_.end_graph();
  }

  void optimizer() {
    machine_.depend(compute_stream, communication_stream);
    const std::int64_t begin = machine_.now();
    if (work_.host_slowness > 0) {
      compute("aten::_fused_adamw_", "", 240'000, false);
    } else if (work_.fused_optimizer) {
      for (int i = 0; i < 4; ++i)
        kernel("aten::_fused_adamw_",
               "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
               "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::FusedAdamMathFunctor<float, 4> >",
               60'000, {320, 512});
    } else {
      for (int tensor = 0; tensor < work_.layers * 4; ++tensor)
        for (const char* name : {"aten::mul_", "aten::lerp_", "aten::addcmul_", "aten::sqrt", "aten::addcdiv_"})
          kernel(name, elementwise_kernel, work_.elementwise / 2, {64, 128});
    }
    for (int pass = 0; work_.optimizer_pass > 0 && pass < 7; ++pass)
      kernel("aten::_foreach_mul_",
             "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
             "namespace)::TensorListMetadata<1>, at::native::(anonymous namespace)::BinaryOpScalarFunctor<float, 1, 1, "
             "0>, "
             "std::multiplies<float>, float>",
             work_.optimizer_pass, {320, 512});
    machine_.range_since("Optimizer.step#AdamW.step", begin);
    if (work_.zeroed_gradients > 0) zero_gradients();
  }

  void end_step() {
    machine_.pause(20'000);
    if (work_.marks_steps) machine_.step_since(index_ + 10, begin_);
  }

 private:
  /// The loss is read first, as programs do that print it: nothing is left to hide the launches behind.
  void zero_gradients() {
    machine_.read_back();
    const std::int64_t begin = machine_.now();
    for (int tensor = 0; tensor < work_.zeroed_gradients; ++tensor)
      kernel("aten::zero_",
             "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul> "
             ">(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)",
             2'000, {64, 128});
    machine_.range_since("Optimizer.zero_grad#AdamW.zero_grad", begin);
  }

  /// The next batch, from the files or from the pipe of a worker.
  void load(std::int64_t duration) {
    const std::int64_t begin = machine_.now();
    machine_.system_call(work_.loader_in_main_thread ? "read" : "poll", duration);
    machine_.range_since(work_.loader_in_main_thread ? "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
                                                     : "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                         begin);
  }

  void capture() {
    machine_.begin_capture();
    for (int i = 0; i < work_.captured_layers; ++i) layer(1, false);
    machine_.end_capture();
  }

  void kernel(std::string_view op, std::string_view name, std::int64_t duration, Grid grid) {
    if (work_.loading > 0 && index_ == 0) {
      machine_.allocate(work_.loading);
      machine_.delay_launch(work_.loading);
    }
    machine_.kernel(op, name, duration, grid);
    if (work_.sync_each_launch) machine_.wait_for_device("cudaDeviceSynchronize");
  }

  /// What the host computes itself; autograd runs it in the same thread.
  void compute(std::string_view op, std::string_view backward_op, std::int64_t duration, bool backward) {
    const auto slowed = static_cast<std::int64_t>(static_cast<double>(duration) * work_.host_slowness);
    if (backward)
      machine_.backward_operation("autograd::engine::evaluate_function: " + std::string(backward_op), op, slowed);
    else machine_.operation(op, slowed);
  }

  void layer(int passes, bool backward) {
    if (work_.host_slowness > 0) {
      for (int pass = 0; pass < passes; ++pass)
        compute(backward ? "aten::mm" : "aten::addmm", "AddmmBackward0", work_.gemm, backward);
      for (int i = 0; i < work_.elementwise_run; ++i) compute("aten::add", "AddBackward0", work_.elementwise, backward);
      compute(work_.norm_op, "NativeLayerNormBackward0", work_.norm, backward);
      return;
    }
    if (work_.extra.dur > 0)
      kernel(work_.extra.op, work_.extra.kernel, work_.extra.dur, {2'048, 256, work_.extra.occupancy});
    for (int pass = 0; pass < passes; ++pass) kernel("aten::addmm", work_.gemm_name, work_.gemm, work_.gemm_grid);
    for (int i = 0; i < work_.elementwise_run; ++i) kernel("aten::add", elementwise_kernel, work_.elementwise, {});
    kernel(work_.norm_op, work_.norm_name, work_.norm, {2'048, 128});
  }

  const Workload& work_;
  int rank_;
  Machine machine_;
  std::int64_t begin_ = 0;
  int index_ = 0;
};

/// A log of nvidia-smi over the run; its clock is that of the trace.
TraceFile telemetry(const Workload& workload, std::int64_t length) {
  constexpr std::int64_t period = 20'000'000;
  std::string text =
      "timestamp, index, name, utilization.gpu [%], clocks.current.sm [MHz], clocks.current.memory [MHz], "
      "clocks.max.sm [MHz], clocks_throttle_reasons.active\n";
  char line[256];
  for (std::int64_t time = 0; time < length; time += period) {
    const std::int64_t ms = time / 1'000'000;
    // The recording starts 25 minutes behind midnight.
    std::snprintf(line, sizeof line,
                  "2024/04/01 00:%02d:%02d.%03d, 0, NVIDIA A100-SXM4-80GB, 97 %%, %d MHz, 1593 MHz, 1410 MHz, "
                  "0x0000000000000000\n",
                  25 + static_cast<int>(ms / 60'000), static_cast<int>(ms / 1'000 % 60), static_cast<int>(ms % 1'000),
                  workload.sm_clock);
    text += line;
  }
  return {"gpu.csv", text};
}

}  // namespace

std::vector<TraceFile> simulate(const Workload& workload, std::uint64_t seed) {
  std::vector<TrainingRank> ranks;
  for (int rank = 0; rank < workload.ranks; ++rank) ranks.emplace_back(workload, rank, seed);

  const auto exchange = [&](Exchange kind, double transfer, bool ahead = false) {
    std::vector<std::int64_t> ready;
    for (TrainingRank& rank : ranks)
      ready.push_back(workload.gloo ? rank.machine().begin_host_collective()
                                    : rank.machine().launch_collective(kind, ahead));
    const std::int64_t end = *std::max_element(ready.begin(), ready.end()) + static_cast<std::int64_t>(transfer);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (workload.gloo) ranks[i].machine().end_host_collective(ready[i], end);
      else
        ranks[i].machine().run_collective(ready[i], end,
                                          {kind, workload.all_reduce_elements, workload.collective_blocks});
    }
  };
  const auto all_reduce = [&](double factor) {
    exchange(Exchange::all_reduce, static_cast<double>(workload.all_reduce) * factor);
  };
  const bool communicates = workload.all_reduce > 0 && workload.ranks > 1;
  const int every = std::max(1, workload.layers / workload.collectives);
  const auto layer_time =
      static_cast<double>(workload.gemm + workload.elementwise_run * workload.elementwise + workload.norm);
  // What computes needs the weights that were gathered before, and those of the next layer are gathered meanwhile.
  const auto gather = [&](double passes) {
    if (workload.gathered == 0) return;
    for (TrainingRank& rank : ranks) rank.machine().depend(compute_stream, communication_stream);
    exchange(Exchange::all_gather, workload.gathered * passes * layer_time, true);
  };

  for (int step = 0; step < workload.steps; ++step) {
    for (TrainingRank& rank : ranks) rank.begin_step(step);
    for (int layer = 0; layer < workload.layers; ++layer) {
      gather(1);
      for (TrainingRank& rank : ranks) rank.forward_layer(layer);
      if (workload.all_to_all == 0) continue;
      exchange(Exchange::all_to_all, static_cast<double>(workload.all_to_all));
      for (TrainingRank& rank : ranks) rank.machine().depend(compute_stream, communication_stream);
    }
    for (int layer = 0; workload.trains && layer < workload.layers; ++layer) {
      gather(2);
      for (TrainingRank& rank : ranks) rank.backward_layer(layer);
      if (communicates && workload.overlapped && (layer + 1) % every == 0) all_reduce(1);
    }
    if (communicates && !workload.overlapped)
      for (int i = 0; i < workload.collectives; ++i)
        all_reduce(i + 1 == workload.collectives ? workload.slow_collective : 1);
    for (TrainingRank& rank : ranks) {
      if (workload.trains) rank.optimizer();
      rank.end_step();
    }
  }
  std::vector<TraceFile> files;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    files.push_back({"rank" + std::to_string(rank) + (workload.tool == Tool::nsys ? ".sqlite" : ".pt.trace.json"),
                     ranks[rank].machine().finish()});
  if (workload.sm_clock > 0) files.push_back(telemetry(workload, ranks.front().machine().now()));
  if (workload.cpu_use > 0) files.push_back(host_log({.use = workload.cpu_use, .clock = 3'000}));
  return files;
}

}  // namespace kdiag::corpus
