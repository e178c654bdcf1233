// SPDX-License-Identifier: Apache-2.0
// Traces of the PyTorch profiler (Kineto): Chrome trace-event JSON with Kineto's categories, for all its back ends.
//
// {"schemaVersion": 1, "deviceProperties": [...], "traceEvents": [{"ph": "X", "cat": "kernel", "ts": us, ...}]}, or the bare
// array. Times are microseconds, from 1970 or from baseTimeNanoseconds. Written from libkineto's output_json.cpp and its
// history; the generation of 2021 had capitalised categories. Parts: adapters/kineto/.
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/kineto/chunk.hpp"
#include "adapters/kineto/document.hpp"
#include "adapters/kineto/finish.hpp"
#include "adapters/util/json.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view own_categories[] = {"cpu_op",      "kernel",     "cuda_runtime", "ac2g",     "Operator",   "Kernel",    "user_annotation", "python_function",
                                               "gpu_memcpy",  "mlu_memcpy", "mlu_runtime",  "Runtime",  "cuda_driver", "gpu_memset"};
// Ascend's trace_view.json borrows some of the categories; these are its own words.
constexpr std::string_view ascend_words[] = {"\"Ascend Hardware\"", "\"CANN\"", "\"Overlap Analysis\"", "\"async_npu\"", "\"HostToDevice\""};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Whether an event within the text has one of Kineto's categories.
bool has_own_category(std::string_view text) {
  for (std::size_t at = text.find("\"cat\""); at != std::string_view::npos; at = text.find("\"cat\"", at + 1)) {
    std::string_view rest = text.substr(at + 5, 64);
    if (const std::size_t quote = rest.find_first_not_of(" \t\r\n:"); quote != std::string_view::npos && rest[quote] == '"') rest.remove_prefix(quote + 1);
    const std::string_view category = rest.substr(0, rest.find('"'));
    for (const std::string_view own : own_categories)
      if (category == own) return true;
  }
  return false;
}

int sniff(const Head& head) {
  if (head.json == 0) return 0;
  for (const std::string_view word : ascend_words)
    if (contains(head.bytes, word)) return 0;
  const bool object = head.json == '{';
  if (object && !head.has_key("traceEvents")) return 0;
  if (object && (head.has_key("schemaVersion") || head.has_key("deviceProperties"))) return 90;
  return has_own_category(head.bytes) ? 80 : 0;
}

Status read(Input& input, FactSink& sink) {
  std::mutex mutex;
  std::vector<std::unique_ptr<kineto::Chunk>> chunks;
  const auto handler = [&](EventCursor& events, std::uint64_t sequence) {
    auto chunk = std::make_unique<kineto::Chunk>(sink);
    while (events.next()) chunk->add(kineto::read_event(events.members(), events.args()));
    const std::lock_guard lock(mutex);
    if (chunks.size() <= sequence) chunks.resize(sequence + 1);
    chunks[sequence] = std::move(chunk);
  };
  const auto read = read_events(input, sink, {}, handler);
  if (!read) return read.error();
  if (sink.cancelled()) return ok_status();
  std::erase(chunks, nullptr);
  finish(kineto::read_document(*read, sink), std::move(chunks), sink);
  return ok_status();
}

constexpr std::string_view provides[] = {"devices",     "streams",     "threads", "steps", "kernels", "copies",      "memsets",          "api",
                                         "ops",         "annotations", "frames",  "comms", "allocations", "samples:sm_active", "samples:tensor_active",
                                         "samples:dram_active", "samples:sm_clock"};

}  // namespace

extern const Adapter pytorch_kineto;
const Adapter pytorch_kineto{
    .id = "pytorch-kineto",
    .title = "PyTorch profiler traces (Kineto JSON), CUDA, HIP, MLU, MTIA, XPU and other back ends",
    .example = "worker0.1712195495.pt.trace.json.gz: {\"schemaVersion\": 1, \"deviceProperties\": [...], \"traceEvents\": [...]}",
    .record = "with torch.profiler.profile(schedule=torch.profiler.schedule(wait=1, warmup=1, active=5), "
              "on_trace_ready=torch.profiler.tensorboard_trace_handler('log'), record_shapes=True, with_stack=True) as p: ... p.step()",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
