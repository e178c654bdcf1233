// SPDX-License-Identifier: Apache-2.0
// The events of a trace of rocprof v1 (results.json) in a small form, until all are known: names of rows, and the flows
// that tie work to calls, stand anywhere.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/amd/common/amd_events.hpp"
#include "adapters/io/kept_records.hpp"
#include "adapters/json/trace_event.hpp"
#include "adapters/rows/numbered.hpp"

namespace kdiag::adapters::rocprof {

/// Where an event is drawn: the "process" and "thread" of the trace, which are rows and not those of the program.
struct V1Place {
  std::int64_t row = 0, line = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the 0 of a defaulted comparison for a pointer
  friend auto operator<=>(const V1Place&, const V1Place&) = default;
};

struct V1Record {
  V1Place place;
  std::int64_t us = 0;  ///< start as the trace draws it, to which flows refer
  amd::Number begin, end, process, thread, device, stream, bytes;
  std::uint32_t name = 0;
};

/// One end of a flow: where the call stood that launches work, or the work.
struct V1Flow {
  V1Place place;
  std::int64_t us = 0, id = 0;
  bool work = false;
};

/// Events in order of the file. Not thread-safe: each chunk of the input has its own.
class V1Events {
 public:
  void add(const TraceEvent& event);
  /// What it keeps until all events are known.
  Kept kept() const;

  Numbered names;
  std::vector<V1Record> records;
  std::vector<V1Flow> flows;
  std::map<std::int64_t, std::string> rows;  ///< what they are called

 private:
  std::string scratch_;
};

/// Makes facts of all events, and hands them on. `system`: the text of the member `otherData`, which describes the
/// machine; of its devices those are taken that the events name.
void finish(std::vector<std::unique_ptr<V1Events>> chunks, std::string_view system, FactSink& sink);

}  // namespace kdiag::adapters::rocprof
