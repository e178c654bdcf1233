// SPDX-License-Identifier: Apache-2.0
// Perfetto traces (.pftrace, .perfetto-trace) of any tool: packets of Protocol Buffers, specified by
// protos/perfetto/trace/ of the Perfetto project. Instants are ns of a clock that snapshots relate to others. Most is
// known of what AMD's rocprofv3 (--output-format pftrace) and Systems Profiler and PyTorch's own writer of such files
// put in: the categories of their events say what each is. Of other tools' track events, a track's name tells whether a
// device is meant, as for Chrome traces: a guess, which is noted. Work in the queues of GPUs (GpuRenderStageEvent),
// counters, clocks and memory of GPUs are read whoever wrote them. Parts: adapters/google/perfetto/.
#include <string_view>
#include <utility>

#include <kdiag/adapter.hpp>

#include "adapters/google/perfetto/finish.hpp"
#include "adapters/google/perfetto/packets.hpp"
#include "adapters/google/perfetto/reader.hpp"
#include "adapters/google/perfetto/trace.hpp"
#include "adapters/io/kept_records.hpp"

namespace kdiag::adapters {
namespace {

int sniff(const Head& head) { return perfetto::is_trace(head.bytes) ? 80 : 0; }

Status read(Input& input, FactSink& sink) {
  perfetto::Trace trace;
  perfetto::Reader reader(trace, sink);
  perfetto::Packets packets(input, sink);
  {
    KeptRecords kept(sink);
    while (const auto packet = packets.next()) {
      if (sink.cancelled()) return ok_status();
      reader.add(*packet);
      kept.look([&] { return trace.kept(); });
    }
  }
  reader.finish();
  perfetto::finish(std::move(trace), sink);
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
                                         "comms",
                                         "samples",
                                         "samples:sm_clock",
                                         "samples:mem_clock",
                                         "samples:power",
                                         "samples:temperature",
                                         "samples:mem_temperature",
                                         "samples:gpu_util",
                                         "samples:mem_util",
                                         "samples:memory_used"};

}  // namespace

extern const Adapter perfetto_trace;
const Adapter perfetto_trace{
    .id = "perfetto-trace",
    .title = "Perfetto traces: rocprofv3's pftrace, GPU work and counters, track events of any tool",
    .example = "app.pftrace: packets of Protocol Buffers",
    .record = "rocprofv3 --runtime-trace --output-format pftrace -- ./app",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
