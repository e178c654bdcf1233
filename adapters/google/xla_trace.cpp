// SPDX-License-Identifier: Apache-2.0
// HOST.trace.json.gz of the XLA profiler (JAX, TensorFlow 2, PyTorch/XLA), the viewer's copy of its xplane.pb: Chrome
// trace events, {"displayTimeUnit": "ns", "metadata": {"highres-ticks": true}, "traceEvents": [...]}, names of
// processes (planes: /device:GPU:0, /host:CPU) and threads (lines: Stream #13(Compute), XLA Ops, Steps) first, then
// complete events without category, whose arguments are all strings. Microseconds with up to twelve decimals; kept to
// the ns. Written from tsl's trace_events_to_json and OpenXLA's CUPTI collector. Parts: adapters/google/xla/.
#include <memory>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/google/xla/finish.hpp"
#include "adapters/google/xla/records.hpp"
#include "adapters/json/event_chunks.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

/// A browser's traces have the same metadata, but no planes.
int sniff(const Head& head) {
  if (head.json != '{' || !head.has_key("traceEvents") || !contains(head.bytes, "\"highres-ticks\"")) return 0;
  return contains(head.bytes, "\"/host:") || contains(head.bytes, "\"/device:") ? 75 : 0;
}

Status read(Input& input, FactSink& sink) {
  std::vector<std::unique_ptr<xla::Records>> chunks;
  const auto read = read_chunks(input, sink, chunks, [&] { return std::make_unique<xla::Records>(sink); });
  if (!read) return read.error();
  if (sink.cancelled()) return ok_status();
  xla::finish(std::move(chunks), sink);
  return ok_status();
}

constexpr std::string_view provides[] = {"devices", "streams",     "threads", "steps", "kernels",     "copies",
                                         "memsets", "annotations", "api",     "comms", "python_calls"};

}  // namespace

extern const Adapter xla_trace;
const Adapter xla_trace{
    .id = "xla-trace",
    .title = "XLA profiler's trace.json.gz (JAX, TensorFlow): kernels and copies by stream, runtime calls, steps",
    .example =
        "host.trace.json.gz: {\"displayTimeUnit\":\"ns\",\"metadata\":{\"highres-ticks\":true},\"traceEvents\":[...]}",
    .record = "with jax.profiler.trace('log'): ... with jax.profiler.StepTraceAnnotation('train', step_num=n): step()",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
