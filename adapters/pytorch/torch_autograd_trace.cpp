// SPDX-License-Identifier: Apache-2.0
// Traces that torch.autograd.profiler exports without Kineto (export_chrome_trace of PyTorch 0.4 to 1.7, later of
// use_kineto=False, and torch_npu's copy of it): a bare array whose rows are "CPU functions", one for each thread, and
// "CUDA functions" (of torch_npu "NPU functions"), one for each device. Times are microseconds from the profiler's
// start.
//
// The profiler of these versions records an event of CUDA in front of each operator and another one behind it. The
// range between the two is what the trace shows on the device: of operators inside each other, only the innermost is
// work. Flows tie it to its operator. Later versions write the flows alone. Parts: adapters/pytorch/autograd/.
#include <memory>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/json/event_chunks.hpp"
#include "adapters/pytorch/autograd/events.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

int sniff(const Head& head) {
  if (head.json != '[' && (head.json != '{' || !head.has_key("traceEvents"))) return 0;
  // The profiler in C++ (RecordProfile) spells it with a capital.
  const bool host = contains(head.bytes, "\"CPU functions\"") || contains(head.bytes, "\"CPU Functions\"");
  return host && contains(head.bytes, "\"pid\"") ? 80 : 0;
}

Status read(Input& input, FactSink& sink) {
  std::vector<std::unique_ptr<autograd::Events>> chunks;
  const auto read = read_chunks(input, sink, chunks, [&] { return std::make_unique<autograd::Events>(sink); });
  if (!read) return read.error();
  if (sink.cancelled()) return ok_status();
  autograd::finish(std::move(chunks), sink);
  return ok_status();
}

constexpr std::string_view provides[] = {
    "ops.name",        "ops.start",          "ops.dur",          "ops.thread",       "kernels.name",
    "kernels.class",   "kernels.start",      "kernels.dur",      "kernels.device",   "kernels.op",
    "copies.kind",     "copies.src",         "copies.dst",       "copies.start",     "copies.dur",
    "copies.device",   "copies.op",          "annotations.name", "annotations.kind", "annotations.start",
    "annotations.dur", "annotations.thread", "devices.id",       "threads"};

}  // namespace

extern const Adapter torch_autograd_trace;
const Adapter torch_autograd_trace{
    .id = "torch-autograd-trace",
    .title =
        "Traces of torch.autograd.profiler without Kineto (PyTorch 0.4 to 1.7, torch_npu): operators, device ranges",
    .example =
        "[{\"name\": \"conv2d\", \"ph\": \"X\", \"ts\": 7.1, \"dur\": 310.2, \"tid\": 0, \"pid\": \"CPU functions\", "
        "...",
    .record =
        "torch.profiler writes more; of the old one: with torch.autograd.profiler.profile(use_cuda=True) as p: ...; "
        "p.export_chrome_trace('trace.json')",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
