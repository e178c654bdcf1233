// SPDX-License-Identifier: Apache-2.0
// The events of an Ascend trace in a small form, until all are known: what a row shows is said by its process's name,
// which may come last.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/ascend/parts/step_trace.hpp"
#include "adapters/io/kept_records.hpp"
#include "adapters/json/trace_event.hpp"
#include "adapters/rows/numbered.hpp"

namespace kdiag::adapters::ascend {

using Key = std::pair<std::int64_t, std::int64_t>;  ///< (process, thread)

inline constexpr std::uint32_t no_text = 0xFFFFFFFFU;

/// A range on a row. Texts are indices into Records::texts.
struct Span {
  std::int64_t start = 0;
  std::int64_t dur = 0;
  Key row;
  std::uint32_t name = no_text;
};

/// A framework operator.
struct Op {
  Span span;
  std::int64_t sequence = absent_integer;
  std::int64_t forward_thread = 0;
  std::uint32_t shapes = no_text;
  std::uint32_t stack = no_text;
};

/// A range of any process without category: a call, a task of a device, a collective.
struct Task {
  Span span;
  std::int64_t connection = absent_integer;  ///< of calls and the tasks they launch
  std::uint32_t type = no_text;              ///< of tasks
  std::uint32_t collective = no_text;        ///< index into Records::collectives
  std::int64_t peer = -1;                    ///< of parts of collectives: the other rank
  StepTrace summary = StepTrace::none;       ///< of rows that are no tasks
};

struct Collective {
  std::int64_t count = absent_integer;
  std::uint32_t dtype = no_text;
  std::uint32_t algorithm = no_text;
};

/// One end of an arrow from a host row to the device.
struct Arrow {
  Key row;
  std::int64_t time = 0;
};

struct Sample {
  std::int64_t time = 0;
  double value = 0;
  std::int64_t process = 0;
};

/// Events in order of the file. Not thread-safe: each chunk of the input has its own; the sink is shared.
class Records {
 public:
  explicit Records(FactSink& sink) : sink_(&sink) {}

  void add(const TraceEvent& event);
  /// Adds the records of a later part of the file behind its own.
  void append(const Records& later);
  /// What it keeps until all events are known.
  Kept kept() const;

  Numbered texts;
  std::vector<Op> ops;
  std::vector<Task> tasks;
  std::vector<Collective> collectives;
  std::vector<Span> ranges;  ///< of host threads
  std::vector<Sample> clocks;
  /// Where arrows begin, by the text that names them, and where they end.
  std::map<std::uint32_t, Arrow> op_arrows, call_arrows;
  std::map<std::pair<Key, std::int64_t>, std::uint32_t> op_arrow_ends, call_arrow_ends;
  std::map<std::int64_t, std::string> process_names, process_labels;
  std::map<Key, std::string> thread_names;

 private:
  void add_range(const TraceEvent& event);
  void add_op(const TraceEvent& event, const Span& span);
  void add_task(const TraceEvent& event, const Span& span);
  void add_arrow(const TraceEvent& event, bool begin);
  void add_counter(const TraceEvent& event);
  void add_metadata(const TraceEvent& event);
  std::uint32_t text(Token token);

  FactSink* sink_;
  std::string scratch_;
};

}  // namespace kdiag::adapters::ascend
