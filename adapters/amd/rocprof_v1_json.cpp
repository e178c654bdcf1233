// SPDX-License-Identifier: Apache-2.0
// results.json of rocprof v1 (`rocprof --hip-trace`, `--sys-trace`, `--stats`): a trace for chrome://tracing whose rows
// are kinds of records ("CPU HIP API", "COPY", "GPU0"). What matters stands in the arguments as text: BeginNs and EndNs
// on the machine's clock, the process and thread of a call, the device and stream of work. Flows tie work to calls.
// There are no grids and no registers: results.csv beside it has those. Behind the events stands what rocminfo says of
// the machine.
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/amd/rocprof/v1_events.hpp"
#include "adapters/json/event_chunks.hpp"

namespace kdiag::adapters {
namespace {

int sniff(const Head& head) {
  if (head.json != '{' || !head.has_key("traceEvents")) return 0;
  const auto names = [&head](std::string_view key) { return head.bytes.find(key) != std::string_view::npos; };
  return names("\"BeginNs\"") && names("\"EndNs\"") && names("\"DurationNs\"") ? 80 : 0;
}

Status read(Input& input, FactSink& sink) {
  std::vector<std::unique_ptr<rocprof::V1Events>> chunks;
  const auto read = read_chunks(input, sink, chunks, [] { return std::make_unique<rocprof::V1Events>(); });
  if (!read) return read.error();
  if (sink.cancelled()) return ok_status();
  RunInfo run;
  run.producer = "rocprof";
  run.clock = ClockDomain::device;
  sink.run(std::move(run));
  std::string_view system;
  for (const auto& [key, text] : read->members)
    if (key == "otherData") system = text;
  rocprof::finish(std::move(chunks), system, sink);
  return ok_status();
}

constexpr std::string_view provides[] = {"kernels.name",
                                         "kernels.class",
                                         "kernels.start",
                                         "kernels.dur",
                                         "kernels.device",
                                         "kernels.stream",
                                         "kernels.launch",
                                         "copies.kind",
                                         "copies.start",
                                         "copies.dur",
                                         "copies.device",
                                         "copies.bytes",
                                         "copies.launch",
                                         "memsets.start",
                                         "memsets.dur",
                                         "memsets.device",
                                         "api.name",
                                         "api.start",
                                         "api.dur",
                                         "api.thread",
                                         "api.is_launch",
                                         "api.is_sync",
                                         "annotations.name",
                                         "annotations.kind",
                                         "annotations.start",
                                         "annotations.dur",
                                         "annotations.thread",
                                         "comms.op",
                                         "devices.vendor",
                                         "devices.name",
                                         "devices.sms",
                                         "devices.sm_clock_max"};

}  // namespace

extern const Adapter rocprof_v1_json;
const Adapter rocprof_v1_json{
    .id = "rocprof-v1-json",
    .title = "Traces of AMD's first rocprof (results.json): kernels, copies, HIP and HSA calls, markers",
    .example = "{\"traceEvents\": [{}, {\"args\": {\"name\": \"CPU HIP API\"}, \"ph\": \"M\", \"pid\": 2, ...",
    .record = "rocprof --sys-trace ./app writes results.json",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
