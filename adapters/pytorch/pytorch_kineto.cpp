// SPDX-License-Identifier: Apache-2.0
// Traces of the PyTorch profiler (Kineto): Chrome trace-event JSON with Kineto's categories, for all its back ends.
//
// {"schemaVersion": 1, "deviceProperties": [...], "traceEvents": [{"ph": "X", "cat": "kernel", "ts": us, ...}]}, or the
// bare array. Times are microseconds, from 1970 or from baseTimeNanoseconds. Written from libkineto's output_json.cpp
// and its history; the generation of 2021 had capitalised categories. PaddlePaddle writes a dialect of it. Parts:
// adapters/pytorch/kineto/.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/json/event_chunks.hpp"
#include "adapters/json/trace_dialect.hpp"
#include "adapters/pytorch/kineto/chunk.hpp"
#include "adapters/pytorch/kineto/document.hpp"
#include "adapters/pytorch/kineto/finish.hpp"

namespace kdiag::adapters {
namespace {

// Categories of host rows, which Ascend's trace_view.json has too, and those that only Kineto writes.
constexpr std::string_view host_categories[] = {"cpu_op", "user_annotation", "python_function"};
constexpr std::string_view own_categories[] = {"Operator",    "kernel",     "Kernel",      "cuda_runtime",
                                               "cuda_driver", "Runtime",    "mlu_runtime", "gpu_memcpy",
                                               "mlu_memcpy",  "gpu_memset", "ac2g"};

int sniff(const Head& head) {
  const bool object = head.json == '{';
  if (head.json == 0 || (object && !head.has_key("traceEvents"))) return 0;
  if (object && (head.has_key("schemaVersion") || head.has_key("deviceProperties"))) return 90;
  if (has_category(head.bytes, own_categories)) return 80;
  return has_category(head.bytes, host_categories) && !is_ascend(head.bytes) ? 80 : 0;
}

Status read(Input& input, FactSink& sink) {
  KernelClasses classes;
  std::vector<std::unique_ptr<kineto::Chunk>> chunks;
  const auto read = read_chunks(input, sink, chunks, [&] { return std::make_unique<kineto::Chunk>(sink, classes); });
  if (!read) return read.error();
  if (sink.cancelled()) return ok_status();
  finish(kineto::read_document(*read, sink), std::move(chunks), sink);
  return ok_status();
}

constexpr std::string_view provides[] = {"devices",
                                         "streams",
                                         "threads",
                                         "steps",
                                         "kernels",
                                         "copies",
                                         "memsets",
                                         "api",
                                         "ops",
                                         "annotations",
                                         "frames",
                                         "python_calls",
                                         "comms",
                                         "allocations",
                                         "samples:sm_active",
                                         "samples:tensor_active",
                                         "samples:dram_active",
                                         "samples:sm_clock"};

}  // namespace

extern const Adapter pytorch_kineto;
const Adapter pytorch_kineto{
    .id = "pytorch-kineto",
    .title = "PyTorch profiler traces (Kineto JSON), CUDA, HIP, MLU, MTIA, XPU and other back ends",
    .example =
        "worker0.1712195495.pt.trace.json.gz: {\"schemaVersion\": 1, \"deviceProperties\": [...], \"traceEvents\": "
        "[...]}",
    .record =
        "with torch.profiler.profile(schedule=torch.profiler.schedule(wait=1, warmup=1, active=5), "
        "on_trace_ready=torch.profiler.tensorboard_trace_handler('log'), record_shapes=True, with_stack=True) as p: "
        "... p.step()",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
