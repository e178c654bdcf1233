// SPDX-License-Identifier: Apache-2.0
// What of a run is drawn over time: steps, host threads, queues of devices, what idle devices wait for, samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/html/gather_slices.hpp"
#include "report/html/level_of_detail.hpp"
#include "report/html/run_columns.hpp"
#include "report/phrases/run_view.hpp"

namespace kdiag::report {

enum class LaneType : std::uint8_t { steps, host, idle, stream, sampled };
/// Their words in the page's data.
std::string_view name_of(LaneType type);

/// A lane has slices, or points of a series.
struct Lane {
  std::string name;
  LaneType type{};
  std::vector<std::vector<Slice>> rows = {};
  std::size_t left_out = 0;  ///< slices nested too deeply to be drawn
  std::vector<SamplePoint> points = {};
  std::string_view unit = {};  ///< of the points, as in ValueEntry
};

struct LaneGroup {
  std::string name;  ///< of the device or of the host of a rank
  std::vector<Lane> lanes;
  std::size_t threads_left_out = 0;
};

struct Lanes {
  std::int64_t origin = 0;          ///< times of slices and points are since it
  std::int64_t from = 0, to = 0;    ///< of all that is drawn
  std::optional<DrawnTime> judged;  ///< the window of the run
  bool of_part = false;             ///< whether options chose that window
  std::vector<std::string> kinds;   ///< of slices: gemm, copy, op, blocking_call, ...
  SliceNames names;
  std::vector<LaneGroup> groups;
};

/// Nothing where the run has no instants.
std::optional<Lanes> lanes_of(const RunColumns& columns, const RunView& view, CancelFlag stop);

}  // namespace kdiag::report
