// SPDX-License-Identifier: Apache-2.0
// A row of a timeline with few slices: short neighbours become one, and the time in which something ran stays exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace kdiag::report {

/// Something that ran; `name` and `kind` are whoever's numbers.
struct Slice {
  std::int64_t start = 0, end = 0;
  std::uint32_t name = 0;
  std::uint16_t kind = 0;
};

/// One slice, or several neighbours from the start of the first to the end of the last: name and kind of the longest.
struct DrawnSlice {
  Slice slice;
  std::int64_t busy = 0;  ///< time of the slices in it
  std::uint32_t count = 1;
};

/// From its first instant on, before its last.
using DrawnTime = std::pair<std::int64_t, std::int64_t>;

/// What of a row stays as it is: the slices in some parts, and those at the edges of some intervals.
struct KeptTimes {
  std::span<const DrawnTime> parts, edges;
};

/// The slices of a row that lie in a part of the time, or reach into it: from the first on, before the last.
std::pair<std::size_t, std::size_t> slices_within(std::span<const Slice> row, const DrawnTime& time);

/// At most `budget` slices for those of a row (or one, if it is 0), which are sorted by start and do not overlap. Parts
/// stay as they are where they have room with what is merged beside them, whole or not at all; then edges while half of
/// what is left of the budget lasts; both in their order. The sums of `count` and of `busy` are those of the row.
std::vector<DrawnSlice> level_of_detail(std::span<const Slice> row, const KeptTimes& kept, std::size_t budget);

/// Rows in which no two slices overlap: a slice inside another is one row below it. At most `deepest` rows, slices
/// below are counted in `left_out`.
std::vector<std::vector<Slice>> nest(std::vector<Slice> slices, std::size_t deepest, std::size_t& left_out);

/// Shares of a total: nobody gets more than wanted, and who wants more gets as much as any other.
std::vector<std::size_t> share_out(const std::vector<std::size_t>& wanted, std::size_t total);

}  // namespace kdiag::report
