// SPDX-License-Identifier: Apache-2.0
// Reads a trace's events into chunks that are finished together, for formats whose meaning is known only at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "adapters/io/kept_records.hpp"
#include "adapters/json/json.hpp"
#include "adapters/json/trace_event.hpp"

namespace kdiag::adapters {

/// Calls `make` for each chunk of the input and `add` of what that returns (a unique pointer) for each event, on
/// several threads. `chunks` are in order of the file afterwards. What a chunk says that it has `kept` counts against
/// the limits of the reading until all are read.
template <class Chunk, class Make>
Result<EventDocument> read_chunks(Input& input, FactSink& sink, std::vector<std::unique_ptr<Chunk>>& chunks,
                                  const Make& make) {
  std::mutex mutex;
  KeptRecords kept(sink);
  Kept in_all;
  const auto handler = [&](EventCursor& events, std::uint64_t sequence) {
    std::unique_ptr<Chunk> chunk = make();
    while (events.next()) chunk->add(read_trace_event(events.members(), events.args()));
    if constexpr (requires { chunk->close(); }) chunk->close();
    const Kept more = chunk->kept();
    const std::lock_guard lock(mutex);
    in_all.records += more.records;
    in_all.bytes += more.bytes;
    kept.count(in_all);
    if (chunks.size() <= sequence) chunks.resize(sequence + 1);
    chunks[sequence] = std::move(chunk);
  };
  Result<EventDocument> document = read_events(input, sink, {}, handler);
  std::erase(chunks, nullptr);
  return document;
}

}  // namespace kdiag::adapters
