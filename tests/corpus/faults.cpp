// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/faults.hpp"

namespace kdiag::corpus {
namespace {

constexpr std::string_view tensor_convolution =
    "sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x128x32";

void without_numbers(Workload& w) {
  w.ranks = 4;
  w.all_reduce = 300'000;
  w.numbers_collectives = false;
}

const std::vector<Fault>& table() {
  static const std::vector<Fault> all = {
      {"reads a value in every layer",
       [](Workload& w) {
         w.reads_per_step = w.layers;
         w.costs.sync_latency = 150'000;
       },
       {"host.sync-stall"},
       {"host.bound", "launch.tiny-kernels"}},
      {"waits behind each launch",
       [](Workload& w) {
         w.sync_each_launch = true;
         w.gemm = 60'000;
       },
       {"host.sync-per-launch", "host.sync-stall"},
       {"host.sync-stall", "host.bound", "launch.tiny-kernels"}},
      {"a loader that is too slow",
       [](Workload& w) {
         w.loader_wait = 40'000'000;
         w.loader_in_main_thread = true;
       },
       {"input.starved"},
       {}},
      {"an input that is filled on the CPU",
       [](Workload& w) { w.input_on_cpu = 30'000'000; },
       {"idiom.cpu-init"},
       {"host.bound", "launch.tiny-kernels"}},
      {"a stream that waits for what nobody recorded",
       [](Workload& w) { w.stuck_queue = 8'000'000; },
       {"launch.queue-delay"},
       {}},
      {"tiny kernels",
       [](Workload& w) {
         w.gemm = 6'000;
         w.elementwise = 2'500;
         w.elementwise_run = 4;
         w.input_bytes = 1 << 16;
       },
       {"launch.tiny-kernels"},
       {"host.bound", "fusion.elementwise"}},
      {"a slow host",
       [](Workload& w) {
         w.costs.op = 320'000;
         w.gemm = 120'000;
       },
       {"host.bound"},
       {"launch.tiny-kernels"}},
      {"a host whose processors are all taken",
       [](Workload& w) {
         w.costs.op = 320'000;
         w.gemm = 120'000;
         w.cpu_use = 0.97;
       },
       {"host.cpu-saturated"},
       {"host.bound", "launch.tiny-kernels"}},
      {"a batch that is prepared in Python",
       [](Workload& w) {
         w.step_function = "data.py(40): augment";
         w.step_extra = 30'000'000;
       },
       {"host.bound"},
       {}},
      {"every fourth step evaluates",
       [](Workload& w) {
         w.steps = 24;
         w.reads_per_step = 1;
         w.longer_steps = 0x888888;
         w.longer_by = 20'000'000;
       },
       {"step.periodic-stalls"},
       {}},
      {"steps of two kinds",
       [](Workload& w) {
         w.steps = 24;
         w.reads_per_step = 1;
         w.longer_steps = 0xD32B4C;
         w.longer_by = 20'000'000;
       },
       {"step.bimodal"},
       {}},
      {"steps that take longer from the middle on",
       [](Workload& w) {
         w.steps = 24;
         w.reads_per_step = 1;
         w.longer_steps = 0xFFF000;
         w.longer_by = 20'000'000;
       },
       {"step.phase-change"},
       {}},
      {"allocates in every layer",
       [](Workload& w) { w.allocation = 500'000; },
       {"memory.churn"},
       {"launch.slow-calls"}},
      {"a hole that nothing explains", [](Workload& w) { w.silence = 300'000'000; }, {"host.unrecorded-gap"}, {}},
      {"copies from pageable memory",
       [](Workload& w) {
         w.pageable = true;
         w.input_bytes = 48 << 20;
       },
       {"copy.pageable", "copy.exposed"},
       {"copy.exposed", "host.sync-copy"}},
      {"an input that is copied between the kernels",
       [](Workload& w) {
         w.input_beside_kernels = false;
         w.input_bytes = 192 << 20;
       },
       {"copy.exposed"},
       {}},
      {"a clone in every layer", [](Workload& w) { w.cloned_bytes = 256 << 20; }, {"copy.on-device"}, {}},
      {"a tensor that goes to the host and back",
       [](Workload& w) {
         w.copies_per_layer = 1;
         w.copies_back = true;
         w.copy_bytes = 4 << 20;
         w.copies_pageable = false;
       },
       {"copy.repeated"},
       {"copy.exposed", "host.sync-stall"}},
      {"copies again what the device has",
       [](Workload& w) { w.copies_per_layer = 1; },
       {"copy.repeated", "copy.pageable", "copy.exposed"},
       {"copy.exposed", "copy.pageable", "host.sync-copy"}},
      {"collectives behind the backward pass",
       [](Workload& w) {
         w.ranks = 4;
         w.all_reduce = 2'500'000;
         w.overlapped = false;
       },
       {"comm.exposed"},
       {"comm.straggler"}},  // whichever rank comes last, a little
      {"a slow rank",
       [](Workload& w) {
         w.ranks = 4;
         w.all_reduce = 300'000;
         w.slow_rank = 1.6;
       },
       {"fleet.slow-rank", "comm.straggler", "comm.slow-rank"},
       {"comm.exposed"}},
      {"grids of four blocks", [](Workload& w) { w.gemm_grid.blocks = 4; }, {"kernel.small-grid"}, {"kernel.dominant"}},
      {"elementwise operations one by one",
       [](Workload& w) {
         w.elementwise = 45'000;
         w.elementwise_run = 6;
       },
       {"fusion.elementwise"},
       {}},
      {"layouts that do not fit",
       [](Workload& w) {
         w.extra = {"aten::convolution", "void cudnn::ops::nchwToNhwcKernel<__half, __half, float, true>", 60'000};
         w.gemm_name = tensor_convolution;
       },
       {"layout.conversion"},
       {}},
      {"an optimizer in small pieces",
       [](Workload& w) {
         w.fused_optimizer = false;
         w.gemm = 60'000;
       },
       {"fusion.optimizer-loop", "fusion.optimizer", "fusion.elementwise", "launch.tiny-kernels"},
       {"launch.tiny-kernels", "host.bound", "fusion.elementwise"}},
      {"an optimizer in several passes", [](Workload& w) { w.optimizer_pass = 500'000; }, {"fusion.optimizer"}, {}},
      {"gradients that are zeroed one by one",
       [](Workload& w) { w.zeroed_gradients = 8 * w.layers; },
       {"idiom.zero-grad"},
       {"launch.tiny-kernels", "host.bound"}},
      {"a kernel that takes most of the time",
       [](Workload& w) {
         w.extra = {"my::scan", "my_scan_kernel(float const*, float*, int)", 3'000'000};
       },
       {"kernel.dominant"},
       {}},
      {"a clock that was locked too low",
       [](Workload& w) {
         w.sm_clock = 705;
         w.costs.slowness = 1.6;
       },
       {"clock.throttled"},
       {}},
      {"single precision without TF32",
       [](Workload& w) {
         w.gemm_name = "ampere_sgemm_128x64_tn";
         w.gemm *= 4;
       },
       {"kernel.fp32-matmul"},
       {"kernel.dominant"}},
      {"double precision by mistake",
       [](Workload& w) {
         w.extra = {
             "aten::mul",
             "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<double, double, double, "
             "at::native::binary_internal::MulFunctor<double> >, std::array<char*, 3ul> >(int)",
             160'000};
       },
       {"kernel.fp64"},
       {"fusion.elementwise"}},
      {"matrices of odd sizes",
       [](Workload& w) {
         w.gemm_name = "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_64x64_32x6_tn_align1>";
       },
       {"kernel.unaligned-gemm"},
       {"kernel.dominant"}},
      {"batch norm that is channels first",
       [](Workload& w) {
         w.gemm_name = tensor_convolution;
         w.norm_op = "aten::cudnn_batch_norm";
         w.norm_name = "void cudnn::bn_fw_tr_1C11_kernel_NCHW<__half, float, 512, true, 1, true>(cudnnTensorStruct)";
         w.norm = 160'000;
       },
       {"layout.batch-norm"},
       {"idiom.train-mode"}},
      {"tensors copied for their layout",
       [](Workload& w) {
         w.extra = {
             "aten::copy_",
             "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::direct_copy_"
             "kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}> >(int)",
             180'000};
       },
       {"layout.copies"},
       {"fusion.elementwise"}},
      {"an upsampling that is channels first",
       [](Workload& w) {
         w.extra = {"aten::upsample_bilinear2d_backward",
                    "void at::native::(anonymous namespace)::upsample_bilinear2d_backward_out_frame<c10::Half, float>",
                    160'000};
       },
       {"layout.upsample"},
       {}},
      {"lookups that take as long as the products",
       [](Workload& w) {
         w.extra = {"aten::embedding_dense_backward",
                    "void at::native::indexSelectLargeIndex<float, long, unsigned int, 2, 2, -2, true>", 500'000};
       },
       {"kernel.gather-sort"},
       {"kernel.dominant"}},
      {"blocks of 33 threads",
       [](Workload& w) {
         w.gemm_grid.threads = 33;
         w.gemm_name = "my_matmul(float*, float*, float*, int)";
       },
       {"kernel.block-size"},
       {"kernel.dominant", "kernel.low-occupancy"}},
      {"a kernel with few threads in flight",
       [](Workload& w) {
         w.extra = {"aten::mul", elementwise_kernel, 160'000, 12};
       },
       {"kernel.low-occupancy"},
       {"fusion.elementwise"}},
      {"inference in training mode",
       [](Workload& w) {
         w.trains = false;
         w.gemm_name = tensor_convolution;
         w.norm_op = "aten::cudnn_batch_norm";
         w.norm_name = "void cudnn::bn_fw_tr_1C11_kernel_NCHW<__half, float, 512, true, 1, true>(cudnnTensorStruct)";
         w.norm = 60'000;
       },
       {"idiom.train-mode"},
       {"layout.batch-norm"}},
      {"code that is loaded in every step",
       [](Workload& w) {
         w.step_call = "cuModuleLoadData";
         w.step_extra = 30'000'000;
       },
       {"compile.in-loop"},
       {}},
      {"a graph that is compiled in every step",
       [](Workload& w) {
         w.step_range = "entire_frame_compile (dynamo_timed)";
         w.step_extra = 30'000'000;
       },
       {"compile.in-loop"},
       {"host.bound"}},
      {"a stream that is made in every step",
       [](Workload& w) {
         w.step_call = "cudaStreamCreateWithFlags";
         w.step_extra = 30'000'000;
       },
       {"launch.slow-calls"},
       {}},
      {"a function that is compiled in every step",
       [](Workload& w) {
         w.step_function = "torch/_dynamo/convert_frame.py(1200): __call__";
         w.step_extra = 30'000'000;
       },
       {"compile.in-loop"},
       {"host.bound"}},
      {"a first launch that loads a library",
       [](Workload& w) { w.first_launch = 700'000'000; },
       {"launch.first-launch"},
       {}},
      {"garbage collected in every step",
       [](Workload& w) {
         w.step_range = "gc.collect";
         w.step_extra = 30'000'000;
       },
       {"host.gc-pause"},
       {"host.bound"}},
      {"garbage collected by a call in every step",
       [](Workload& w) {
         w.step_function = "<built-in function collect>";
         w.step_extra = 30'000'000;
       },
       {"host.gc-pause"},
       {"host.bound"}},
      {"memory in pieces",
       [](Workload& w) {
         w.memory = std::int64_t{40} << 30;
         w.spare_memory = std::int64_t{28} << 30;
       },
       {"memory.fragmented"},
       {}},
      {"memory that is nearly full",
       [](Workload& w) { w.memory = std::int64_t{74} << 30; },
       {"memory.near-capacity"},
       {}},
      {"memory that is never given back",
       [](Workload& w) {
         w.step_memory = 256 << 20;
         w.reads_per_step = 1;  // a host that runs ahead has allocated everything before the device begins
       },
       {"memory.growth"},
       {}},
      {"many copies of a few bytes",
       [](Workload& w) {
         w.copies_per_layer = 24;
         w.copy_bytes = 256;
         w.copies_pageable = false;
         w.gemm = 60'000;
       },
       {"copy.small", "launch.tiny-kernels"},  // each of them is a launch, too
       {"host.bound", "launch.tiny-kernels"}},
      {"a link of a quarter of its width",
       [](Workload& w) {
         w.costs.link = 6;
         w.copies_per_layer = 1;
         w.copy_bytes = 4 << 20;
         w.copies_pageable = false;
       },
       {"copy.slow", "copy.exposed", "copy.repeated"},
       {"copy.exposed", "copy.repeated"}},
      {"collectives of a few bytes",
       [](Workload& w) {
         w.ranks = 4;
         w.collectives = 80;
         w.all_reduce = 90'000;
         w.all_reduce_elements = 20'000;
         w.overlapped = false;
       },
       {"comm.small-messages", "comm.exposed"},
       {"comm.exposed", "comm.straggler"}},
      {"a collective that is slower than the others",
       [](Workload& w) {
         w.ranks = 4;
         w.collectives = 5;
         w.all_reduce = 900'000;
         w.slow_collective = 9;
         w.overlapped = false;
       },
       {"comm.outlier"},
       {"comm.exposed", "comm.straggler"}},
      {"a profiler that takes its time",
       [](Workload& w) { w.step_overhead = 6'000'000; },
       {"trace.profiler-overhead"},
       {"host.bound"}},
      {"a recording of one short step",
       [](Workload& w) {
         w.steps = 1;
         w.layers = 2;
         w.gemm = 60'000;
         w.input_bytes = 1 << 16;
       },
       {"trace.too-short"},
       {"host.bound", "launch.tiny-kernels", "input.starved"}},
      {"a recording without the device", [](Workload& w) { w.records_device = false; }, {"trace.no-device-work"}, {}},
      {"a recording without the kernels of graphs",
       [](Workload& w) {
         w.graph = true;
         w.records_graph_kernels = false;
       },
       {"trace.hidden-graph-kernels"},
       {}},
      {"decoding without graphs",
       [](Serving& s) {
         s.graphs = false;
         s.kernel = 6'000;
       },
       {"serving.decode-launch-bound", "launch.tiny-kernels"},
       {"launch.tiny-kernels", "host.bound"}},
      {"long prompts in the batch that decodes",
       [](Serving& s) { s.prefill = 9; },
       {"serving.mixed-prefill-decode"},
       {}},
      {"tokens that are read one by one",
       [](Serving& s) {
         s.reads_per_step = 32;
         s.costs.sync_latency = 40'000;
       },
       {"host.sync-stall", "host.value-reads"},
       {"host.bound"}},
      {"a pipeline whose last stage has too much to do",
       [](Pipeline& p) { p.last_stage = 1.5; },
       {"comm.stage-imbalance"},
       {}},
      {"matrix kernels with small tiles",
       [](KernelTable& t) {
         t.gemm.name = "ampere_bf16_s16816gemm_bf16_64x64_sliced1x2_ldg8_f2f";
         t.gemm.tensor = 0.36;
         t.gemm.dram = 0.30;
       },
       {"kernel.small-gemm-tiles"},
       {}},
      {"kernels that wait for themselves",
       [](KernelTable& t) {
         t.extra = {"my_persistent_scan_kernel", 1'500'000, 0.0, 0.06};
       },
       {"kernel.latency-bound"},
       {"kernel.dominant"}},
      {"a scheduler that is too slow",
       [](Serving& s) { s.schedule = 3'500'000; },
       {"host.bound"},
       {},
       {"launch.graph-capture", "trace.hidden-graph-kernels"}},

      // Launches between cudaStreamBeginCapture and cudaStreamEndCapture go into a graph: the profiler records the
      // calls of the host, and the device runs nothing. A server does so once for each size of a batch, when it starts.
      {"a server that captures its graphs in the recording",
       [](Serving& s) {
         s.captured_sizes = 24;
         s.steps /= 2;
       },
       {"launch.graph-capture"},
       {},
       {"trace.hidden-graph-kernels", "trace.no-device-work", "launch.queue-delay", "host.bound"}},

      // A profiler records the nodes of graphs that it saw being made. What the device launches by itself (bodies of
      // conditional nodes) has no records, and neither have graphs that are older than the profiler.
      {"graphs of which the device launches a part itself",
       [](Serving& s) { s.unrecorded_layers = s.layers / 3; },
       {"trace.hidden-graph-kernels"},
       {}},
      {"graphs some of which are older than the profiler",
       [](Serving& s) { s.unrecorded_steps = 3; },
       {"trace.hidden-graph-kernels"},
       {}},

      // Kernels that leave compute units to others, as those that share a device with communication do, waste them
      // where there are no others.
      {"products that leave a part of the device to nobody",
       [](Workload& w) { divide_device(w); },
       {"kernel.small-grid"},
       {"kernel.dominant"}},

      // No device does anything: operators compute on the host, and no call launches anything. Ranks exchange by a
      // thread of gloo, for which the one that computes waits. The loader has no processor of its own.
      {"a training that was never moved to the device",
       [](Workload& w) { w.host_slowness = 40; },
       {"cpu.operators"},
       {},
       {"input.starved-host", "trace.no-device-work"}},
      {"a training on the host that waits for its loader",
       [](Workload& w) {
         w.host_slowness = 40;
         w.lists_board = false;
         w.loader_in_main_thread = true;
         w.loader_wait = 2'500'000'000;
       },
       {"input.starved-host"},
       {"cpu.operators"},
       {"trace.no-device-work"}},
      {"ranks on hosts one of which comes late",
       [](Workload& w) {
         w.host_slowness = 40;
         w.lists_board = false;
         w.ranks = 4;
         w.gloo = true;
         w.all_reduce = 20'000'000;
         w.overlapped = false;
         w.late_host = 900'000'000;
       },
       {"comm.straggler", "fleet.slow-rank"},
       {"cpu.operators"},
       {"trace.no-device-work"}},

      // The thread that launches sits in a call of the system. Only a profiler that traces these (osrt) knows; threads
      // that serve the driver sit in such calls all along.
      {"a file that is read in every step",
       [](Workload& w) {
         w.tool = Tool::nsys;
         w.step_system_call = "read";
         w.step_extra = 30'000'000;
       },
       {"host.bound"},
       {},
       {"host.unrecorded-gap"}},
      {"a lock that another thread holds in every step",
       [](Workload& w) {
         w.tool = Tool::nsys;
         w.step_system_call = "pthread_cond_wait";
         w.step_extra = 30'000'000;
       },
       {"host.bound"},
       {},
       {"host.unrecorded-gap"}},
      {"a loader that is too slow, of which only its system calls are recorded",
       [](Workload& w) {
         w.tool = Tool::nsys;
         w.loader_wait = 40'000'000;
       },
       {"host.bound", "input.starved"},
       {},
       {"host.unrecorded-gap"}},

      // Ranks whose collectives have no numbers, as older profilers write them: they end on all ranks together, and
      // begin when each rank comes. The late one comes late because of its host or of its loader.
      {"a rank whose loader comes late",
       [](Workload& w) {
         without_numbers(w);
         w.late_loader = 50'000'000;
       },
       {"comm.straggler", "fleet.slow-rank", "input.starved"},
       {"comm.exposed"},
       {"comm.slow-rank"}},
      {"a rank whose host is slow",
       [](Workload& w) {
         without_numbers(w);
         w.late_operators = 30;
       },
       {"comm.straggler", "fleet.slow-rank"},
       {"host.bound", "comm.exposed"},
       {"comm.slow-rank"}},
      {"a rank that comes late to exchanges between layers",
       [](Workload& w) {
         without_numbers(w);
         w.all_to_all = 60'000;
         w.late_host = 50'000'000;
       },
       {"comm.straggler", "fleet.slow-rank"},
       {"host.bound", "comm.exposed"},
       {"comm.slow-rank"}},
  };
  return all;
}

}  // namespace

std::span<const Fault> faults() { return table(); }

}  // namespace kdiag::corpus
