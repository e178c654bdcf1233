// SPDX-License-Identifier: Apache-2.0
// Everything of a run that has a place on its timeline, by thread, queue, device and rank.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/interrupt.hpp"
#include "report/html/level_of_detail.hpp"
#include "report/html/run_columns.hpp"

namespace kdiag::report {

/// Names of slices: texts of the run, and numbers behind them for names that the page makes.
class SliceNames {
 public:
  explicit SliceNames(const RunColumns& columns) : columns_(columns) {}
  std::uint32_t made(std::string name);
  std::string text(std::uint32_t id) const;

 private:
  RunColumns columns_;
  std::vector<std::string> made_;
};

struct SamplePoint {
  std::int64_t time = 0;
  double value = 0;
};

/// Keys are rows of the facts' tables, absent_index where the input does not say; in no order inside.
struct GatheredSlices {
  explicit GatheredSlices(const RunColumns& columns) : names(columns) {}

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Slice>> streams;        ///< by device and stream
  std::map<std::uint32_t, std::vector<Slice>> idle, threads;                            ///< by device; by thread
  std::map<std::optional<std::int64_t>, std::vector<Slice>> steps;                      ///< by rank
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<SamplePoint>> samples;  ///< by device and series (text)
  std::vector<std::string> kinds;  ///< of slices: gemm, copy, op, blocking_call, ...
  SliceNames names;
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = std::numeric_limits<std::int64_t>::min();
};

/// Times are since `origin`. What has no start, no length or a time that a page cannot hold is left out.
GatheredSlices gather_slices(const RunColumns& columns, std::int64_t origin, CancelFlag stop);

/// The number of a rank by its row; nothing where there is none.
std::optional<std::int64_t> rank_of_row(const RunColumns& columns, std::uint32_t row);

}  // namespace kdiag::report
