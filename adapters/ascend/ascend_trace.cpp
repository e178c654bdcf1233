// SPDX-License-Identifier: Apache-2.0
// trace_view.json of Ascend's PyTorch profiler (torch_npu), and msprof's timeline: Chrome trace events as a bare array,
// times in microseconds as strings with three or more decimals, from 1970. Rows of the host carry categories as
// Kineto's do; what all other rows show is said by their process's name: CANN (calls of the runtime), Ascend Hardware
// (tasks by stream), HCCL or Communication (collectives), Overlap Analysis (sums of these). Written from the profiler's
// own writer (Ascend/pytorch, torch_npu/profiler/analysis). Parts: adapters/ascend/.
#include <memory>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/ascend/parts/finish.hpp"
#include "adapters/ascend/parts/records.hpp"
#include "adapters/json/event_chunks.hpp"
#include "adapters/json/trace_dialect.hpp"

namespace kdiag::adapters {
namespace {

int sniff(const Head& head) {
  const bool events = head.json == '[' ? head.bytes.find("\"ph\"") != std::string_view::npos
                                       : head.json == '{' && head.has_key("traceEvents");
  return events && is_ascend(head.bytes) ? 70 : 0;
}

Status read(Input& input, FactSink& sink) {
  std::vector<std::unique_ptr<ascend::Records>> chunks;
  const auto read = read_chunks(input, sink, chunks, [&] { return std::make_unique<ascend::Records>(sink); });
  if (!read) return read.error();
  if (sink.cancelled()) return ok_status();
  ascend::finish(std::move(chunks), sink);
  return ok_status();
}

constexpr std::string_view provides[] = {"devices",         "streams", "threads", "steps",  "kernels",     "copies",
                                         "memsets",         "api",     "ops",     "frames", "annotations", "comms",
                                         "samples:sm_clock"};

}  // namespace

extern const Adapter ascend_trace;
const Adapter ascend_trace{
    .id = "ascend-trace",
    .title = "Timelines of Ascend's profilers (trace_view.json, msprof): kernels, collectives, calls, operators",
    .example =
        "ASCEND_PROFILER_OUTPUT/trace_view.json: [{\"ph\": \"X\", \"name\": \"aten::empty\", \"ts\": \"1736...\", "
        "...}]",
    .record =
        "with torch_npu.profiler.profile(schedule=torch_npu.profiler.schedule(wait=1, warmup=1, active=5), "
        "on_trace_ready=torch_npu.profiler.tensorboard_trace_handler('log'), with_stack=True) as p: ... p.step()",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
