// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/kineto_writer.hpp"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>

namespace kdiag::corpus {
namespace {

constexpr int host_process = 4000;
constexpr int host_thread = 4000;
constexpr int background_thread = 4017;
// As on a machine that runs: times are not small.
constexpr std::int64_t recording_start = 1'500'000'000'000'000;  // ns

[[gnu::format(printf, 1, 2)]] std::string format(const char* form, ...) {
  char buffer[1024];
  va_list arguments;
  va_start(arguments, form);
  const int length = std::vsnprintf(buffer, sizeof buffer, form, arguments);
  va_end(arguments);
  return std::string(buffer, static_cast<std::size_t>(length));
}

std::string on_device(int stream, std::int64_t correlation) {
  return format("\"device\": 0, \"context\": 1, \"stream\": %d, \"correlation\": %" PRId64, stream, correlation);
}

}  // namespace

KinetoWriter::KinetoWriter(const Recording& recording) : recording_(recording) {
  text_ = "{\n\"schemaVersion\": 1,\n\"deviceProperties\": [";
  const Board& board = recording.board;
  if (recording.lists_board)
    text_ +=
        format("{\"id\": 0, \"name\": \"%.*s\", \"totalGlobalMem\": %" PRId64
               ", \"computeMajor\": %d, \"computeMinor\": 0, \"maxThreadsPerMultiprocessor\": 2048, \"warpSize\": 32, "
               "\"numSms\": %d}",
               static_cast<int>(board.name.size()), board.name.data(), board.memory, board.compute_major,
               board.multiprocessors);
  text_ += "],\n";
  if (recording.ranks > 1)
    text_ +=
        format("\"distributedInfo\": {\"backend\": \"%.*s\", \"rank\": %d, \"world_size\": %d},\n",
               static_cast<int>(recording.backend.size()), recording.backend.data(), recording.rank, recording.ranks);
  text_ += "\"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": 1711929600000000000,\n\"traceEvents\": [\n";
}

void KinetoWriter::complete(std::string_view category, std::string_view name, std::int64_t process, std::int64_t thread,
                            Span span, const std::string& arguments) {
  if (span.start < recording_.from) return;
  text_ += "{\"ph\": \"X\", \"cat\": \"";
  text_ += category;
  text_ += "\", \"name\": \"";
  text_ += name;
  const std::int64_t start = recording_start + recording_.clock(span.start);
  const std::int64_t dur = recording_start + recording_.clock(span.end()) - start;
  text_ += format("\", \"pid\": %" PRId64 ", \"tid\": %" PRId64 ", \"ts\": %" PRId64 ".%03" PRId64 ", \"dur\": %" PRId64
                  ".%03" PRId64 ", \"args\": {",
                  process, thread, start / 1000, start % 1000, dur / 1000, dur % 1000);
  text_ += arguments;
  text_ += "}},\n";
}

void KinetoWriter::op(std::string_view name, Span span, std::int64_t external) {
  complete("cpu_op", name, host_process, host_thread, span, format("\"External id\": %" PRId64, external));
}

void KinetoWriter::annotation(std::string_view name, Span span) {
  complete("user_annotation", name, host_process, host_thread, span, "");
}

void KinetoWriter::background(std::string_view name, Span span) {
  complete("user_annotation", name, host_process, background_thread, span, "");
}

void KinetoWriter::step(int index, Span span) { annotation("ProfilerStep#" + std::to_string(index), span); }

void KinetoWriter::call(std::string_view name, Span span, std::int64_t external, std::int64_t correlation) {
  if (!recording_.calls) return;
  std::string arguments = format("\"External id\": %" PRId64 ", \"cbid\": 211", external);
  if (correlation > 0) arguments += format(", \"correlation\": %" PRId64, correlation);
  complete("cuda_runtime", name, host_process, host_thread, span, arguments);
}

void KinetoWriter::python(std::string_view function, Span span) {
  complete("python_function", function, host_process, host_thread, span, "");
}

void KinetoWriter::overhead(std::string_view name, Span span) { complete("overhead", name, -1, 0, span, ""); }

void KinetoWriter::kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid) {
  if (!recording_.device) return;
  const double per_multiprocessor = static_cast<double>(grid.blocks) / recording_.board.multiprocessors;
  complete(
      "kernel", name, 0, stream, span,
      on_device(stream, correlation) +
          format(", \"registers per thread\": 32, \"shared memory\": 0, \"blocks per SM\": %.4f, \"warps per SM\": "
                 "%.4f, \"grid\": [%d, 1, 1], \"block\": [%d, 1, 1], \"est. achieved occupancy %%\": %d",
                 per_multiprocessor, per_multiprocessor * grid.threads / 32, grid.blocks, grid.threads,
                 per_multiprocessor >= 1 ? grid.occupancy : 5));
}

void KinetoWriter::graph_kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid) {
  if (recording_.graph_kernels) kernel(name, span, stream, correlation, grid);
}

void KinetoWriter::collective(Span span, int stream, std::int64_t correlation, const Collective& collective,
                              int sequence) {
  if (!recording_.device) return;
  struct Names {
    const char *kernel, *older, *collective;
  };
  // Point-to-point calls in a group are one kernel of both directions.
  constexpr Names names[] = {{"AllReduce_Sum_bf16_RING_LL", "AllReduce_RING_LL_Sum_bf16", "allreduce"},
                             {"AllGather_RING_LL", "AllGather_RING_LL_Sum_int8_t", "_allgather_base"},
                             {"SendRecv", "SendRecv_RING_SIMPLE_Sum_int8_t", "all_to_allv"}};
  const Names& of = names[static_cast<int>(collective.kind)];
  std::string arguments =
      on_device(stream, correlation) + format(", \"grid\": [%d, 1, 1], \"block\": [544, 1, 1]", collective.blocks);
  if (recording_.numbers_collectives)
    arguments += format(", \"Collective name\": \"%s\", \"In msg nelems\": %" PRId64 ", \"Out msg nelems\": %" PRId64
                        ", \"dtype\": \"BFloat16\", \"Group size\": %d, \"Process Group Name\": \"0\", \"Process Group "
                        "Description\": \"default_pg\", \"Seq\": %d",
                        of.collective, collective.elements, collective.elements, recording_.ranks, sequence);
  complete("kernel",
           recording_.numbers_collectives
               ? std::string("ncclDevKernel_") + of.kernel + "(ncclDevKernelArgsStorage<4096ul>)"
               : std::string("ncclKernel_") + of.older + "(ncclDevComm*, unsigned long, ncclWork*)",
           0, stream, span, arguments);
}

void KinetoWriter::copy(std::string_view kind, Span span, int stream, std::int64_t correlation, std::int64_t bytes) {
  if (!recording_.device) return;
  complete("gpu_memcpy", "Memcpy " + std::string(kind), 0, stream, span,
           on_device(stream, correlation) +
               format(", \"bytes\": %" PRId64 ", \"memory bandwidth (GB/s)\": %.3f", bytes,
                      span.dur > 0 ? static_cast<double>(bytes) / static_cast<double>(span.dur) : 0));
}

void KinetoWriter::memory(std::int64_t time, std::int64_t bytes, std::int64_t allocated, std::int64_t reserved) {
  if (time < recording_.from) return;
  const std::int64_t instant = recording_start + recording_.clock(time);
  text_ += format(
      "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\", \"pid\": %d, "
      "\"tid\": %d, \"ts\": %" PRId64 ".%03" PRId64
      ", \"args\": {\"Device Type\": %d, \"Device Id\": %d, "
      "\"Addr\": 140000000000000, \"Bytes\": %" PRId64 ", \"Total Allocated\": %" PRId64
      ", \"Total Reserved\": %" PRId64 "}},\n",
      host_process, host_thread, instant / 1000, instant % 1000, recording_.on_host ? 0 : 1,
      recording_.on_host ? -1 : 0, bytes, allocated, reserved);
}

std::string KinetoWriter::finish() {
  // An event behind the last comma of the others.
  text_ += format(
      "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, \"tid\": 0, \"ts\": 0, \"args\": {\"name\": "
      "\"python\"}}\n],\n\"traceName\": \"simulated_rank%d.pt.trace.json\"\n}\n",
      host_process, recording_.rank);
  return std::move(text_);
}

}  // namespace kdiag::corpus
