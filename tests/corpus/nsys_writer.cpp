// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/nsys_writer.hpp"

#include <algorithm>
#include <stdexcept>

#include <sqlite3.h>

namespace kdiag::corpus {
namespace {

// Host 1 << 48 | process << 24 | thread.
constexpr std::int64_t process = (std::int64_t{1} << 48) + std::int64_t{4000} * (1 << 24);
constexpr std::int64_t host_thread = process + 4000;
constexpr std::int64_t capture_start = 200'000'000;  // the profiler begins before the program does anything

struct Table {
  std::string_view name, columns;
};

constexpr Table tables[] = {
    {"CUPTI_ACTIVITY_KIND_KERNEL",
     "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
     "globalPid INTEGER, demangledName INTEGER, shortName INTEGER, registersPerThread INTEGER, gridX INTEGER, gridY "
     "INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, "
     "dynamicSharedMemory INTEGER, graphNodeId INTEGER"},
    {"CUPTI_ACTIVITY_KIND_MEMCPY",
     "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
     "globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER"},
    {"CUPTI_ACTIVITY_KIND_RUNTIME",
     "start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER, "
     "returnValue INTEGER"},
    {"OSRT_API",
     "start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER, "
     "returnValue INTEGER"},
    {"NVTX_EVENTS",
     "start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER"},
    {"PROFILER_OVERHEAD", "start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER, returnValue INTEGER"},
    {"StringIds", "id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL"},
    {"META_DATA_EXPORT", "name TEXT, value TEXT"},
    {"TARGET_INFO_SESSION_START_TIME", "utcEpochNs INTEGER, utcTime TEXT"},
    {"TARGET_INFO_GPU", "vmId INTEGER, id INTEGER, name TEXT, smCount INTEGER, totalMemory INTEGER, cuDevice INTEGER"},
    {"ANALYSIS_DETAILS", "duration INTEGER, startTime INTEGER, stopTime INTEGER"},
    {"ENUM_CUDA_MEMCPY_OPER", "id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT"},
    {"ENUM_CUDA_MEM_KIND", "id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT"},
};

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

/// The values of a row.
template <class... Values>
std::string list(const Values&... values) {
  std::string out;
  const auto add = [&out](const auto& value) {
    if (!out.empty()) out += ", ";
    if constexpr (std::is_convertible_v<decltype(value), std::string_view>) out += value;
    else out += std::to_string(value);
  };
  (add(values), ...);
  return out;
}

/// The kinds of a copy and of the memories that it reads and writes, by their numbers.
std::string kinds(std::string_view copy) {
  if (copy.starts_with("HtoD")) return copy.find("Pageable") != copy.npos ? "1, 0, 2" : "1, 1, 2";
  if (copy.starts_with("DtoH")) return copy.find("Pageable") != copy.npos ? "2, 2, 0" : "2, 2, 1";
  return copy.starts_with("PtoP") ? "10, 2, 2" : "8, 2, 2";
}

/// Runs statements in memory; the bytes of the file.
std::string database(const std::string& statements) {
  sqlite3* handle = nullptr;
  const bool good = sqlite3_open(":memory:", &handle) == SQLITE_OK &&
                    sqlite3_exec(handle, statements.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  sqlite3_int64 size = 0;
  unsigned char* const bytes = good ? sqlite3_serialize(handle, "main", &size, 0) : nullptr;
  const std::string problem = sqlite3_errmsg(handle);
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  sqlite3_free(bytes);
  sqlite3_close(handle);
  if (out.empty()) throw std::runtime_error("no database: " + problem);
  return out;
}

}  // namespace

std::string NsysWriter::since_start(Span span) {
  end_ = std::max(end_, span.end());
  return list(capture_start + span.start, capture_start + span.end());
}

std::int64_t NsysWriter::text(std::string_view value) {
  return texts_.try_emplace(std::string(value), static_cast<std::int64_t>(texts_.size()) + 1).first->second;
}

void NsysWriter::row(std::string_view table, const std::string& values) {
  std::string& rows = rows_[std::string(table)];
  rows += rows.empty() ? "(" : ",\n(";
  rows += values + ")";
}

void NsysWriter::step(int index, Span span) {
  row("NVTX_EVENTS", list(since_start(span), 59, quoted("step " + std::to_string(index)), host_thread, "NULL", 0));
}

void NsysWriter::call(std::string_view name, Span span, std::int64_t, std::int64_t correlation) {
  row("CUPTI_ACTIVITY_KIND_RUNTIME",
      list(since_start(span), 0, host_thread, correlation, text(std::string(name) + "_v7000"), 0));
}

void NsysWriter::os_call(std::string_view name, Span span) {
  row("OSRT_API", list(since_start(span), 27, host_thread, "NULL", text(name), 0));
}

void NsysWriter::kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid) {
  if (!recording_.device) return;
  const std::int64_t id = text(name);
  row("CUPTI_ACTIVITY_KIND_KERNEL", list(since_start(span), 0, 1, stream, correlation, process, id, id, 32, grid.blocks,
                                         1, 1, grid.threads, 1, 1, 0, 0, "NULL"));
}

void NsysWriter::graph_kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid) {
  if (recording_.graph_kernels) kernel(name, span, stream, correlation, grid);
}

void NsysWriter::collective(Span span, int stream, std::int64_t correlation, const Collective& collective, int) {
  constexpr std::string_view names[] = {"AllReduce_Sum_bf16_RING_LL", "AllGather_RING_LL", "SendRecv"};
  kernel(
      "ncclDevKernel_" + std::string(names[static_cast<int>(collective.kind)]) + "(ncclDevKernelArgsStorage<4096ul>)",
      span, stream, correlation, {collective.blocks, 544});
}

void NsysWriter::copy(std::string_view kind, Span span, int stream, std::int64_t correlation, std::int64_t bytes) {
  if (!recording_.device) return;
  row("CUPTI_ACTIVITY_KIND_MEMCPY", list(since_start(span), 0, 1, stream, correlation, process, bytes, kinds(kind)));
}

void NsysWriter::overhead(std::string_view name, Span span) {
  row("PROFILER_OVERHEAD", list(since_start(span), host_thread, text(name), 0));
}

std::string NsysWriter::finish() {
  // Threads that serve the driver and the framework wait for the next thing to do, all along.
  constexpr std::int64_t period = 100'000'000;
  for (std::int64_t time = 0; time + period < end_; time += period) {
    row("OSRT_API", list(since_start({time, period}), 27, process + 4011, "NULL", text("poll"), 0));
    row("OSRT_API", list(since_start({time, period}), 27, process + 4012, "NULL", text("pthread_cond_timedwait"), 0));
  }
  const Board& board = recording_.board;
  row("META_DATA_EXPORT", "'EXPORT_PRODUCT_VERSION', '2024.6.2.225'");
  row("META_DATA_EXPORT", "'EXPORT_SCHEMA_VERSION', '3.16.1'");
  row("TARGET_INFO_SESSION_START_TIME", "1711929600000000000, '2024-04-01T00:00:00'");
  if (recording_.lists_board)
    row("TARGET_INFO_GPU", list(1, 0, quoted(board.name), board.multiprocessors, board.memory, 0));
  row("ANALYSIS_DETAILS", list(capture_start + end_, 0, capture_start + end_));
  row("ENUM_CUDA_MEMCPY_OPER", "1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'");
  row("ENUM_CUDA_MEMCPY_OPER", "2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host'");
  row("ENUM_CUDA_MEMCPY_OPER", "8, 'CUDA_MEMCPY_KIND_DTOD', 'Device-to-Device'");
  row("ENUM_CUDA_MEMCPY_OPER", "10, 'CUDA_MEMCPY_KIND_PTOP', 'Peer-to-Peer'");
  row("ENUM_CUDA_MEM_KIND", "0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'");
  row("ENUM_CUDA_MEM_KIND", "1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'");
  row("ENUM_CUDA_MEM_KIND", "2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device'");
  for (const auto& [value, id] : texts_) row("StringIds", list(id, quoted(value)));
  std::string statements;
  for (const Table& table : tables) {
    const auto rows = rows_.find(table.name);
    if (rows == rows_.end()) continue;  // tables are made of what was recorded only
    statements += "CREATE TABLE " + std::string(table.name) + " (" + std::string(table.columns) + ");\n";
    statements += "INSERT INTO " + std::string(table.name) + " VALUES\n" + rows->second + ";\n";
  }
  return database(statements);
}

}  // namespace kdiag::corpus
