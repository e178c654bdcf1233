// SPDX-License-Identifier: Apache-2.0
// The ranges of an XLA trace in a small form, until the names of their rows are known.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/io/kept_records.hpp"
#include "adapters/json/trace_event.hpp"
#include "adapters/rows/numbered.hpp"

namespace kdiag::adapters::xla {

using Key = std::pair<std::int64_t, std::int64_t>;  ///< (process, thread), in XLA's terms (plane, line)

inline constexpr std::uint32_t no_text = 0xFFFFFFFFU;

/// Texts are indices into Records::texts.
struct Span {
  std::int64_t start = 0;
  std::int64_t dur = 0;
  Key row;
  std::uint32_t name = no_text;
  std::uint32_t details = no_text;  ///< of kernels and copies
  std::uint32_t hlo_op = no_text;
  std::int64_t correlation = absent_integer;
  std::int64_t step = absent_integer;  ///< of a range of the host that is a step: its number
  double flops = absent_real;          ///< operations and bytes, as XLA's cost analysis has them
  std::int64_t bytes_moved = absent_integer;
};

/// What a device's plane says of the device; 0 and empty: nothing.
struct DeviceProperties {
  std::string model;
  std::int64_t compute_units = 0, memory = 0;
  double clock_max = 0;         ///< Hz
  double memory_bandwidth = 0;  ///< B/s
};

/// Events in order of the file. Not thread-safe: each chunk of the input has its own; the sink is shared.
class Records {
 public:
  explicit Records(FactSink& sink) : sink_(&sink) {}

  void add(const TraceEvent& event);
  /// Adds what a later part of the input holds.
  void append(Records&& chunk);
  /// What it keeps until all events are known.
  Kept kept() const {
    Kept out;
    out.add_bytes(texts.bytes());
    out.add_nodes(process_names);
    out.add_nodes(thread_names);
    out.add(spans);
    return out;
  }

  Numbered texts;
  std::vector<Span> spans;
  std::map<std::int64_t, std::string> process_names;
  std::map<Key, std::string> thread_names;
  std::map<std::int64_t, DeviceProperties> devices;  ///< by process
  std::string host;

 private:
  std::uint32_t text(Token token);

  FactSink* sink_;
  std::string scratch_;
};

}  // namespace kdiag::adapters::xla
