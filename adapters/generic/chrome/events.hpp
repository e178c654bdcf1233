// SPDX-License-Identifier: Apache-2.0
// The events of a trace in a small form, until all are known: names of rows may come last, ends before beginnings.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/io/kept_records.hpp"
#include "adapters/json/trace_event.hpp"
#include "adapters/rows/numbered.hpp"

namespace kdiag::adapters::chrome {

/// Where events stand: a row (process and thread) or, for asynchronous ones, what their id names. As text: ids may be
/// names.
struct Track {
  std::string process, thread, id;
};

enum class Phase : std::uint8_t { complete, begin, end };

/// An event with a time on a track.
struct Mark {
  static constexpr std::uint32_t no_name = 0xFFFFFFFFU;

  std::int64_t time = 0;
  std::int64_t dur = 0;  ///< of complete events
  std::uint32_t name = no_name;
  std::uint32_t track = 0;
  std::uint32_t node = no_name;  ///< of TensorFlow's graph: what the operator and its kernels have in common
  Phase phase = Phase::complete;
};

struct Sample {
  std::int64_t time = 0;
  double value = 0;
  std::uint32_t series = 0;
  std::uint32_t track = 0;
};

/// What metadata says of a row or a process.
struct RowNames {
  std::map<std::string, std::string> processes, labels;                ///< by process
  std::map<std::pair<std::string, std::string>, std::string> threads;  ///< by process and thread
};

/// Events in order of the file. Not thread-safe: each chunk of the input has its own; the sink is shared.
class Events {
 public:
  explicit Events(FactSink& sink) : sink_(&sink) {}

  void add(const TraceEvent& event);
  /// What it keeps until all events are known.
  Kept kept() const;

  std::vector<Mark> marks;
  std::vector<Sample> samples;
  Numbered names;
  std::vector<Track> tracks;
  RowNames row_names;

 private:
  void add_range(const TraceEvent& event, Phase phase, std::uint32_t track);
  void add_counter(const TraceEvent& event);
  void add_metadata(const TraceEvent& event);
  /// The row of an event: a missing thread is the process's own.
  std::uint32_t row(const TraceEvent& event);
  std::uint32_t asynchronous(const TraceEvent& event, bool by_name);
  std::uint32_t track(Track track);
  std::string identity(Token token);

  FactSink* sink_;
  std::string scratch_;
  Numbered track_keys_;
  std::string last_process_, last_thread_;  ///< as they stand in the text
  std::uint32_t last_row_ = Mark::no_name;
};

}  // namespace kdiag::adapters::chrome
