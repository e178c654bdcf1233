// SPDX-License-Identifier: Apache-2.0
// Host threads and device streams, played step by step.
#include <algorithm>
#include <deque>
#include <map>
#include <random>

#include "tests/corpus/kineto_writer.hpp"
#include "tests/corpus/workload.hpp"

namespace kdiag::corpus {
namespace {

constexpr int compute_stream = 7;
constexpr int copy_stream = 20;
constexpr int communication_stream = 24;
constexpr std::int64_t launch_latency = 3'000;  // from the call to the first cycle of the kernel
constexpr std::int64_t stream_gap = 900;        // between two kernels of a stream
constexpr std::size_t launch_queue = 1'000;     // CUDA's limit is 1,024
constexpr double pinned_bytes_per_ns = 24.0;    // PCIe 4.0 x16
constexpr double pageable_bytes_per_ns = 5.5;
constexpr std::string_view elementwise_name =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, "
    "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)";

/// One process with its thread, its device and the file that records both.
class Rank {
 public:
  Rank(const Workload& workload, int rank, std::uint64_t seed)
      : work_(workload),
        writer_(rank, workload.ranks),
        random_(seed * 1'000 + static_cast<std::uint64_t>(rank)),
        slowness_(rank + 1 == workload.ranks ? workload.slow_rank : 1.0) {}

  void begin_step(int step) {
    step_ = {now_, 0};
    index_ = step;
    const Span wait{now_, jitter(work_.loader_wait)};
    writer_.annotation(work_.loader_in_main_thread ? "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
                                                   : "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                       wait);
    now_ = wait.end() + 5'000;
    copy_input();
    if (work_.silence > 0 && step == 2) now_ += work_.silence;
  }

  void forward_layer(int layer) {
    if (work_.copies_per_layer > 0)
      for (int i = 0; i < work_.copies_per_layer; ++i) copy_in("aten::copy_", 16 << 20, true, compute_stream);
    if (work_.allocation > 0) allocate();
    this->layer(layer, 1);
    const int reads = work_.reads_per_step;
    if (reads > 0 && (layer + 1) * reads / work_.layers > layer * reads / work_.layers) read_back();
  }

  void backward_layer(int layer) { this->layer(layer, 2); }

  /// When this rank is ready for a collective that it launches now.
  std::int64_t launch_collective() {
    const std::int64_t external = next_op_++;
    const Span call = launch_call("cudaLaunchKernelExC", "c10d::allreduce_", external);
    collective_correlation_ = correlation_;
    return std::max({call.end() + launch_latency, stream_end_[communication_stream] + stream_gap,
                     stream_end_[compute_stream] + stream_gap});
  }

  void run_collective(std::int64_t ready, std::int64_t end) {
    const Span span{ready, end - ready};
    writer_.collective(span, communication_stream, collective_correlation_, 25'000'000, ++sequence_);
    stream_end_[communication_stream] = end;
  }

  void optimizer() {
    // It reads what the collectives brought.
    stream_end_[compute_stream] = std::max(stream_end_[compute_stream], stream_end_[communication_stream]);
    const std::int64_t begin = now_;
    if (work_.fused_optimizer) {
      for (int i = 0; i < 4; ++i)
        kernel("aten::_fused_adamw_",
               "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
               "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::FusedAdamMathFunctor<float, 4> >",
               60'000, 320, 512);
    } else {
      for (int tensor = 0; tensor < work_.layers * 4; ++tensor)
        for (const char* name : {"aten::mul_", "aten::lerp_", "aten::addcmul_", "aten::sqrt", "aten::addcdiv_"})
          kernel(name, elementwise_name, work_.elementwise / 2, 64, 128);
    }
    writer_.annotation("Optimizer.step#AdamW.step", {begin, now_ - begin});
  }

  void end_step() {
    now_ += 20'000;
    writer_.annotation("ProfilerStep#" + std::to_string(index_ + 10), {step_.start, now_ - step_.start});
  }

  TraceFile file(int rank) { return {"rank" + std::to_string(rank) + ".pt.trace.json", writer_.finish()}; }

 private:
  /// Within 4 % of the given duration.
  std::int64_t jitter(std::int64_t duration) {
    const double part = std::uniform_real_distribution<double>(0.96, 1.04)(random_);
    return static_cast<std::int64_t>(static_cast<double>(duration) * part);
  }

  /// An operator that makes one call which puts work on the device; the host is behind the operator afterwards.
  Span launch_call(std::string_view call_name, std::string_view op_name, std::int64_t external) {
    const std::int64_t begin = now_;
    std::int64_t call_start = begin + jitter(work_.op_cost) * 2 / 3;
    std::int64_t call_end = call_start + jitter(work_.launch_cost);
    if (queue_.size() >= launch_queue) {
      call_end = std::max(call_end, queue_.front());
      queue_.pop_front();
    }
    const Span call{call_start, call_end - call_start};
    now_ = call.end() + jitter(work_.op_cost) / 3;
    writer_.op(op_name, {begin, now_ - begin}, external);
    writer_.call(call_name, call, external, ++correlation_);
    return call;
  }

  /// Work of a stream that a call launched, at the earliest moment.
  Span enqueue(int stream, const Span& call, std::int64_t duration) {
    const std::int64_t start = std::max(call.end() + launch_latency, stream_end_[stream] + stream_gap);
    stream_end_[stream] = start + duration;
    queue_.push_back(start);
    return {start, duration};
  }

  void kernel(std::string_view op, std::string_view name, std::int64_t duration, int blocks, int threads) {
    if (work_.graph && in_graph_) {
      // Replayed: no call of its own, right behind the one before it.
      const Span span = enqueue(compute_stream, graph_call_, jitter(duration));
      writer_.kernel(name, span, compute_stream, graph_correlation_, blocks, threads);
      return;
    }
    const std::int64_t external = next_op_++;
    const Span call = launch_call("cudaLaunchKernel", op, external);
    const auto slow = static_cast<std::int64_t>(static_cast<double>(duration) * slowness_);
    const Span span = enqueue(compute_stream, call, jitter(slow));
    writer_.kernel(name, span, compute_stream, correlation_, blocks, threads);
    if (work_.sync_each_launch) wait_for_device("cudaDeviceSynchronize", next_op_ - 1);
  }

  void wait_for_device(std::string_view call, std::int64_t external) {
    std::int64_t done = now_;
    for (const auto& [stream, end] : stream_end_) done = std::max(done, end);
    const Span span{now_, done + jitter(work_.sync_latency) - now_};
    writer_.call(call, span, external, 0);
    now_ = span.end();
  }

  void layer(int layer, int passes) {
    if (work_.graph && layer == 0 && passes == 1) {
      graph_call_ = launch_call("cudaGraphLaunch", "aten::graph_replay", next_op_++);
      graph_correlation_ = correlation_;
      in_graph_ = true;
    }
    if (work_.conversion > 0)
      kernel("aten::convolution", "void cudnn::ops::nchwToNhwcKernel<__half, __half, float, true>", work_.conversion,
             2'048, 256);
    for (int pass = 0; pass < passes; ++pass) kernel("aten::addmm", work_.gemm_name, work_.gemm, work_.blocks, 128);
    for (int i = 0; i < work_.elementwise_run; ++i)
      kernel("aten::add", elementwise_name, work_.elementwise, 1'024, 128);
    kernel("aten::native_layer_norm",
           "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>", 12'000, 2'048,
           128);
    if (layer + 1 == work_.layers && passes == 2) in_graph_ = false;
  }

  void copy_input() {
    copy_in("aten::_to_copy", work_.input_bytes, work_.pageable, work_.pageable ? compute_stream : copy_stream);
  }

  void copy_in(std::string_view op, std::int64_t bytes, bool pageable, int stream) {
    const std::int64_t external = next_op_++;
    const Span call = launch_call("cudaMemcpyAsync", op, external);
    const double rate = pageable ? pageable_bytes_per_ns : pinned_bytes_per_ns;
    const Span span = enqueue(stream, call, jitter(static_cast<std::int64_t>(static_cast<double>(bytes) / rate)));
    writer_.copy(pageable ? "HtoD (Pageable -> Device)" : "HtoD (Pinned -> Device)", span, stream, correlation_, bytes);
    // The kernels of the step read it; the driver stages what is pageable, and the host with it.
    if (stream != compute_stream) stream_end_[compute_stream] = std::max(stream_end_[compute_stream], span.end());
    if (pageable) now_ = std::max(now_, span.end());
  }

  void read_back() {
    const std::int64_t outer = next_op_++;
    const std::int64_t inner = next_op_++;
    const std::int64_t begin = now_;
    const Span call{begin + 4'000, 5'000};
    writer_.call("cudaMemcpyAsync", call, inner, ++correlation_);
    writer_.copy("DtoH (Device -> Pageable)", enqueue(compute_stream, call, 1'400), compute_stream, correlation_, 4);
    now_ = call.end() + 500;
    wait_for_device("cudaStreamSynchronize", inner);
    now_ += 1'000;
    writer_.op("aten::_local_scalar_dense", {begin + 2'000, now_ - begin - 2'500}, inner);
    writer_.op("aten::item", {begin, now_ - begin}, outer);
  }

  void allocate() {
    for (const char* name : {"cudaMalloc", "cudaFree"}) {
      const std::int64_t external = next_op_++;
      // Freeing waits for the device, and so does an allocation that has to free first.
      std::int64_t idle_from = now_ + 2'000;
      for (const auto& [stream, end] : stream_end_) idle_from = std::max(idle_from, end);
      const Span call{now_ + 2'000, idle_from - now_ - 2'000 + jitter(work_.allocation / 2)};
      writer_.call(name, call, external, 0);
      writer_.op("aten::empty", {now_, call.end() + 1'000 - now_}, external);
      now_ = call.end() + 1'000;
    }
  }

  const Workload& work_;
  KinetoWriter writer_;
  std::mt19937_64 random_;
  double slowness_;
  std::int64_t now_ = 0;  ///< of the host thread
  std::map<int, std::int64_t> stream_end_{{compute_stream, 0}, {copy_stream, 0}, {communication_stream, 0}};
  std::deque<std::int64_t> queue_;  ///< starts of what was launched
  Span step_;
  int index_ = 0;
  Span graph_call_;
  bool in_graph_ = false;
  std::int64_t graph_correlation_ = 0;
  std::int64_t collective_correlation_ = 0;
  std::int64_t correlation_ = 0;
  std::int64_t next_op_ = 1;
  int sequence_ = 0;
};

}  // namespace

std::vector<TraceFile> simulate(const Workload& workload, std::uint64_t seed) {
  std::vector<Rank> ranks;
  for (int rank = 0; rank < workload.ranks; ++rank) ranks.emplace_back(workload, rank, seed);

  const auto all_reduce = [&] {
    std::vector<std::int64_t> ready;
    for (Rank& rank : ranks) ready.push_back(rank.launch_collective());
    const std::int64_t end = *std::max_element(ready.begin(), ready.end()) + workload.all_reduce;
    for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i].run_collective(ready[i], end);
  };
  const bool communicates = workload.all_reduce > 0 && workload.ranks > 1;
  const int every = std::max(1, workload.layers / workload.collectives);

  for (int step = 0; step < workload.steps; ++step) {
    for (Rank& rank : ranks) {
      rank.begin_step(step);
      for (int layer = 0; layer < workload.layers; ++layer) rank.forward_layer(layer);
    }
    for (int layer = 0; layer < workload.layers; ++layer) {
      for (Rank& rank : ranks) rank.backward_layer(layer);
      if (communicates && workload.overlapped && (layer + 1) % every == 0) all_reduce();
    }
    if (communicates && !workload.overlapped)
      for (int i = 0; i < workload.collectives; ++i) all_reduce();
    for (Rank& rank : ranks) {
      rank.optimizer();
      rank.end_step();
    }
  }
  std::vector<TraceFile> files;
  for (int rank = 0; rank < workload.ranks; ++rank) files.push_back(ranks[static_cast<std::size_t>(rank)].file(rank));
  return files;
}

}  // namespace kdiag::corpus
