// SPDX-License-Identifier: Apache-2.0
// What was recorded of one process at one time: the fragments of one input, or several files that a profiler wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/facts/fact_builder.hpp"
#include "ingest/align.hpp"

namespace kdiag {

/// A fragment and the input it came from.
struct SourceFragment {
  Fragment fragment;
  std::size_t input = 0;  ///< place of the input on the command line
};

/// A fragment with its times, in its own clock.
struct View {
  SourceFragment source;
  std::optional<Interval> span;

  Fragment& fragment() { return source.fragment; }
  const Fragment& fragment() const { return source.fragment; }
  ClockDomain clock() const { return source.fragment.info.clock; }
};

struct Capture {
  std::vector<View> views;   ///< at least one, in input order
  std::size_t position = 0;  ///< of the first view among all fragments
  std::set<std::int64_t> ranks;

  View& front() { return views.front(); }
  const View& front() const { return views.front(); }
  bool has_input(std::size_t input) const;
  /// The clock of its times.
  ClockDomain clock() const;
  /// What the views whose clock compares with this one span together.
  std::optional<Interval> span(ClockDomain clock) const;
  /// Its folder or the beginning of its files' names, where it has several; else what the adapter or the file says.
  std::string label() const;
};

/// Gathers fragments (in input order) to captures: files of one tool that stand side by side under names that it gives
/// to the files of one recording (capture_of), state the same rank or none, and lie not more than a minute apart. The
/// rank that one of them states holds for all. Telemetry, and several runs of one input, are captures of their own.
std::vector<Capture> gather_captures(std::vector<SourceFragment> fragments);

/// The ranks that a fragment states, as its own or of its rows.
std::set<std::int64_t> ranks_of(const Fragment& fragment);

/// The smallest interval that contains both.
Interval hull(std::optional<Interval> a, Interval b);

}  // namespace kdiag
