// SPDX-License-Identifier: Apache-2.0
// The events of a trace of torch.autograd.profiler in a small form, until all are known: which ranges of a device lie
// inside others, and which operator a flow leads to, only the whole file says.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/io/kept_records.hpp"
#include "adapters/json/trace_event.hpp"
#include "adapters/rows/numbered.hpp"

namespace kdiag::adapters::autograd {

/// A row of the trace: a thread of the host or a device.
struct Track {
  bool device = false;
  std::int64_t process = 0;  ///< 0 unless the thread is another node's
  std::int64_t id = 0;
};

/// Where something begins, as both an event and the flows from and to it state it.
struct Point {
  std::uint32_t track = 0;
  std::uint32_t name = 0;
  std::int64_t start = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the 0 of a defaulted comparison for a pointer
  friend auto operator<=>(const Point&, const Point&) = default;
};

struct Range {
  Point at;
  std::int64_t start = 0, dur = 0;  ///< the start again, as `enclosing` asks for it
};

/// One end of an arrow from an operator to its work.
struct Flow {
  Point at;
  std::int64_t id = 0;
  bool work = false;
};

/// Events in order of the file. Not thread-safe: each chunk of the input has its own; the sink is shared.
class Events {
 public:
  explicit Events(FactSink& sink) : sink_(&sink) {}

  void add(const TraceEvent& event);
  /// What it keeps until all events are known.
  Kept kept() const;

  Numbered names;
  Numbered rows;  ///< "CPU functions\n3"
  std::vector<Range> ranges;
  std::vector<Flow> flows;

 private:
  FactSink* sink_;
  std::string scratch_;
};

/// What a row is, by its number in `Events::rows` and what stands there. Threads of other nodes are numbered as they
/// come.
Track track_of(std::string_view row, Numbered& nodes);

/// Makes facts of all events, and hands them on.
void finish(std::vector<std::unique_ptr<Events>> chunks, FactSink& sink);

}  // namespace kdiag::adapters::autograd
