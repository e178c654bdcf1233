// SPDX-License-Identifier: Apache-2.0
// Traces in the Trace Event Format ("Chrome trace") of any tool: {"traceEvents": [{"ph": "X", "ts": us, "dur": us,
// ...}]} or the bare array, which may lack its end. Specified by "Trace Event Format" of the Chromium project. Traces
// of tools with an adapter of their own (the PyTorch profiler) go there.
//
// Times are microseconds, whatever displayTimeUnit says. Ranges (X, B and E, b and e, S and F) become annotations,
// calls where their names are those of the CUDA or HIP runtime or driver, or kernels where a row's name looks like that
// of a device: a guess, which is noted. Counters become samples. The format has no place for what ties work to the call
// that launched it, and none for operators. Parts: adapters/generic/chrome/.
#include <memory>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/generic/chrome/events.hpp"
#include "adapters/generic/chrome/finish.hpp"
#include "adapters/json/event_chunks.hpp"

namespace kdiag::adapters {
namespace {

/// Less sure than every adapter that knows the tool.
int sniff(const Head& head) {
  if (head.json == '{') return head.has_key("traceEvents") ? 40 : 0;
  return head.json == '[' && head.bytes.find("\"ph\"") != std::string_view::npos ? 40 : 0;
}

Status read(Input& input, FactSink& sink) {
  std::vector<std::unique_ptr<chrome::Events>> chunks;
  const auto read = read_chunks(input, sink, chunks, [&] { return std::make_unique<chrome::Events>(sink); });
  if (!read) return read.error();
  if (sink.cancelled()) return ok_status();
  for (const auto& [key, text] : read->members)
    if (key == "samples") sink.note(note_id::unused_event, "stack samples");
  chrome::finish(std::move(chunks), sink);
  return ok_status();
}

constexpr std::string_view provides[] = {
    "threads",       "annotations",   "samples",        "devices.id",     "streams",        "kernels.name",
    "kernels.class", "kernels.start", "kernels.dur",    "kernels.device", "kernels.stream", "copies.kind",
    "copies.src",    "copies.dst",    "copies.start",   "copies.dur",     "copies.device",  "copies.stream",
    "memsets.start", "memsets.dur",   "memsets.device", "memsets.stream", "ranks.id",       "comms",
    "api.name",      "api.start",     "api.dur",        "api.thread",     "api.is_launch",  "api.is_sync"};

}  // namespace

extern const Adapter chrome_trace;
const Adapter chrome_trace{
    .id = "chrome-trace",
    .title = "Chrome traces (Trace Event Format) of any tool: ranges, counters, and device rows by their names",
    .example =
        "{\"traceEvents\": [{\"name\": \"step\", \"ph\": \"X\", \"ts\": 0, \"dur\": 5, \"pid\": 1, \"tid\": 1}]}",
    .record = "any tool that writes traces for chrome://tracing; name the rows of devices `GPU 0` and `stream 7`",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
