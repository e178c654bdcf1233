// SPDX-License-Identifier: Apache-2.0
// Makes up the events of a trace from a seeded random sequence.
#include "bench/trace_generator.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace kdiag::bench {
namespace {

constexpr int process = 4242;
constexpr std::array<int, 2> host_threads = {4242, 4310};  // forward, backward
constexpr int stream = 7;
constexpr int copy_stream = 20;
constexpr std::int64_t launches_per_step = 900;
constexpr std::int64_t start_us = 3'712'195'495'406;  // after baseTimeNanoseconds, as profilers since 2.2 write it

/// Names as libtorch has them: few operators, many instances of kernel templates.
class Names {
 public:
  explicit Names(std::mt19937_64& random) {
    constexpr std::array<const char*, 20> verbs = {
        "linear",    "addmm", "mul",    "add_", "layer_norm", "softmax", "gelu",    "dropout",     "copy_",     "to",
        "transpose", "view",  "matmul", "bmm",  "sum",        "cat",     "reshape", "native_norm", "embedding", "item"};
    for (const char* verb : verbs)
      for (const char* prefix : {"aten::", "aten::_", "autograd::engine::evaluate_function: ", "torch::autograd::",
                                 "nn.Module: ", "Optimizer.step#"})
        operators.push_back(std::string(prefix) + verb);
    constexpr std::array<const char*, 6> functors = {"MulFunctor",         "CUDAFunctor_add",
                                                     "GeluCUDAKernelImpl", "direct_copy_kernel_cuda",
                                                     "pow_tensor_scalar",  "MeanOps"};
    constexpr std::size_t kernel_count = 180;
    for (std::size_t i = 0; i < kernel_count; ++i) {
      std::string name = "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<";
      const std::size_t size = 110 + i * 560 / kernel_count;  // sorted by length
      while (name.size() < size)
        name += std::string("float, c10::Half, at::native::") + functors[random() % functors.size()] + "<" +
                std::to_string(random() % 4096) + ">, ";
      name += "at::detail::Array<char*, 3> >(int, {lambda(float)#1}, at::detail::Array<char*, 3>) [" +
              std::to_string(i) + "]";
      kernels.push_back(std::move(name));
    }
  }

  std::vector<std::string> operators;
  std::vector<std::string> kernels;
};

class Trace {
 public:
  Trace(std::FILE* out, std::int64_t events, std::uint64_t seed)
      : out_(out), left_(events), random_(seed), names_(random_) {}

  void write() {
    print(
        "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\n      \"id\": 0, \"name\": \"NVIDIA "
        "A100-SXM4-80GB\", \"totalGlobalMem\": "
        "85031714816,\n      \"computeMajor\": 8, \"computeMinor\": 0, \"numSms\": 108, \"warpSize\": 32\n    }\n  ],\n"
        "  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 0, \"world_size\": 1},\n  \"displayTimeUnit\": "
        "\"ms\",\n"
        "  \"baseTimeNanoseconds\": 1711929600000000000,\n  \"traceEvents\": [");
    metadata();
    while (left_ > 0) step();
    print("\n  ],\n  \"traceName\": \"generated.pt.trace.json\"\n}\n");
  }

 private:
  [[gnu::format(printf, 2, 3)]] void print(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    std::vfprintf(out_, format, arguments);
    va_end(arguments);
  }

  /// Starts one event, unless there are enough.
  bool event() {
    if (left_ == 0) return false;
    --left_;
    std::fputs(first_ ? "\n  {\n" : ",\n  {\n", out_);
    first_ = false;
    return true;
  }

  void metadata() {
    const auto one = [this](const char* what, int thread, const char* name) {
      if (event())
        print("    \"name\": \"%s\", \"ph\": \"M\", \"ts\": %" PRId64
              ".000, \"pid\": %d, \"tid\": %d,\n    \"args\": {\n      \"name\": \"%s\"\n    }\n  }",
              what, start_us, process, thread, name);
    };
    one("process_name", 0, "python");
    for (const int thread : host_threads) one("thread_name", thread, "thread (python)");
  }

  void complete(const char* category, const std::string& name, int thread, std::int64_t ts_ns, std::int64_t dur_ns) {
    print("    \"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %d, \"tid\": %d,\n    \"ts\": %" PRId64
          ".%03" PRId64 ", \"dur\": %" PRId64 ".%03" PRId64,
          category, name.c_str(), thread < 100 ? 0 : process, thread, start_us + ts_ns / 1000, ts_ns % 1000,
          dur_ns / 1000, dur_ns % 1000);
  }

  void flow(const char* phase, std::int64_t id, int thread, std::int64_t ts_ns) {
    if (!event()) return;
    print("    \"ph\": \"%s\", \"id\": %" PRId64 ", \"pid\": %d, \"tid\": %d, \"ts\": %" PRId64 ".%03" PRId64
          ",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"%s\n  }",
          phase, id, thread < 100 ? 0 : process, thread, start_us + ts_ns / 1000, ts_ns % 1000,
          *phase == 'f' ? ", \"bp\": \"e\"" : "");
  }

  void step() {
    const std::int64_t begin = host_ns_;
    for (std::int64_t i = 0; i < launches_per_step && left_ > 1; ++i) launch();
    host_ns_ = std::max(host_ns_, device_ns_) + 1'000;
    if (!event()) return;
    complete("user_annotation", "ProfilerStep#" + std::to_string(step_++), host_threads[0], begin, host_ns_ - begin);
    print(",\n    \"args\": {\n      \"External id\": %" PRId64 ", \"Ev Idx\": %" PRId64 "\n    }\n  }", next_op_,
          next_op_);
    ++next_op_;
  }

  /// An operator in an operator that launches a kernel, or now and then a copy or a fill.
  void launch() {
    const int thread = host_threads[random_() % 8 < 5 ? 0 : 1];
    const std::int64_t outer = host_ns_;
    const std::int64_t inner = outer + 800 + below(2'000);
    const std::int64_t call = inner + 500 + below(3'000);
    const std::int64_t call_dur = 3'000 + below(6'000);
    const std::int64_t inner_end = call + call_dur + 400 + below(900);
    host_ns_ = inner_end + 300 + below(700);
    const std::int64_t correlation = ++correlation_;

    operation(thread, outer, host_ns_ - outer);
    operation(thread, outer + 100, 400);
    operation(thread, inner, inner_end - inner);
    if (event()) complete_call("cudaStreamIsCapturing", thread, inner + 100, 300, 0);
    const std::uint64_t kind = random_() % 40;
    const bool copy = kind < 3;
    const bool fill = kind == 3;
    if (event())
      complete_call(copy   ? "cudaMemcpyAsync"
                    : fill ? "cudaMemsetAsync"
                           : "cudaLaunchKernel",
                    thread, call, call_dur, correlation);
    flow("s", correlation, thread, call);
    const std::int64_t begin = std::max(device_ns_ + 900, call + 2'500);
    const std::int64_t dur = 1'500 + below(copy ? 40'000 : 12'000);
    device_ns_ = begin + dur;
    if (event()) device_event(copy, fill, begin, dur, correlation);
    flow("f", correlation, copy ? copy_stream : stream, begin);
  }

  void operation(int thread, std::int64_t begin, std::int64_t dur) {
    if (!event()) return;
    complete("cpu_op", names_.operators[random_() % names_.operators.size()], thread, begin, dur);
    print(",\n    \"args\": {\n      \"External id\": %" PRId64 ", \"Sequence number\": %" PRId64
          ", \"Fwd thread id\": 0, \"Ev Idx\": %" PRId64 "\n    }\n  }",
          next_op_, next_op_ / 2, next_op_);
    ++next_op_;
  }

  void complete_call(const char* name, int thread, std::int64_t begin, std::int64_t dur, std::int64_t correlation) {
    complete("cuda_runtime", name, thread, begin, dur);
    print(",\n    \"args\": {\n      \"External id\": %" PRId64 ", \"cbid\": 211, \"correlation\": %" PRId64
          "\n    }\n  }",
          next_op_ - 1, correlation);
  }

  void device_event(bool copy, bool fill, std::int64_t begin, std::int64_t dur, std::int64_t correlation) {
    if (copy || fill) {
      const std::int64_t bytes = 4'096 + below(1 << 22);
      complete(copy ? "gpu_memcpy" : "gpu_memset", copy ? "Memcpy HtoD (Pageable -> Device)" : "Memset (Device)",
               copy_stream, begin, dur);
      print(",\n    \"args\": {\n      \"External id\": %" PRId64
            ", \"device\": 0, \"context\": 1, \"stream\": %d, \"correlation\": %" PRId64 ", \"bytes\": %" PRId64
            ", \"memory bandwidth (GB/s)\": %.3f\n    }\n  }",
            next_op_ - 1, copy_stream, correlation, bytes, static_cast<double>(bytes) / static_cast<double>(dur));
      return;
    }
    // The smaller of two: short names are launched more often.
    const std::size_t name = std::min(random_() % names_.kernels.size(), random_() % names_.kernels.size());
    complete("kernel", names_.kernels[name], stream, begin, dur);
    print(",\n    \"args\": {\n      \"External id\": %" PRId64
          ", \"queued\": 0, \"device\": 0, \"context\": 1,\n      \"stream\": %d, \"correlation\": %" PRId64
          ",\n      \"registers per thread\": 32, \"shared memory\": 0, \"blocks per SM\": 1.5,\n      \"warps per "
          "SM\": 12.0, \"grid\": [%" PRId64
          ", 1, 1], \"block\": [128, 1, 1],\n      \"est. achieved occupancy %%\": 38\n    }\n  }",
          next_op_ - 1, stream, correlation, 1 + below(432));
  }

  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
  }

  std::FILE* out_;
  std::int64_t left_;
  std::mt19937_64 random_;
  Names names_;
  bool first_ = true;
  std::int64_t host_ns_ = 0;
  std::int64_t device_ns_ = 0;
  std::int64_t correlation_ = 0;
  std::int64_t next_op_ = 1;
  std::int64_t step_ = 1;
};

}  // namespace

void write_trace(std::FILE* out, std::int64_t events, std::uint64_t seed) { Trace(out, events, seed).write(); }

}  // namespace kdiag::bench
